import { renderSVG } from 'uqr'
import { z } from 'zod'
import { html } from '../../../api/docs/html.ts'
import { EMPTY, readForm, withProblem, type Draft } from '../../http/form.ts'
import { redirect, type Outcome, type Page } from '../../http/route.ts'
import { acceptedStep, newTotpSecret, totpUrl } from '../../auth/totp.ts'
import { buttons, field, formTo } from '../../ui/forms.ts'
import { copyable, head } from '../../ui/components.ts'
import { record, type AccountVisit } from '../../http/page-request.ts'
import { COMMON } from '../../words/common.ts'
import { showNewCodes } from './recovery.ts'
import { ACCOUNT } from './words.ts'

const PATH = '/dashboard/account'

/** A secret that becomes the account's once a code of it was typed. */
export function startTotp(visit: AccountVisit): Outcome {
  const { desk, account, session } = visit
  if (account.hasTotp || !account.hasPassword) return redirect(PATH)
  const secret = newTotpSecret()
  return totpPage(visit, secret, desk.tickets.issue('totp', session.id, { secret }))
}

export function confirmTotp(visit: AccountVisit): Outcome {
  const { desk, account, session, language } = visit
  const { data, draft } = readForm(z.object({ ticket: z.string().max(100), code: z.string().max(20) }), visit.form)
  const pending = desk.tickets.peek('totp', session.id, data?.ticket ?? '')
  if (!data || !pending || account.hasTotp || !account.hasPassword) return redirect(`${PATH}/totp`)
  const step = acceptedStep(pending.secret, data.code, desk.now())
  if (step === null) {
    const again = withProblem({ ...draft, values: {} }, 'code', ACCOUNT[language].wrongCode)
    return totpPage(visit, pending.secret, data.ticket, again)
  }
  desk.tickets.take('totp', session.id, data.ticket)
  desk.accounts.setTotp(account.id, pending.secret)
  desk.accounts.useTotpStep(account.id, step)
  desk.sessions.endOthers(account.id, session.id)
  record(visit, 'totp.on', account.name)
  return showNewCodes(visit)
}

function totpPage(visit: AccountVisit, secret: string, ticket: string, draft: Draft = EMPTY): Page {
  const { account, language } = visit
  const w = ACCOUNT[language]
  // Made by the library of numbers alone: nothing that a person has typed is in it as text.
  const picture = { markup: renderSVG(totpUrl(secret, account.name), { border: 0 }) }
  return {
    kind: 'page',
    title: w.totpTitle,
    status: draft === EMPTY ? 200 : 422,
    body: html`${head(w.totpTitle, { lead: w.totpLead, back: { to: PATH, label: w.title } })}
      <div class="totp">
        <div class="qr" role="img" aria-label="${w.qr}">${picture}</div>
        <div>
          ${copyable(language, w.secret, secret)}
          ${formTo(
            visit,
            `${PATH}/totp`,
            html`<input type="hidden" name="ticket" value="${ticket}" /> ${field({
                name: 'code',
                label: w.code,
                draft,
                autocomplete: 'one-time-code',
                inputMode: 'numeric',
                maxLength: 7,
                hasFocus: true,
              })}
              ${buttons(w.totpConfirm, { cancel: { value: PATH, label: COMMON[language].cancel } })}`,
            { draft },
          )}
        </div>
      </div>`,
  }
}
