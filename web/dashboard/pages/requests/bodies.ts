import { routes } from '../../../../api/routes/index.ts'
import { html, type Markup } from '../../../../lib/html.ts'
import { parseJson } from '../../../../lib/text.ts'
import { BODIES_KEPT_MS, type KeptBodies } from '../../../../lib/request-log/kept-bodies.ts'
import type { LoggedRequest } from '../../../../lib/request-log/request-log.ts'
import { isAtLeast, record, type ProjectRequest } from '../../http/page-request.ts'
import { redirect, type Outcome } from '../../http/route.ts'
import { copyable } from '../../ui/components.ts'
import { buttons, field, inlineForm } from '../../ui/forms.ts'
import { requestPath, requestsPath } from './address.ts'
import { textsOf } from '../../../../lib/texts/texts.ts'

const COMMON = textsOf('dashboard-common')
const REQUESTS = textsOf('dashboard-requests')

/** For how long the project still keeps bodies of failed requests, and the switch for it. */
export async function bodySwitch(request: ProjectRequest): Promise<Markup> {
  const { context, project, language } = request
  const w = REQUESTS[language]
  const untilMs = (await context.requests.bodies?.untilMs(project.id)) ?? null
  const minutes = Math.ceil(((untilMs ?? 0) - context.now()) / 60_000)
  const [value, label] = untilMs === null ? ['yes', w.keepBodies] : ['no', w.dropBodies]
  const button = html`<button class="button plain" name="on" value="${value}">${label}</button>`
  return html`${untilMs !== null && html`<span class="chip warn" data-until="${untilMs}">${w.keeping({ minutes })}</span>`}
  ${isAtLeast(project.role, 'manager') && inlineForm(request, `${requestsPath(project.id)}/bodies`, button)}`
}

export async function switchBodies(request: ProjectRequest): Promise<Outcome> {
  const { context, project, form } = request
  const untilMs = form.get('on') === 'yes' ? context.now() + BODIES_KEPT_MS : null
  const [action, detail] = untilMs === null ? ['dropped', {}] : ['kept', { expires: new Date(untilMs).toISOString() }]
  if (context.requests.bodies) {
    await context.requests.bodies.keepUntil(project.id, untilMs)
    await record(request, `project.bodies-${action}`, project.name, detail)
  }
  return redirect(requestsPath(project.id))
}

/** What was kept of a request, and a button that sends it again. */
export function keptSections(request: ProjectRequest, shown: LoggedRequest, kept: KeptBodies): Markup {
  const { language } = request
  const w = REQUESTS[language]
  const { query, body, answer } = kept
  const parameters = query.map(([name, value]) => `${name}=${value}`).join('\n')
  const reason = noReplay(request, shown, kept)
  return html`<section>
      <h2>${w.bodies}</h2>
      ${parameters !== '' && copyable(language, w.query, parameters)}
      ${body !== null && copyable(language, w.body, pretty(body))} ${copyable(language, w.answer, pretty(answer))}
    </section>
    ${
      reason === null
        ? replaySection(request, shown, kept)
        : html`<section>
            <h2>${w.replay}</h2>
            <p class="lead">${w.noReplay[reason]}</p>
          </section>`
    }`
}

function noReplay({ project }: ProjectRequest, { operation, path }: LoggedRequest, { lacks }: KeptBodies) {
  if (!routes.some(({ id }) => id === operation)) return 'noRoute'
  if (lacks !== null) return lacks
  // The log cuts longer paths.
  if (path !== null && (path.length >= 200 || path.includes('…'))) return 'cut'
  return isAtLeast(project.role, 'manager') ? null : 'viewer'
}

/** The script sends it from the browser, as the reference does. */
function replaySection({ project, language, csrf }: ProjectRequest, shown: LoggedRequest, kept: KeptBodies): Markup {
  const w = REQUESTS[language]
  const { method, path, route, keyId, operation } = shown
  const { query, body, hidden } = kept
  const target = path ?? route
  const call = { method, path: target, query, body, hidden, project: project.id, like: keyId }
  const fields = hidden.map(({ at: [place, first, ...rest] }, i) => {
    const label = place === 'query' ? `query.${query[Number(first)]?.[0]}` : ['body', first, ...rest].join('.')
    return field({ name: `hidden-${i}`, label, isRequired: true })
  })
  const confirmation = html`<dialog aria-label="${w.replay}">
    <h2><span class="verb ${method}">${method}</span> <code>${target}</code></h2>
    <p><b lang="en">${routes.find(({ id }) => id === operation)?.summary}</b>: ${w.replayActs}</p>
    <form method="dialog" class="form buttons">
      <button class="button primary" value="yes">${w.replay}</button>
      <button class="button plain" value="">${COMMON[language].cancel}</button>
    </form>
  </dialog>`
  return html`<section data-replay="${JSON.stringify(call)}" hidden>
    <h2>${w.replay}</h2>
    <p class="lead">${w.replayLead} ${fields.length > 0 && w.enterHidden}</p>
    <form class="form">
      <input type="hidden" name="csrf" value="${csrf}" />
      ${fields}
      <p class="problem" role="alert" data-failed="${w.replayFailed}" data-full="${w.keysFull}" hidden></p>
      ${buttons(w.replay)}
    </form>
    ${method !== 'GET' && confirmation}
    <div data-result aria-live="polite" hidden>
      <p class="actions">
        <span data-status></span> <span data-took></span>
        <a data-row="${requestPath(project.id, '')}">${w.openRow}</a>
      </p>
      ${copyable(language, w.answer, '')}
    </div>
  </section>`
}

function pretty(text: string): string {
  const json = parseJson(text)
  return json === undefined ? text : JSON.stringify(json, null, 2)
}
