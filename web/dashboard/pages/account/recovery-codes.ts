import { z } from 'zod'
import { html } from '../../../../lib/html.ts'
import { RECOVERY_CODES } from '../../../../db/people/recovery-codes.ts'
import { EMPTY_DRAFT, readForm, type Draft } from '../../http/form.ts'
import { redirect, type Outcome, type HtmlPage } from '../../http/route.ts'
import { formPage, field } from '../../ui/forms.ts'
import { copyable, head, linkButton, note } from '../../ui/components.ts'
import { record, type AccountRequest } from '../../http/page-request.ts'
import { proved } from './reauthenticate.ts'
import { textsOf } from '../../../../lib/texts/texts.ts'

const ACCOUNT = textsOf('dashboard-account')

const PATH = '/dashboard/account'

/** Ten new codes, shown on the page that this leads to, once. */
export async function showNewCodes(request: AccountRequest): Promise<Outcome> {
  const { context, account, session } = request
  const secret = (await context.recoveryCodes.make(account.id)).join('\n')
  await record(request, 'recovery.made', account.name, { codes: RECOVERY_CODES })
  const ticket = await context.tickets.issue('shown', session.id, { of: 'recovery', secret })
  return redirect(`${PATH}/recovery?ticket=${ticket}`)
}

/** The new codes where there are any to show, otherwise the way to make some. */
export async function recoveryPage(request: AccountRequest, draft: Draft = EMPTY_DRAFT): Promise<Outcome> {
  const { context, account, session, query, language } = request
  const w = ACCOUNT[language]
  if (!account.hasTotp) return redirect(PATH)
  const ticket = await context.tickets.take('shown', session.id, query.get('ticket') ?? '')
  if (ticket?.of === 'recovery') return codesPage(request, ticket.secret)
  return formPage(
    request,
    w.recovery,
    {
      lead: w.recoveryLead({ count: await context.recoveryCodes.count(account.id), all: RECOVERY_CODES }),
      back: { to: PATH, label: w.title },
      to: `${PATH}/recovery`,
      button: w.recoveryMake,
      draft,
    },
    field({
      name: 'password',
      label: w.current,
      type: 'password',
      hint: w.recoveryHint,
      draft,
      autocomplete: 'current-password',
      hasFocus: true,
    }),
  )
}

function codesPage({ language }: AccountRequest, codes: string): HtmlPage {
  const w = ACCOUNT[language]
  return {
    kind: 'page',
    title: w.recovery,
    body: html`${head(w.recovery, { lead: w.recoveryTitle })}
      <div class="panel once">
        ${note('warn', w.recoveryText)} ${copyable(language, w.recoveryCodes, codes, { isSecret: true })}
        <p>${linkButton(PATH, w.recoveryStored, { kind: 'primary', icon: 'check' })}</p>
      </div>`,
  }
}

export async function renewCodes(request: AccountRequest): Promise<Outcome> {
  if (!request.account.hasTotp) return redirect(PATH)
  const { data, draft } = readForm(z.object({ password: z.string().max(200) }), request)
  const wrong = await proved(request, data?.password ?? '', draft, 'password')
  return wrong ? recoveryPage(request, wrong) : showNewCodes(request)
}
