import { html, type Markup } from '../../../../lib/html.ts'
import { answeredAtMs, firstIdAt, type LoggedRequest } from '../../../../lib/request-log/request-log.ts'
import { openLivePage } from '../../http/live-page.ts'
import type { ProjectRequest } from '../../http/page-request.ts'
import { redirect, type Outcome } from '../../http/route.ts'
import { chip, emptyState, head, labelled, pager, moment, note, number, table, type Tone } from '../../ui/components.ts'
import { requestPath, requestsPath, type RequestFilter } from './address.ts'
import { filterForm, filterOf, isFiltered, requestsQuery, statusTabs } from './filter.ts'
import { textsOf } from '../../../../lib/texts/texts.ts'

const REQUESTS = textsOf('dashboard-requests')

const PER_PAGE = 50
const POLL_MS = 1000
/** The most rows of one update: the newest of a second, since more cannot be read as they come. */
const MOST_AT_ONCE = 25

/** The project's requests, the newest first. */
export async function listPage(request: ProjectRequest): Promise<Outcome> {
  const { context, project, language, query } = request
  const w = REQUESTS[language]
  if (!context.requests.isOn)
    return { kind: 'page', title: w.title, body: html`${head(w.title)} ${note('warn', w.off)}` }
  const filter = filterOf(request)
  const before = idOf(query.get('before'))
  const asked = { ...requestsQuery(project.id, filter), before }
  const found = await context.requests.list({ ...asked, limit: PER_PAGE + 1 })
  const [only, ...others] = found
  // A search for one request leads to it.
  if (filter.q !== undefined && only && others.length === 0)
    return redirect(requestPath(project.id, only.requestId, only.id))
  const shown = found.slice(0, PER_PAGE)
  const last = found.length > PER_PAGE ? shown.at(-1) : undefined
  const isLive = before === undefined && filter.toMs === undefined
  const nameOf = await keyNames(request)
  return {
    kind: 'page',
    title: w.title,
    scripts: ['requests.js'],
    body: html`${head(w.title, { lead: w.lead, action: isLive && liveSwitch(request) })} ${statusTabs(request, filter)}
      ${await filterForm(request, filter)}
      <div class="events" data-requests="${isLive ? livePath(request, filter, shown[0]?.id) : ''}">
        ${table(
          w.title,
          headsOf(request),
          shown.map((one) => row(request, one, nameOf(one.keyId))),
        )}
        <div data-none>
          ${isFiltered(filter) ? emptyState('search', w.noneTitle, w.noneText) : emptyState('requests', w.emptyTitle, w.emptyText)}
        </div>
      </div>
      ${pager(language, requestsPath(project.id, filter), { before: cursor(before), next: cursor(last?.id) })}`,
  }
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

function headsOf({ language }: ProjectRequest): readonly string[] {
  const w = REQUESTS[language]
  return [w.request, w.status, w.error, w.key, w.duration, w.when]
}

function row(request: ProjectRequest, one: LoggedRequest, key: string): Markup {
  const { project, language } = request
  const { method, route, path, requestId, id, status, code, durationMs } = one
  return html`<tr>
    <th scope="row">
      <a href="${requestPath(project.id, requestId, id)}"
        ><span class="verb ${method}">${method}</span> <code>${route ?? path}</code></a
      >
    </th>
    <td>${statusChip(status)}</td>
    <td class="long">${code === null ? '–' : html`<code>${code}</code> <small lang="en">${one.message}</small>`}</td>
    <td>${key}</td>
    <td>${number(language, durationMs)} ms</td>
    <td>${moment(request, answeredAtMs(one), 'seconds')}</td>
  </tr>`
}

export function statusChip(status: number): Markup {
  const tone: Tone = status >= 500 ? 'bad' : status >= 400 ? 'warn' : 'good'
  return chip(tone, String(status))
}

/** Names keys, as far as they are still known. */
export async function keyNames({ context, project, language }: ProjectRequest): Promise<(keyId: string) => string> {
  const keys = await context.keys.list(project.id)
  return (keyId) => {
    const key = keys.find(({ id }) => id === keyId)
    return key ? (key.name ?? `svc.${key.prefix}…`) : REQUESTS[language].goneKey
  }
}

export function idOf(text: string | null): number | undefined {
  return text !== null && /^[0-9a-z]{1,11}$/.test(text) ? Number.parseInt(text, 36) : undefined
}

/** Rows as they come. They are looked for once a second, so that no request pays for who watches. */
export function openLive(request: ProjectRequest): Outcome {
  const { context, project, query } = request
  const readNewer = followRequests(context, {
    asked: requestsQuery(project.id, filterOf(request)),
    after: idOf(query.get('after')) ?? context.requests.nextId(),
  })
  return openLivePage(request, {
    pollMs: POLL_MS,
    gatherMs: 0,
    async update(stream) {
      const found = await readNewer()
      if (found.length === 0) return
      const nameOf = await keyNames(request)
      const rows = found.map((one) => labelled(row(request, one, nameOf(one.keyId)), headsOf(request)).markup)
      stream.send(rows.join(''))
    },
  })
}

interface Following {
  readonly asked: ReturnType<typeof requestsQuery>
  /** The newest that is shown. */
  readonly after: number
}

/**
 * @returns a function that returns the requests since its last call, the newest first. Those of other services arrive
 * later than they were answered: that span is read again, without those that were there before.
 */
function followRequests({ requests, log }: ProjectRequest['context'], { asked, after }: Following) {
  const { lateMs } = requests
  let newest = after
  let known: ReadonlySet<string> | null = lateMs === 0 ? new Set() : null

  return async (): Promise<readonly LoggedRequest[]> => {
    try {
      const since = newest - firstIdAt(lateMs)
      const found = await requests.list({ ...asked, after: since, limit: MOST_AT_ONCE + (known?.size ?? MOST_AT_ONCE) })
      const fresh = found.filter((one) => (known ? !known.has(nameOf(one)) : one.id > after))
      newest = Math.max(newest, found[0]?.id ?? 0)
      if (lateMs > 0) known = new Set(found.map(nameOf))
      return fresh.slice(0, MOST_AT_ONCE)
    } catch (err) {
      // The next poll may find the log again.
      log.debug({ err }, 'reading request log failed')
      return []
    }
  }
}

/** Two services may give the same id. */
function nameOf({ id, requestId }: LoggedRequest): string {
  return `${id} ${requestId}`
}
