import { html, type Markup } from '../../../../lib/html.ts'
import { RECOVERY_CODES } from '../../../../db/people/recovery-codes.ts'
import { EMPTY_DRAFT, type Draft } from '../../http/form.ts'
import type { HtmlPage } from '../../http/route.ts'
import { buttons, choices, field, formTo, inlineForm } from '../../ui/forms.ts'
import { ago, doneNote, head, linkButton, note } from '../../ui/components.ts'
import { table } from '../../../ui/table.ts'
import { THEMES, type AccountRequest } from '../../http/page-request.ts'
import { nameOf, PAGE_LANGUAGES } from '../../../../lib/texts/languages.ts'
import { actionLabel } from '../audit/words.ts'
import { browserName } from './browser.ts'
import { textsOf } from '../../../../lib/texts/texts.ts'

const ACCOUNT = textsOf('dashboard-account')

const PATH = '/dashboard/account'

/** The number of codes at which new ones are due. */
const FEW_CODES = 3

/** The form to show again, with its values. */
interface Again {
  readonly form: 'name' | 'password' | 'totp'
  readonly draft: Draft
}

/** All about the account itself. */
export async function accountPage(request: AccountRequest, again?: Again): Promise<HtmlPage> {
  const { account, language } = request
  const w = ACCOUNT[language]
  const draftOf = (form: Again['form']) => (again?.form === form ? again.draft : EMPTY_DRAFT)
  return {
    kind: 'page',
    title: w.title,
    status: again ? 422 : 200,
    body: html`${head(w.title, { lead: w.lead({ name: account.name }) })} ${doneNote(request, w.done)} ${looks(request)}
    ${section(
      w.nameTitle,
      null,
      formTo(
        request,
        `${PATH}/name`,
        html`${field({ name: 'name', label: w.name, hint: w.nameHint, value: account.name, draft: draftOf('name') })}
        ${buttons(w.save)}`,
        { draft: draftOf('name') },
      ),
    )}
    ${password(request, draftOf('password'))} ${await totp(request, draftOf('totp'))} ${discord(request)}
    ${await sessions(request)} ${await recent(request)}`,
  }
}

function section(title: string, lead: string | null, content: Markup | false): Markup {
  return html`<section>
    <h2>${title}</h2>
    ${lead !== null && html`<p class="lead">${lead}</p>`} ${content}
  </section>`
}

function looks(request: AccountRequest): Markup {
  const { language, theme } = request
  const w = ACCOUNT[language]
  return section(
    w.looks,
    null,
    formTo(request, '/dashboard/looks', [
      html`<input type="hidden" name="from" value="${PATH}" />`,
      choices({
        name: 'theme',
        kind: 'radio',
        label: w.theme,
        options: THEMES.map((value) => ({ value, label: w.themes[value] })),
        chosen: [theme],
      }),
      choices({
        name: 'language',
        kind: 'radio',
        label: w.language,
        options: PAGE_LANGUAGES.map((value) => ({ value, label: nameOf(value) })),
        chosen: [language],
      }),
      buttons(w.save),
    ]),
  )
}

function password(request: AccountRequest, draft: Draft): Markup {
  const { account, language } = request
  const w = ACCOUNT[language]
  const common = { type: 'password', draft, isRequired: true } as const
  return section(
    w.password,
    account.hasPassword ? w.passwordLead : w.noPassword,
    formTo(
      request,
      `${PATH}/password`,
      html`<input type="hidden" name="username" value="${account.name}" autocomplete="username" />
        ${account.hasPassword && field({ ...common, name: 'current', label: w.current, autocomplete: 'current-password' })}
        ${field({ ...common, name: 'fresh', label: w.fresh, hint: w.freshHint, autocomplete: 'new-password' })}
        ${buttons(account.hasPassword ? w.changePassword : w.setPassword)}`,
      { draft },
    ),
  )
}

async function totp(request: AccountRequest, draft: Draft): Promise<Markup> {
  const { account, context, language } = request
  const w = ACCOUNT[language]
  if (!account.hasTotp) {
    const start = account.hasPassword && linkButton(`${PATH}/totp`, w.totpStart)
    return section(w.totp, account.hasPassword ? w.totpOff : w.totpNeedsPassword, start)
  }
  const left = await context.recoveryCodes.count(account.id)
  const off = html`${field({
    name: 'password',
    label: w.current,
    type: 'password',
    hint: w.totpEndLead,
    draft,
    autocomplete: 'current-password',
  })}
  ${buttons(w.totpEnd)}`
  return section(
    w.totp,
    w.totpOn,
    html`${left < FEW_CODES && note('warn', left === 0 ? w.recoveryNone : w.recoveryFew)}
      <p class="with-button">
        <span>${w.recoveryLead({ count: left, all: RECOVERY_CODES })}</span>
        ${linkButton(`${PATH}/recovery`, w.recoveryMake)}
      </p>
      ${formTo(request, `${PATH}/totp/off`, off, { draft })}`,
  )
}

function discord(request: AccountRequest): Markup | false {
  const { account, context, language } = request
  const w = ACCOUNT[language]
  if (!context.discord) return false
  if (account.discordId === null)
    return section(w.discord, w.discordOff, linkButton('/dashboard/discord?connect', w.connect))
  const button = account.hasPassword && html`<button class="button">${w.disconnect}</button>`
  return section(w.discord, w.discordOn, button && formTo(request, `${PATH}/discord/off`, button))
}

async function sessions(request: AccountRequest): Promise<Markup> {
  const { context, account, session, language } = request
  const w = ACCOUNT[language]
  const all = await context.sessions.list(account.id)
  const end = (id: string) =>
    inlineForm(request, `${PATH}/sessions/${id}/end`, html`<button class="button small">${w.end}</button>`)
  const rows = all.map(
    (it) =>
      html`<tr>
        <th scope="row">${browserName(it.userAgent)}</th>
        <td><code>${it.address}</code></td>
        <td>${ago(request, it.seenAtMs)}</td>
        <td>${ago(request, it.createdAtMs)}</td>
        <td><div class="row-actions">${it.id === session.id ? html`<small>${w.here}</small>` : end(it.id)}</div></td>
      </tr>`,
  )
  const others = inlineForm(
    request,
    `${PATH}/sessions/end-others`,
    html`<button class="button">${w.endOthers}</button>`,
  )
  return section(
    w.sessions,
    w.sessionsLead,
    html`${table(w.sessions, [[w.browser, 'name'], w.address, [w.seen, 'label'], [w.since, 'label'], ['', 'action']], rows)}
    ${all.length > 1 && html`<p class="after">${others}</p>`}`,
  )
}

async function recent(request: AccountRequest): Promise<Markup | false> {
  const { context, account, language } = request
  const w = ACCOUNT[language]
  const deeds = await context.audit.ofAccount(account.id, 10)
  const rows = deeds.map(
    (entry) =>
      html`<tr>
        <th scope="row">${actionLabel(language, entry.action)}</th>
        <td><code>${entry.address}</code></td>
        <td>${ago(request, entry.atMs)}</td>
      </tr>`,
  )
  return (
    deeds.length > 0 && section(w.recent, null, table(w.recent, [[w.what, 'name'], w.address, [w.when, 'label']], rows))
  )
}
