import { renderSVG } from 'uqr'
import { z } from 'zod'
import { html } from '../../../../lib/html.ts'
import { EMPTY_DRAFT, readForm, withProblem, type Draft } from '../../http/form.ts'
import { redirect, type Outcome, type HtmlPage } from '../../http/route.ts'
import { acceptedStep, newTotpSecret, totpUrl } from '../../auth/totp.ts'
import { buttons, field, formTo } from '../../ui/forms.ts'
import { copyable, head } from '../../ui/components.ts'
import { record, type AccountRequest } from '../../http/page-request.ts'
import { showNewCodes } from './recovery-codes.ts'
import { textsOf } from '../../../../lib/texts/texts.ts'

const COMMON = textsOf('dashboard-common')
const ACCOUNT = textsOf('dashboard-account')

const PATH = '/dashboard/account'

/** A secret that becomes the account's once a code of it was typed. */
export async function startTotp(request: AccountRequest): Promise<Outcome> {
  const { context, account, session } = request
  if (account.hasTotp || !account.hasPassword) return redirect(PATH)
  const secret = newTotpSecret()
  return totpPage(request, secret, await context.tickets.issue('totp', session.id, { secret }))
}

export async function confirmTotp(request: AccountRequest): Promise<Outcome> {
  const { context, account, session, language } = request
  const { data, draft } = readForm(z.object({ ticket: z.string().max(100), code: z.string().max(20) }), request)
  const pending = await context.tickets.peek('totp', session.id, data?.ticket ?? '')
  if (!data || !pending || account.hasTotp || !account.hasPassword) return redirect(`${PATH}/totp`)
  const step = acceptedStep(pending.secret, data.code, context.now())
  if (step === null) {
    const again = withProblem({ ...draft, values: {} }, 'code', ACCOUNT[language].wrongCode)
    return totpPage(request, pending.secret, data.ticket, again)
  }
  await context.tickets.take('totp', session.id, data.ticket)
  await context.accounts.setTotp(account.id, pending.secret)
  await context.accounts.useTotpStep(account.id, step)
  await context.sessions.endOthers(account.id, session.id)
  await record(request, 'totp.on', account.name)
  return showNewCodes(request)
}

function totpPage(request: AccountRequest, secret: string, ticket: string, draft: Draft = EMPTY_DRAFT): HtmlPage {
  const { account, language } = request
  const w = ACCOUNT[language]
  // Made by the library from numbers alone: it has no text that a person has typed.
  const picture = { markup: renderSVG(totpUrl(secret, account.name), { border: 0 }) }
  return {
    kind: 'page',
    title: w.totpTitle,
    status: draft === EMPTY_DRAFT ? 200 : 422,
    body: html`${head(w.totpTitle, { lead: w.totpLead, back: { to: PATH, label: w.title } })}
      <div class="totp">
        <div class="qr" role="img" aria-label="${w.qr}">${picture}</div>
        <div>
          ${copyable(language, w.secret, secret)}
          ${formTo(
            request,
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
