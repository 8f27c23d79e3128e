import { html, type Markup } from '../../../api/docs/html.ts'
import { MAX_ACTIVE_KEYS } from '../../../db/projects/keys.ts'
import { Fault } from '../../../lib/errors.ts'
import { redirect, type Outcome } from '../../http/route.ts'
import { TRIAL_MS } from '../../auth/one-time-tokens.ts'
import { formTo, select } from '../../ui/forms.ts'
import { copyable, note } from '../../ui/components.ts'
import { isAtLeast, record, type ProjectRequest } from '../../http/page-request.ts'
import { TRY } from './words.ts'

/** Not in the language of who made it: all members see it in the list of keys. */
const NAME = 'try it'

/** Where a key is chosen. What is pasted stays in the browser: the field has no name and belongs to no form. */
export function keyPanel(request: ProjectRequest, from: string): Markup {
  const { project, language } = request
  const w = TRY[language]
  return html`<section class="panel key" data-key="${project.id}" aria-labelledby="key-title">
    <h2 id="key-title">${w.key}</h2>
    <p class="lead">${w.keyLead}</p>
    <noscript>${note('warn', w.noScript)}</noscript>
    ${minted(request)}
    <p class="key-now" data-key-now hidden>
      <span>${w.inUse} <code></code><span data-until="${w.until}"></span></span>
      <button type="button" class="button small">${w.forget}</button>
    </p>
    <div class="row" data-key-paste hidden>
      <div class="field">
        <label for="key">${w.paste}</label>
        <input id="key" type="password" autocomplete="off" spellcheck="false" placeholder="svc.…" maxlength="100" />
        <p class="problem" id="key-problem" hidden>${w.badKey}</p>
      </div>
      <button type="button" class="button">${w.use}</button>
    </div>
    ${isAtLeast(project.role, 'manager') && mintForm(request, from)}
  </section>`
}

function mintForm(request: ProjectRequest, from: string): Markup {
  const { context, project, language, query } = request
  const w = TRY[language]
  const bots = context.bots.list(project.id).map(({ id, name }) => ({ value: id, label: name }))
  const isFull = query.get('full') !== null
  return html`<div data-mint>
    <h3>${w.mint}</h3>
    <p class="hint">${w.mintHint(MAX_ACTIVE_KEYS)}</p>
    ${isFull && note('bad', w.full(MAX_ACTIVE_KEYS))}
    ${formTo(
      request,
      `/dashboard/projects/${project.id}/try/key`,
      html`<input type="hidden" name="from" value="${from}" />
        <div class="row">
          ${bots.length > 0 && select({ name: 'bot', label: w.mintBot, choices: bots, value: bots[0]?.value })}
          <button class="button">${w.mintButton}</button>
        </div>`,
    )}
  </div>`
}

/** The new key, in the one page that it is shown in. */
function minted(request: ProjectRequest): Markup | false {
  const { context, session, project, query, language } = request
  const ticket = context.tickets.take('shown', session.id, query.get('ticket') ?? '')
  if (ticket?.of !== `trial of ${project.id}`) return false
  const untilMs = context.now() + TRIAL_MS
  return html`<div data-minted="${untilMs}">
    ${copyable(language, TRY[language].minted, ticket.secret, { isSecret: true })}
  </div>`
}

/** Makes a key that lives for an hour. A second one of the same session ends the first. */
export function mint(request: ProjectRequest): Outcome {
  const { context, project, session, form } = request
  const from = /^\w{1,60}$/.exec(form.get('from') ?? '')?.[0]
  const to = `/dashboard/projects/${project.id}/try${from === undefined ? '' : `/${from}`}`
  const bot = context.bots.list(project.id).find(({ id }) => id === form.get('bot'))
  const former = context.tickets.take('trial', session.id, project.id)
  if (former) {
    const { prefix } = context.keys.revoke(project.id, former.keyId)
    record(request, 'key.revoked', NAME, { prefix })
  }
  try {
    const expiresAtMs = context.now() + TRIAL_MS
    const made = context.keys.create({ projectId: project.id, name: NAME, botId: bot?.id ?? null, expiresAtMs })
    record(request, 'key.created', NAME, { prefix: made.prefix, bot: bot?.id ?? null, expires: '1 hour' })
    context.tickets.keep('trial', session.id, project.id, { keyId: made.id })
    const ticket = context.tickets.issue('shown', session.id, { of: `trial of ${project.id}`, secret: made.key })
    return redirect(`${to}?ticket=${ticket}`)
  } catch (error) {
    if (!(error instanceof Fault) || error.code !== 'conflict') throw error
    return redirect(`${to}?full`)
  }
}
