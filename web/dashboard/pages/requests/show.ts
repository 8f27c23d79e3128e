import { targetOf } from '../../../../api/docs/assets/call.js'
import { html, type Markup } from '../../../../lib/html.ts'
import { snippetsOf } from '../../../../api/docs/reference/snippets.ts'
import { routes } from '../../../../api/routes/index.ts'
import { Fault } from '../../../../lib/errors.ts'
import type { KeptBodies } from '../../../../lib/request-log/kept-bodies.ts'
import { answeredAtMs, type LoggedRequest } from '../../../../lib/request-log/request-log.ts'
import type { AccountRequest, ProjectRequest } from '../../http/page-request.ts'
import { redirect, type Outcome, type HtmlPage } from '../../http/route.ts'
import { copyable, head, moment, note, number } from '../../ui/components.ts'
import { requestPath, requestsPath } from './address.ts'
import { adviceOf } from './advice.ts'
import { keptSections } from './bodies.ts'
import { keyName } from './filter.ts'
import { idOf, statusChip } from './list.ts'
import { entryOf, textsOf } from '../../../../lib/texts/texts.ts'

const COMMON = textsOf('dashboard-common')
const REQUESTS = textsOf('dashboard-requests')

/** The most other requests shown with the same request id. */
const MOST_OTHERS = 20

/** One request with all that is known of it, and what to do about it. */
export async function requestPage(request: ProjectRequest): Promise<HtmlPage> {
  const { context, project, language, params, query } = request
  const w = REQUESTS[language]
  const requestId = params['requestId'] ?? ''
  const all = await context.requests.list({ projectId: project.id, requestId, limit: MOST_OTHERS + 1 })
  const wanted = idOf(query.get('n'))
  const shown = all.find(({ id }) => id === wanted) ?? all[0]
  if (!shown) throw new Fault('not_found', 'The log has no request with this ID. It may have expired.')
  const kept = (await context.requests.bodies?.find(shown)) ?? null
  const { method, route, path } = shown
  const title = html`<span class="verb ${method}">${method}</span> <code>${path ?? route}</code>`
  return {
    kind: 'page',
    title: `${method} ${path ?? route}`,
    scripts: ['replay.js'],
    body: html`${head(title, { back: { to: requestsPath(project.id), label: w.title } })} ${advice(request, shown)}
      ${kept && keptSections(request, shown, kept)} ${await facts(request, shown)}
      <section>
        <h2>${kept ? w.asCurl : w.repeat}</h2>
        <p class="lead">${kept ? w.keptLead : w.repeatLead}</p>
        ${copyable(language, 'curl', commandLine(request, shown, kept))}
      </section>
      ${others(
        request,
        all.filter(({ id }) => id !== shown.id),
      )}`,
  }
}

function advice({ language }: ProjectRequest, shown: LoggedRequest): Markup | false {
  const w = REQUESTS[language]
  if (shown.code === null) return false
  const { meaning, fix } = adviceOf(language, shown)
  // A message that names the fix itself needs neither, where the reader knows its language.
  const isWhole = language === 'en' && shown.message?.includes(fix)
  const tone = shown.status >= 500 ? 'bad' : 'warn'
  return html`<section class="advice">
    ${note(tone, [html`<p lang="en"><b>${shown.message}</b></p>`, !isWhole && html`<p>${meaning}</p>`])}
    ${
      !isWhole &&
      html`<h2>${w.fix}</h2>
        <p class="lead">${fix}</p>`
    }
  </section>`
}

async function facts(request: ProjectRequest, shown: LoggedRequest): Promise<Markup> {
  const { project, language } = request
  const w = REQUESTS[language]
  const { status, code, reason, durationMs, keyId, address, operation, path, requestId } = shown
  const like = (filter: Parameters<typeof requestsPath>[1], label: string) =>
    html`<a href="${requestsPath(project.id, filter)}">${label}</a>`
  const rows: readonly (readonly [string, Markup | string | false])[] = [
    [w.status, html`${statusChip(status)} ${like({ status: String(status) }, w.same)}`],
    [w.when, moment(request, answeredAtMs(shown), 'seconds')],
    [w.duration, `${number(language, durationMs)} ms`],
    [w.code, code !== null && html`<code>${code}</code> ${like({ code }, w.same)}`],
    [w.reason, reason !== null && html`<code>${reason}</code>`],
    [w.route, operation !== null && html`${operationLink(operation)} ${like({ route: operation }, w.same)}`],
    [w.path, path !== null && html`<code>${path}</code>`],
    [
      w.key,
      html`<a href="/dashboard/projects/${project.id}/keys/${keyId}"
          >${keyName(request, await request.context.keys.list(project.id), keyId)}</a
        >
        ${like({ key: keyId }, w.same)}`,
    ],
    [w.address, address !== null && html`<code>${address}</code>`],
    [w.limiter, limiterWords(request, shown)],
    [w.trace, traceLink(request, shown)],
  ]
  return html`<section>
    ${copyable(language, w.requestId, requestId)}
    <dl class="facts">
      ${rows.map(
        ([name, value]) =>
          value !== false &&
          html`<dt>${name}</dt>
            <dd>${value}</dd>`,
      )}
    </dl>
  </section>`
}

/** Routes of Lavalink are not in the reference. */
function operationLink(operation: string): Markup {
  const isOurs = routes.some(({ id }) => id === operation)
  return isOurs ? html`<a href="/docs#${operation}">${operation}</a>` : html`<code>${operation}</code>`
}

function limiterWords({ language }: ProjectRequest, shown: LoggedRequest): string {
  const w = REQUESTS[language]
  const { limitClass, limitPerMinute, limitRemaining, limitSpent } = shown
  if (limitClass === null) return w.unmetered
  const limit = number(language, limitPerMinute ?? 0)
  const name = entryOf(COMMON[language].classes, limitClass) ?? limitClass
  if (limitSpent === 'aggregate') return w.overTotal
  if (limitSpent !== null) return w.overClass({ name, limit })
  return w.allowed({ name, limit, left: number(language, limitRemaining ?? 0) })
}

function traceLink({ context }: ProjectRequest, { traceId }: LoggedRequest): Markup | false {
  if (traceId === null) return false
  const { traceUrl } = context
  const code = html`<code>${traceId}</code>`
  return traceUrl === null ? code : html`<a href="${traceUrl.replaceAll('{traceId}', traceId)}">${code}</a>`
}

/** Repeats the call, with the query and the body that were kept, or the reference's example. */
function commandLine({ context }: ProjectRequest, shown: LoggedRequest, kept: KeptBodies | null): string {
  const { method, route, path, operation } = shown
  const declared = routes.find(({ id }) => id === operation)
  const { query, body } = declared?.example ?? {}
  const json = kept ? kept.body : (JSON.stringify(body) ?? null)
  const [shell] = snippetsOf({
    method,
    url: context.baseUrl() + targetOf(path ?? route ?? '', {}, kept?.query ?? Object.entries(query ?? {})),
    needsKey: declared?.class !== 'open',
    isSocket: declared?.class === 'socket',
    ...(declared?.upload ? { file: 'picture.png' } : json !== null && { json }),
  })
  return shell?.code ?? ''
}

/** A caller that names its requests itself may do so twice, and a retry does. */
function others(request: ProjectRequest, all: readonly LoggedRequest[]): Markup | false {
  const { project, language } = request
  const w = REQUESTS[language]
  if (all.length === 0) return false
  return html`<section>
    <h2>${w.others}</h2>
    <ul>
      ${all.map(
        (one) =>
          html`<li>
            ${statusChip(one.status)}
            <a href="${requestPath(project.id, one.requestId, one.id)}"
              >${moment(request, answeredAtMs(one), 'seconds')}</a
            >
          </li>`,
      )}
    </ul>
  </section>`
}

/** Leads to a request in whichever project of the account it is. */
export async function findProject({ context, account, params }: AccountRequest): Promise<Outcome> {
  const requestId = params['requestId'] ?? ''
  for (const { id: projectId } of await context.memberships.projectsOf(account.id)) {
    const [found] = await context.requests.list({ projectId, requestId, limit: 1 })
    if (found) return redirect(requestPath(projectId, requestId))
  }
  throw new Fault('not_found', 'The log has no request with this ID. It may have expired.')
}
