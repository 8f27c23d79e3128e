import { z } from 'zod'
import { html, type Markup } from '../../../../lib/html.ts'
import type { Account } from '../../../../db/people/accounts.ts'
import { EMPTY_DRAFT, readForm, withProblem, type Draft } from '../../http/form.ts'
import { form, page, redirect, type Outcome, type HtmlPage, type PageRoute } from '../../http/route.ts'
import { browserOf, letIn, safeNext, signIn } from '../../auth/session.ts'
import { acceptedStep } from '../../auth/totp.ts'
import { buttons, field, formTo } from '../../ui/forms.ts'
import { doneNote, linkButton, note } from '../../ui/components.ts'
import { record, type PageRequest } from '../../http/page-request.ts'
import { joinByToken } from './links.ts'
import { textsOf } from '../../../../lib/texts/texts.ts'

const COMMON = textsOf('dashboard-common')
const ENTRY = textsOf('dashboard-auth')

/** Kinds of second factor: a code of the app, or a written-down recovery code. */
const WAYS = ['app', 'recovery'] as const

const SignIn = z.object({
  name: z.string().min(1).max(100),
  password: z.string().min(1).max(200),
  next: z.string().default(''),
})
const Code = z.object({ ticket: z.string().max(100), code: z.string().max(60), way: z.enum(WAYS).default('app') })

/** Name and password, then the second factor where there is one. */
export const SIGN_IN: readonly PageRoute[] = [
  page('anyone', '/dashboard/sign-in', (request) =>
    request.account ? redirect('/dashboard') : signInPage(request, EMPTY_DRAFT, request.query.get('next')),
  ),
  form('anyone', '/dashboard/sign-in', tryPassword),
  page('anyone', '/dashboard/sign-in/code', (request) =>
    codePage(request, request.query.get('ticket') ?? '', EMPTY_DRAFT),
  ),
  form('anyone', '/dashboard/sign-in/code', tryCode),
  form('account', '/dashboard/sign-out', async (request) => {
    const { context, account, session } = request
    await context.sessions.end(account.id, session.id)
    request.setCookie('session', null)
    await record(request, 'session.closed', account.name)
    return redirect('/dashboard/sign-in?done=out')
  }),
]

async function tryPassword(request: PageRequest): Promise<Outcome> {
  const { context, address } = request
  const w = ENTRY[request.language]
  const { data, draft } = readForm(SignIn, request)
  const next = draft.values['next'] ?? ''
  if (!data) return signInPage(request, withProblem({ ...draft, problems: {} }, 'form', w.wrong), next)
  const waitMs = await context.throttle.attempt(data.name, address)
  if (waitMs > 0) return tooMany(request, draft, waitMs, (it) => signInPage(request, it, next))
  const account = await context.accounts.findByName(data.name)
  const hash = account && (await context.accounts.password(account.id))
  const isRight = await context.passwords.verify(data.password, hash)
  if (!account || !isRight) {
    context.log.info({ address }, 'sign-in refused')
    return signInPage(request, withProblem(draft, 'form', w.wrong), next)
  }
  await context.throttle.succeeded(data.name, address)
  return letIn(request, account, 'password', { next: safeNext(next) })
}

async function tryCode(request: PageRequest): Promise<Outcome> {
  const { context, address, language } = request
  const w = ENTRY[language]
  const { data, draft } = readForm(Code, request)
  const browser = browserOf(request)
  const ticket = data?.ticket ?? ''
  const half = await context.tickets.peek('secondFactor', browser, ticket)
  const account = half && (await context.accounts.find(half.accountId))
  if (!data || !half || !account) return codePage(request, ticket, draft)
  const throttled = `${account.name} code`
  const waitMs = await context.throttle.attempt(throttled, address)
  if (waitMs > 0) return tooMany(request, draft, waitMs, (it) => codePage(request, ticket, it))
  const isRight = await (data.way === 'app' ? passesApp : passesRecovery)(request, account, data.code)
  if (!isRight) {
    const problem = data.way === 'app' ? w.wrongCode : w.wrongRecovery
    return codePage(request, ticket, withProblem({ ...draft, values: { way: data.way } }, 'code', problem))
  }
  await context.throttle.succeeded(throttled, address)
  await context.tickets.take('secondFactor', browser, ticket)
  await joinByToken(request, half.entry, account)
  await signIn(request, account, 'password')
  return redirect(half.next)
}

async function passesApp({ context }: PageRequest, account: Account, code: string): Promise<boolean> {
  const step = acceptedStep((await context.accounts.totpSecret(account.id)) ?? '', code, context.now())
  return step !== null && (await context.accounts.useTotpStep(account.id, step))
}

async function passesRecovery(request: PageRequest, account: Account, code: string): Promise<boolean> {
  const { context } = request
  if (!(await context.recoveryCodes.use(account.id, code))) return false
  const left = await context.recoveryCodes.count(account.id)
  await record({ ...request, account }, 'recovery.used', account.name, { left })
  return true
}

async function tooMany(
  request: PageRequest,
  draft: Draft,
  waitMs: number,
  show: (draft: Draft) => HtmlPage | Promise<HtmlPage>,
): Promise<HtmlPage> {
  const w = ENTRY[request.language]
  const seconds = Math.ceil(waitMs / 1000)
  const problem = seconds < 90 ? w.waitSeconds({ count: seconds }) : w.waitMinutes({ count: Math.ceil(seconds / 60) })
  return { ...(await show(withProblem(draft, 'form', problem))), status: 429 }
}

function signInPage(request: PageRequest, draft: Draft, next: string | null): HtmlPage {
  const w = ENTRY[request.language]
  const onwards = safeNext(next)
  return {
    kind: 'page',
    title: w.title,
    isBare: true,
    status: Object.keys(draft.problems).length > 0 ? 422 : 200,
    body: html`<div class="entry">
      <h1>${w.title}</h1>
      <p class="lead">${w.lead}</p>
      ${doneNote(request, w.done)}
      ${formTo(
        request,
        '/dashboard/sign-in',
        html`<input type="hidden" name="next" value="${onwards}" />
          ${field({ name: 'name', label: w.name, draft, autocomplete: 'username', isRequired: true, hasFocus: true })}
          ${field({
            name: 'password',
            label: w.password,
            type: 'password',
            draft,
            autocomplete: 'current-password',
            isRequired: true,
          })}
          ${buttons(w.signIn)}`,
        { draft },
      )}
      ${
        request.context.discord &&
        html`<p class="divider"><span>${w.or}</span></p>
          ${linkButton(`/dashboard/discord?next=${encodeURIComponent(onwards)}`, w.withDiscord)}`
      }
      <p class="hint">${w.lost}</p>
    </div>`,
  }
}

async function codePage(request: PageRequest, ticket: string, draft: Draft): Promise<HtmlPage> {
  const { context, language } = request
  const w = ENTRY[language]
  const isGood = (await context.tickets.peek('secondFactor', browserOf(request), ticket)) !== null
  const hasProblem = Object.keys(draft.problems).length > 0
  const isRecovery = (draft.values['way'] ?? request.query.get('way')) === 'recovery'
  const here = `/dashboard/sign-in/code?ticket=${encodeURIComponent(ticket)}`
  const content = isGood
    ? html`${formTo(request, '/dashboard/sign-in/code', codeFields(request, { ticket, draft, isRecovery }), { draft })}
        <p class="hint">
          <a href="${isRecovery ? here : `${here}&way=recovery`}">${isRecovery ? w.useApp : w.useRecovery}</a>
        </p>`
    : html`${note('warn', w.expired)} ${linkButton('/dashboard/sign-in', w.signIn, { kind: 'primary' })}`
  return {
    kind: 'page',
    title: w.codeTitle,
    isBare: true,
    status: hasProblem || !isGood ? 422 : 200,
    body: html`<div class="entry">
      <h1>${w.codeTitle}</h1>
      <p class="lead">${isRecovery ? w.recoveryLead : w.codeLead}</p>
      ${content}
    </div>`,
  }
}

function codeFields(
  { language }: PageRequest,
  { ticket, draft, isRecovery }: { readonly ticket: string; readonly draft: Draft; readonly isRecovery: boolean },
): Markup {
  const w = ENTRY[language]
  const common = { name: 'code', draft, isRequired: true, hasFocus: true } as const
  return html`<input type="hidden" name="ticket" value="${ticket}" />
    <input type="hidden" name="way" value="${isRecovery ? 'recovery' : 'app'}" />
    ${
      isRecovery
        ? field({ ...common, label: w.recoveryCode, maxLength: 40, placeholder: 'abcd-2345-efgh-6789' })
        : field({ ...common, label: w.code, autocomplete: 'one-time-code', inputMode: 'numeric', maxLength: 7 })
    }
    ${buttons(w.confirm, { cancel: { value: '/dashboard/sign-in', label: COMMON[language].cancel } })}`
}
