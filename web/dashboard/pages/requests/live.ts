import { firstIdAt, type LoggedRequest, type RequestQuery } from '../../../../lib/request-log/request-log.ts'
import { openLivePage } from '../../http/live-page.ts'
import type { ProjectRequest } from '../../http/page-request.ts'
import type { Outcome } from '../../http/route.ts'
import { tableRow } from '../../../ui/table.ts'
import { filterOf, requestsQuery } from './filter.ts'
import { columnsOf, idOf, row } from './list.ts'

const POLL_MS = 1000
/** The most rows of one update: the newest of a second, since more cannot be read as they come. */
const MOST_AT_ONCE = 25

/** Rows as they come. They are looked for once a second, so that no request pays for who watches. */
export async function openLive(request: ProjectRequest): Promise<Outcome> {
  const { context, project, query } = request
  const keysBefore = await context.keys.list(project.id)
  const readNewer = followRequests(context, {
    asked: requestsQuery(project.id, filterOf(request), keysBefore),
    after: idOf(query.get('after')) ?? context.requests.nextId(),
  })
  return openLivePage(request, {
    pollMs: POLL_MS,
    gatherMs: 0,
    async update(stream) {
      const found = await readNewer()
      if (found.length === 0) return
      const keys = await context.keys.list(project.id)
      const rows = found.map((one) => tableRow(row(request, one, keys), columnsOf(request)).markup)
      stream.send(rows.join(''))
    },
  })
}

interface Following {
  readonly asked: Omit<RequestQuery, 'limit'>
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
