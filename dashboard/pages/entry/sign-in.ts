import { z } from 'zod'
import { html } from '../../../api/docs/html.ts'
import { EMPTY, readForm, withProblem, type Draft } from '../../form.ts'
import { form, page, redirect, type Outcome, type Page, type Route } from '../../route.ts'
import { browserOf, letIn, safeNext, signIn } from '../../session.ts'
import { acceptedStep } from '../../totp.ts'
import { buttons, field, formTo } from '../../ui/forms.ts'
import { doneNote, linkButton, note } from '../../ui/parts.ts'
import { record, type Visit } from '../../visit.ts'
import { COMMON } from '../../words/common.ts'
import { ENTRY } from './words.ts'

const SignIn = z.object({
  name: z.string().min(1).max(100),
  password: z.string().min(1).max(200),
  next: z.string().default(''),
})
const Code = z.object({ ticket: z.string().max(100), code: z.string().max(20) })

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

async function tryPassword(visit: Visit): Promise<Outcome> {
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

function tryCode(visit: Visit): Outcome {
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
  const step = acceptedStep(desk.accounts.totpSecret(account.id) ?? '', data.code, desk.now())
  if (step === null || !desk.accounts.useTotpStep(account.id, step)) {
    return codePage(visit, ticket, withProblem({ ...draft, values: {} }, 'code', w.wrongCode))
  }
  desk.throttle.succeeded(throttled, address)
  desk.tickets.take('secondFactor', browser, ticket)
  signIn(visit, account, 'password')
  return redirect(half.next)
}

function tooMany(visit: Visit, draft: Draft, waitMs: number, show: (draft: Draft) => Page): Page {
  const problem = ENTRY[visit.language].wait(Math.ceil(waitMs / 1000))
  return { ...show(withProblem(draft, 'form', problem)), status: 429 }
}

function signInPage(visit: Visit, draft: Draft, next: string | null): Page {
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

function codePage(visit: Visit, ticket: string, draft: Draft): Page {
  const { desk, language } = visit
  const w = ENTRY[language]
  const isGood = desk.tickets.peek('secondFactor', browserOf(visit), ticket) !== null
  const hasProblem = Object.keys(draft.problems).length > 0
  const content = isGood
    ? formTo(
        visit,
        '/dashboard/sign-in/code',
        html`<input type="hidden" name="ticket" value="${ticket}" /> ${field({
            name: 'code',
            label: w.code,
            draft,
            autocomplete: 'one-time-code',
            inputMode: 'numeric',
            maxLength: 7,
            isRequired: true,
            hasFocus: true,
          })}
          ${buttons(w.confirm, { cancel: { value: '/dashboard/sign-in', label: COMMON[language].cancel } })}`,
        { draft },
      )
    : html`${note('warn', w.expired)} ${linkButton('/dashboard/sign-in', w.signIn, { kind: 'primary' })}`
  return {
    kind: 'page',
    title: w.codeTitle,
    isBare: true,
    status: hasProblem || !isGood ? 422 : 200,
    body: html`<div class="entry">
      <h1>${w.codeTitle}</h1>
      <p class="lead">${w.codeLead}</p>
      ${content}
    </div>`,
  }
}
