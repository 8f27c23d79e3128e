import { z } from 'zod'
import { html, type Markup } from '../../../api/docs/html.ts'
import type { Account } from '../../../db/people/accounts.ts'
import { EMPTY, readForm, withProblem, type Draft } from '../../http/form.ts'
import { form, page, redirect, type Outcome, type Page, type Route } from '../../http/route.ts'
import { browserOf, letIn, safeNext, signIn } from '../../auth/session.ts'
import { acceptedStep } from '../../auth/totp.ts'
import { buttons, field, formTo } from '../../ui/forms.ts'
import { doneNote, linkButton, note } from '../../ui/components.ts'
import { record, type PageRequest } from '../../http/page-request.ts'
import { COMMON } from '../../words/common.ts'
import { ENTRY } from './words.ts'

/** What stands for the second factor: the app, or one of the codes that were written down. */
const WAYS = ['app', 'recovery'] as const

const SignIn = z.object({
  name: z.string().min(1).max(100),
  password: z.string().min(1).max(200),
  next: z.string().default(''),
})
const Code = z.object({ ticket: z.string().max(100), code: z.string().max(60), way: z.enum(WAYS).default('app') })

/** Name and password, then the second factor where there is one. */
export const SIGN_IN: readonly Route[] = [
  page('anyone', '/dashboard/sign-in', (visit) =>
    visit.account ? redirect('/dashboard') : signInPage(visit, EMPTY, visit.query.get('next')),
  ),
  form('anyone', '/dashboard/sign-in', tryPassword),
  page('anyone', '/dashboard/sign-in/code', (visit) => codePage(visit, visit.query.get('ticket') ?? '', EMPTY)),
  form('anyone', '/dashboard/sign-in/code', tryCode),
  form('account', '/dashboard/sign-out', (visit) => {
    const { desk, account, session } = visit
    desk.sessions.end(account.id, session.id)
    visit.setCookie('session', null)
    record(visit, 'session.closed', account.name)
    return redirect('/dashboard/sign-in?done=out')
  }),
]

async function tryPassword(visit: PageRequest): Promise<Outcome> {
  const { desk, address } = visit
  const w = ENTRY[visit.language]
  const { data, draft } = readForm(SignIn, visit.form)
  const next = draft.values['next'] ?? ''
  if (!data) return signInPage(visit, withProblem({ ...draft, problems: {} }, 'form', w.wrong), next)
  const waitMs = desk.throttle.attempt(data.name, address)
  if (waitMs > 0) return tooMany(visit, draft, waitMs, (it) => signInPage(visit, it, next))
  const account = desk.accounts.findByName(data.name)
  const isRight = await desk.passwords.verify(data.password, account && desk.accounts.password(account.id))
  if (!account || !isRight) {
    desk.log.info({ address }, 'sign-in refused')
    return signInPage(visit, withProblem(draft, 'form', w.wrong), next)
  }
  desk.throttle.succeeded(data.name, address)
  return letIn(visit, account, 'password', safeNext(next))
}

function tryCode(visit: PageRequest): Outcome {
  const { desk, address, language } = visit
  const w = ENTRY[language]
  const { data, draft } = readForm(Code, visit.form)
  const browser = browserOf(visit)
  const ticket = data?.ticket ?? ''
  const half = desk.tickets.peek('secondFactor', browser, ticket)
  const account = half && desk.accounts.find(half.accountId)
  if (!data || !half || !account) return codePage(visit, ticket, draft)
  const throttled = `${account.name} code`
  const waitMs = desk.throttle.attempt(throttled, address)
  if (waitMs > 0) return tooMany(visit, draft, waitMs, (it) => codePage(visit, ticket, it))
  const isRight = data.way === 'app' ? passesApp(visit, account, data.code) : passesRecovery(visit, account, data.code)
  if (!isRight) {
    const problem = data.way === 'app' ? w.wrongCode : w.wrongRecovery
    return codePage(visit, ticket, withProblem({ ...draft, values: { way: data.way } }, 'code', problem))
  }
  desk.throttle.succeeded(throttled, address)
  desk.tickets.take('secondFactor', browser, ticket)
  signIn(visit, account, 'password')
  return redirect(half.next)
}

function passesApp({ desk }: PageRequest, account: Account, code: string): boolean {
  const step = acceptedStep(desk.accounts.totpSecret(account.id) ?? '', code, desk.now())
  return step !== null && desk.accounts.useTotpStep(account.id, step)
}

function passesRecovery(visit: PageRequest, account: Account, code: string): boolean {
  const { desk } = visit
  if (!desk.recoveryCodes.use(account.id, code)) return false
  record({ ...visit, account }, 'recovery.used', account.name, { left: desk.recoveryCodes.count(account.id) })
  return true
}

function tooMany(visit: PageRequest, draft: Draft, waitMs: number, show: (draft: Draft) => Page): Page {
  const problem = ENTRY[visit.language].wait(Math.ceil(waitMs / 1000))
  return { ...show(withProblem(draft, 'form', problem)), status: 429 }
}

function signInPage(visit: PageRequest, draft: Draft, next: string | null): Page {
  const w = ENTRY[visit.language]
  const onwards = safeNext(next)
  return {
    kind: 'page',
    title: w.title,
    isBare: true,
    status: Object.keys(draft.problems).length > 0 ? 422 : 200,
    body: html`<div class="entry">
      <h1>${w.title}</h1>
      <p class="lead">${w.lead}</p>
      ${doneNote(visit, w.done)}
      ${formTo(
        visit,
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
        visit.desk.discord &&
        html`<p class="divider"><span>${w.or}</span></p>
          ${linkButton(`/dashboard/discord?next=${encodeURIComponent(onwards)}`, w.withDiscord)}`
      }
      <p class="hint">${w.lost}</p>
    </div>`,
  }
}

function codePage(visit: PageRequest, ticket: string, draft: Draft): Page {
  const { desk, language } = visit
  const w = ENTRY[language]
  const isGood = desk.tickets.peek('secondFactor', browserOf(visit), ticket) !== null
  const hasProblem = Object.keys(draft.problems).length > 0
  const isRecovery = (draft.values['way'] ?? visit.query.get('way')) === 'recovery'
  const here = `/dashboard/sign-in/code?ticket=${encodeURIComponent(ticket)}`
  const content = isGood
    ? html`${formTo(visit, '/dashboard/sign-in/code', codeFields(visit, { ticket, draft, isRecovery }), { draft })}
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

interface CodeFields {
  readonly ticket: string
  readonly draft: Draft
  readonly isRecovery: boolean
}

function codeFields({ language }: PageRequest, { ticket, draft, isRecovery }: CodeFields): Markup {
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
