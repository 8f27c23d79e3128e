import { randomInt } from 'node:crypto'
import sql, { empty, join, raw, type Sql } from 'sql-template-tag'
import { firstIdAt, type LoggedRequest, type RequestQuery } from '../../lib/request-log/request-log.ts'
import { createFairShare } from '../../lib/sharing/fair-share.ts'
import type { Store } from '../engine/store.ts'
import { COLUMNS, NAMES } from './columns.ts'
import { unpackRequests } from './packed-requests.ts'
import { NAME, type RequestBackend } from './request-backend.ts'
import type { RequestBounds } from './request-store.ts'

const SELECTED = raw(NAMES.map((name) => `${COLUMNS[name]} AS "${name}"`).join(', '))
const INSERTED = raw(NAMES.map((name) => COLUMNS[name]).join(', '))

/** As text: each two milliseconds of this thread. */
const ROWS_AT_ONCE = 500
const REMOVED_AT_ONCE = 5000
/** In one minute: what a flood leaves behind is gone a few minutes after it. */
const MOST_REMOVALS = 40
/** A minute, less what timers are early. */
const PRUNE_EVERY_MS = 55_000
/** Other services write what they answered within a second; some time for that, and for clocks that differ. */
const LATE_MS = 3000
/** Of the ten connections of the service. */
const READS = { what: 'request log reads', total: 3, share: 2, maxWaiting: 50, maxWaitMs: 5000 }

/** Removes all of them. */
export async function clearSharedRequests(store: Store): Promise<void> {
  await store.run(sql`TRUNCATE logged_request`)
}

/** One table in PostgreSQL for the requests of all services. */
export function createSharedRequests(store: Store, bounds: RequestBounds): RequestBackend {
  const writer = randomInt(2 ** 48 - 1)
  const share = createFairShare(READS)

  return {
    lateMs: LATE_MS,
    async add(packed) {
      const requests = unpackRequests(packed)
      await store.atomically(
        async () => {
          // A crash of the server may take the last of them: no request waits for the disk.
          await store.run(sql`SET LOCAL synchronous_commit TO off`)
          for (let from = 0; from < requests.length; from += ROWS_AT_ONCE) {
            await store.run(insertion(requests.slice(from, from + ROWS_AT_ONCE), writer))
          }
        },
        { isBatch: true },
      )
    },
    list: (query) =>
      share.run(query.projectId, () =>
        store.all<LoggedRequest>(sql`
          SELECT ${SELECTED} FROM logged_request WHERE ${join(conditionsOf(query), ' AND ')}
           ORDER BY id DESC, writer LIMIT ${query.limit}`),
      ),
    async prune(_, nowMs) {
      const isDue = sql`
        INSERT INTO logged_request_pruning (id, pruned_at_ms) VALUES (1, ${nowMs})
        ON CONFLICT (id) DO UPDATE SET pruned_at_ms = excluded.pruned_at_ms
         WHERE logged_request_pruning.pruned_at_ms < ${nowMs - PRUNE_EVERY_MS}`
      if ((await store.run(isDue)) > 0) await prune(store, bounds, nowMs)
    },
    health: () => ({ name: NAME, state: 'running', busy: share.held, restarts: 0, quarantined: 0 }),
    close: async () => undefined,
  }
}

/** The rows are one value, as JSON: a value for each of their columns would cost more than the insertion. */
function insertion(requests: readonly LoggedRequest[], writer: number): Sql {
  const rows = requests.map((request) =>
    Object.fromEntries(NAMES.map((name) => [COLUMNS[name], toValue(request[name])])),
  )
  return sql`
    INSERT INTO logged_request (writer, ${INSERTED})
    SELECT ${writer}::bigint, ${INSERTED} FROM json_populate_recordset(NULL::logged_request, ${JSON.stringify(rows)}::json)
    ON CONFLICT (project_id, id, writer) DO NOTHING`
}

/** Texts of PostgreSQL have neither NUL nor halves of characters. */
function toValue<T>(value: T): T | string {
  return typeof value === 'string' ? value.toWellFormed().replaceAll('\0', '\uFFFD') : value
}

function given<T>(value: T | undefined, toSql: (value: T) => Sql): readonly Sql[] {
  return value === undefined ? [] : [toSql(value)]
}

function conditionsOf(query: RequestQuery): readonly Sql[] {
  const { projectId, statuses, operation, keyId, code, requestId, fromMs, toMs, before, after } = query
  return [
    sql`project_id = ${projectId}`,
    ...given(statuses, ({ least, most }) => sql`status BETWEEN ${least} AND ${most}`),
    ...given(operation, (value) => sql`operation = ${value}`),
    ...given(keyId, (value) => sql`key_id = ${value}`),
    ...given(code, (value) => sql`code = ${value}`),
    ...given(requestId, (value) => sql`request_id = ${value}`),
    ...given(fromMs, (value) => sql`id >= ${firstIdAt(value)}`),
    ...given(toMs, (value) => sql`id < ${firstIdAt(value)}`),
    ...given(before, (value) => sql`id < ${value}`),
    ...given(after, (value) => sql`id > ${value}`),
  ]
}

interface Stock {
  readonly projectId: string
  readonly count: number
  readonly isKnown: 0 | 1
}

async function prune(store: Store, bounds: RequestBounds, nowMs: number): Promise<void> {
  const { keptMs, rowsPerProject, rowsInAll } = bounds
  const stocks = await store.all<Stock>(sql`
    SELECT project_id AS "projectId", count(*) AS count,
           CASE WHEN EXISTS (SELECT 1 FROM project WHERE id = project_id) THEN 1 ELSE 0 END AS "isKnown"
      FROM logged_request GROUP BY project_id`)
  const total = stocks.reduce((sum, { count }) => sum + count, 0)
  const oldest = firstIdAt(nowMs - keptMs)
  const first = total > rowsInAll ? ((await idBehind(store, empty, rowsInAll)) ?? oldest) : oldest
  let left = MOST_REMOVALS
  for (const { projectId, count, isKnown } of stocks) {
    const own = sql`WHERE project_id = ${projectId}`
    const least = count > rowsPerProject ? ((await idBehind(store, own, rowsPerProject)) ?? 0) : 0
    const until = isKnown === 1 ? Math.max(first, least) : Number.MAX_SAFE_INTEGER
    left -= await removeBefore(store, projectId, { until, most: left })
    if (left <= 0) return
  }
}

/** The oldest of so many of the newest requests. */
async function idBehind(store: Store, where: Sql, count: number): Promise<number | undefined> {
  const row = await store.find<{ readonly id: number }>(
    sql`SELECT id FROM logged_request ${where} ORDER BY id DESC OFFSET ${count - 1} LIMIT 1`,
  )
  return row?.id
}

/** @returns how many removals it took. */
async function removeBefore(
  store: Store,
  projectId: string,
  { until, most }: { readonly until: number; readonly most: number },
): Promise<number> {
  for (let removals = 0; removals < most; removals += 1) {
    const removed = await store.run(sql`
      DELETE FROM logged_request WHERE project_id = ${projectId} AND (id, writer) IN
        (SELECT id, writer FROM logged_request WHERE project_id = ${projectId} AND id < ${until}
          ORDER BY id LIMIT ${REMOVED_AT_ONCE})`)
    if (removed < REMOVED_AT_ONCE) return removals + (removed > 0 ? 1 : 0)
  }
  return most
}
