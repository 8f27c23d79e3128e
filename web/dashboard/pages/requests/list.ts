import { html, type Markup } from '../../../../lib/html.ts'
import type { ApiKey } from '../../../../db/projects/keys.ts'
import { answeredAtMs, type LoggedRequest, type RequestQuery } from '../../../../lib/request-log/request-log.ts'
import type { ProjectRequest } from '../../http/page-request.ts'
import { redirect, type Outcome } from '../../http/route.ts'
import { chip, emptyState, head, linkButton, moment, note, number, pager, type Tone } from '../../ui/components.ts'
import { table, type Column } from '../../../ui/table.ts'
import { icon } from '../../../ui/icons.ts'
import { requestPath, requestsPath, type RequestFilter } from './address.ts'
import { bodySwitch } from './bodies.ts'
import { filterChips, filterForm, filterOf, isFiltered, keyName, requestsQuery, statusTabs } from './filter.ts'
import { textsOf } from '../../../../lib/texts/texts.ts'

const REQUESTS = textsOf('dashboard-requests')

const PER_PAGE = 50
/** The requests that one page searches or sums up: some 50 milliseconds of another thread. */
const MOST_READ = 20_000
const MOST_GROUPS = 3
const DAY_MS = 86_400_000

/** The project's requests, the newest first. */
export async function listPage(request: ProjectRequest): Promise<Outcome> {
  const { context, project, language, query } = request
  const w = REQUESTS[language]
  if (!context.requests.isOn)
    return { kind: 'page', title: w.title, body: html`${head(w.title)} ${note('warn', w.off)}` }
  const filter = filterOf(request)
  const before = idOf(query.get('before'))
  const only = before === undefined && (await onlyOne(request, filter.q))
  if (only) return redirect(only)
  const keys = await context.keys.list(project.id)
  const isSearch = filter.q !== undefined
  const bound = isSearch || before === undefined
  const reach = (bound && (await context.requests.reach({ projectId: project.id, before }, MOST_READ))) || undefined
  const asked = { ...requestsQuery(project.id, filter, keys), before }
  const within = isSearch ? { after: reach && reach - 1 } : {}
  const found = await context.requests.list({ ...asked, ...within, limit: PER_PAGE + 1 })
  const shown = found.slice(0, PER_PAGE)
  const next = found.length > PER_PAGE ? shown.at(-1)?.id : within.after && reach
  const isLive = before === undefined && filter.toMs === undefined
  const none = isFiltered(filter) ? [w.noneTitle, next ? w.noneSoFar : w.noneText] : [w.emptyTitle, w.emptyText]
  const [title = '', text = ''] = none
  return {
    kind: 'page',
    title: w.title,
    scripts: ['requests.js', 'replay.js'],
    body: html`${head(w.title, { lead: w.lead, action: [await bodySwitch(request), isLive && liveSwitch(request)] })}
      <div class="toolbar">${statusTabs(request, filter)} ${filterForm(request, filter, keys)}</div>
      ${filterChips(request, filter, keys)}
      ${before === undefined && (await errorGroups(request, filter, { ...asked, after: reach }))}
      <div class="events" data-requests="${isLive ? livePath(request, filter, shown[0]?.id) : ''}">
        ${table(
          w.title,
          columnsOf(request),
          shown.map((one) => row(request, one, keys)),
        )}
        <div data-none>${emptyState(isFiltered(filter) ? 'search' : 'requests', title, text)}</div>
      </div>
      ${pager(language, requestsPath(project.id, filter), { before: cursor(before), next: cursor(next) })}
      ${drawer(request)}`,
  }
}

/** The page of the one request with an ID, which a search for it leads to. */
async function onlyOne({ context, project }: ProjectRequest, requestId: string | undefined): Promise<string | null> {
  if (requestId === undefined) return null
  const [only, ...others] = await context.requests.list({ projectId: project.id, requestId, limit: 2 })
  return only && others.length === 0 ? requestPath(project.id, only.requestId, only.id) : null
}

/** Errors of the last day by code and route, the most frequent first. Each leads to its requests. */
async function errorGroups(request: ProjectRequest, filter: RequestFilter, asked: Omit<RequestQuery, 'limit'>) {
  const { context, project, language } = request
  const w = REQUESTS[language]
  const statuses = asked.statuses ?? { least: 400, most: 599 }
  if (statuses.least < 400) return false
  const fromMs = asked.fromMs ?? context.now() - DAY_MS
  const groups = await context.requests.groups({ ...asked, statuses, fromMs, limit: MOST_GROUPS })
  if (groups.length === 0) return false
  const links = groups.map(({ code, operation, requests }) => {
    const to = { ...filter, status: filter.status ?? 'error', code: code ?? undefined, route: operation ?? undefined }
    return html`<a class="tag" href="${requestsPath(project.id, to)}"
      ><b>${number(language, requests)}</b> ${code ?? w.errors} <small>${operation ?? w.noRoute}</small></a
    >`
  })
  return html`<p class="tags"><small>${asked.fromMs === undefined ? w.errorsOfDay : w.errors}</small> ${links}</p>`
}

/** Room for one request beside the list, which the script fills. */
function drawer({ language }: ProjectRequest): Markup {
  const w = REQUESTS[language]
  return html`<div class="drawer" data-drawer role="region" aria-label="${w.request}" tabindex="-1" hidden>
    <p class="actions">
      ${linkButton('', w.open)}
      <button type="button" class="button quiet" data-close aria-label="${w.close}">${icon('cross')}</button>
    </p>
    <div data-drawn></div>
  </div>`
}

function liveSwitch({ language }: ProjectRequest): Markup {
  const w = REQUESTS[language]
  return html`<span data-live hidden>${chip('good', w.live)}</span>
    <button type="button" class="button plain" data-pause data-paused="${w.resume}" aria-pressed="false" hidden>
      ${w.pause}
    </button>`
}

function livePath({ project, context }: ProjectRequest, filter: RequestFilter, newest: number | undefined): string {
  const path = requestsPath(project.id, filter)
  const [base = '', query = ''] = path.split('?')
  // Without any request yet, start from the next one.
  const after = newest ?? context.requests.nextId()
  return `${base}/live?${query === '' ? '' : `${query}&`}after=${after.toString(36)}`
}

function cursor(id: number | undefined): string | null {
  return id === undefined ? null : id.toString(36)
}

export function columnsOf({ language }: ProjectRequest): readonly Column[] {
  const w = REQUESTS[language]
  return [
    [w.when, 'second'],
    [w.status, 'short'],
    [w.request, 'name'],
    [w.error, 'code'],
    [w.key, 'label'],
    [w.duration, 'number'],
  ]
}

export function row(request: ProjectRequest, one: LoggedRequest, keys: readonly ApiKey[]): Markup {
  const { project, language } = request
  const { requestId, id, status, code, keyId, durationMs } = one
  return html`<tr>
    <td>${moment(request, answeredAtMs(one), 'seconds')}</td>
    <td>${statusChip(status)}</td>
    <th scope="row"><a href="${requestPath(project.id, requestId, id)}">${target(one)}</a></th>
    <td>${code === null ? '–' : html`<code>${code}</code> <small lang="en">${one.message}</small>`}</td>
    <td>${keyName(request, keys, keyId)}</td>
    <td>${number(language, durationMs)} ms</td>
  </tr>`
}

/** The method and the path, as it was sent. Its end, which tells most, is not cut. */
function target({ method, route, path }: LoggedRequest): Markup {
  const whole = path ?? route ?? ''
  const end = whole.lastIndexOf('/')
  return html`<span class="verb ${method}">${method}</span>
    <code class="path" title="${whole}"><span>${whole.slice(0, end)}</span><span>${whole.slice(end)}</span></code>`
}

export function statusChip(status: number): Markup {
  const tone: Tone = status >= 500 ? 'bad' : status >= 400 ? 'warn' : 'good'
  return chip(tone, String(status))
}

export function idOf(text: string | null): number | undefined {
  return text !== null && /^[0-9a-z]{1,11}$/.test(text) ? Number.parseInt(text, 36) : undefined
}
