import { html } from '../../../lib/html.ts'
import type { Fault } from '../../../lib/errors.ts'
import type { HtmlPage } from '../http/route.ts'
import type { PageRequest } from '../http/page-request.ts'
import { faultWords } from '../words/faults.ts'
import { linkButton } from './components.ts'
import { entryOf, textsOf } from '../../../lib/texts/texts.ts'

const COMMON = textsOf('dashboard-common')

/** The page for errors. */
export function failurePage(request: PageRequest, status: number, fault: Fault): HtmlPage {
  const w = COMMON[request.language]
  const isStale = status === 403 && fault.message.startsWith('This form')
  const [title, text] = entryOf<readonly [string, string]>(w.failure, isStale ? 'stale' : status) ?? w.failure.other
  // Faults with these statuses concern the request just sent, so their own message is shown.
  const isTold = status === 409 || status === 422 || status === 503 || text === ''
  const said = isTold ? faultWords(request.language, fault) : text
  return {
    kind: 'page',
    title,
    status,
    isBare: !request.account,
    body: html`<div class="failure">
      <p class="status">${status}</p>
      <h1>${title}</h1>
      <p class="lead">${said}</p>
      ${linkButton('/dashboard', w.toStart)}
    </div>`,
  }
}
