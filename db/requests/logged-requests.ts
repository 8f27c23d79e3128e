import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import sql, { join, raw, type Sql } from 'sql-template-tag'
import { firstIdAt, type ErrorGroup, type LoggedRequest, type RequestQuery } from '../../lib/request-log/request-log.ts'
import { createFairShare } from '../../lib/sharing/fair-share.ts'
import { contains } from '../engine/contains.ts'
import type { Store } from '../engine/store.ts'
import { addRows, foldRows } from '../projects/usage-rows.ts'
import { openKeptBodies } from './kept-bodies.ts'

/** Retention limits. */
export interface RequestBounds {
  readonly keptMs: number
  readonly rowsPerProject: number
  readonly rowsInAll: number
}

/** The requests of all projects. */
export type LoggedRequests = ReturnType<typeof createLoggedRequests>

const COLUMNS = {
  id: 'id',
  projectId: 'project_id',
  keyId: 'key_id',
  requestId: 'request_id',
  method: 'method',
  operation: 'operation',
  route: 'route',
  path: 'path',
  status: 'status',
  code: 'code',
  reason: 'reason',
  message: 'message',
  durationMs: 'duration_ms',
  address: 'address',
  limitClass: 'limit_class',
  limitPerMinute: 'limit_per_minute',
  limitRemaining: 'limit_remaining',
  limitSpent: 'limit_spent',
  traceId: 'trace_id',
} as const satisfies Record<Exclude<keyof LoggedRequest, 'bodies'>, string>
const NAMES = Object.keys(COLUMNS) as (keyof typeof COLUMNS)[]
const INSERTED = raw(NAMES.map((name) => COLUMNS[name]).join(', '))
/** The columns under the names of their fields. */
export const SELECTED = NAMES.map((name) => `${COLUMNS[name]} AS "${name}"`).join(', ')

const COUNT = {
  insert: raw('INSERT INTO logged_request_count (project_id, requests) VALUES'),
  add: raw('ON CONFLICT (project_id) DO UPDATE SET requests = logged_request_count.requests + excluded.requests'),
}

/** SQLite keeps few statements prepared, and a deletion holds the thread; PostgreSQL waits for the network at each. */
const ROWS_AT_ONCE = { sqlite: 10, postgres: 100 } as const
const REMOVED_AT_ONCE = { sqlite: 100, postgres: 5000 } as const
/** Between two deletions, for requests that wait. */
const PAUSE_MS = 20
/** Limit per minute: rows of a flood are gone a few minutes after it. */
const MOST_REMOVED = 200_000
/** A minute, less what timers are early. */
const PRUNE_EVERY_MS = 55_000
/** Other services write what they answered within a second; some time for that, and for clocks that differ. */
const LATE_MS = 3000
/** Share of the ten connections to PostgreSQL; reads of SQLite have one thread. */
const READS = { what: 'request log reads', total: 3, share: 2, maxWaiting: 50, maxWaitMs: 5000 }

/** @param reader for queries that read much */
export function createLoggedRequests(store: Store, reader: Pick<Store, 'all'> = store) {
  const ownWriter = randomInt(2 ** 48 - 1)
  const share = createFairShare(READS)
  const { engine } = store

  return {
    /** Maximum delay from a request's answer to its arrival here; 0 where there is one service. */
    lateMs: engine === 'postgres' ? LATE_MS : 0,
    /**
     * Writes all of them or none, and those that are there already not again.
     * @param writer who answered them; defaults to this process
     */
    add: (requests: readonly LoggedRequest[], writer: number = ownWriter): Promise<void> =>
      store.atomically(
        async () => {
          // A crash of the server may take the last of them: no request waits for the disk.
          if (engine === 'postgres') await store.run(sql`SET LOCAL synchronous_commit TO off`)
          const added: Owned[] = []
          for (let from = 0; from < requests.length; from += ROWS_AT_ONCE[engine]) {
            const some = requests.slice(from, from + ROWS_AT_ONCE[engine])
            added.push(...(await store.all<Owned>(insertion(some, writer))))
          }
          await count(store, added, 1)
        },
        { isBatch: true },
      ),
    /** The newest first. */
    list: (query: RequestQuery): Promise<readonly LoggedRequest[]> =>
      share.run(query.projectId, () =>
        reader.all<LoggedRequest>(sql`
          SELECT ${raw(SELECTED)} FROM logged_request WHERE ${join(conditionsOf(query, engine), ' AND ')}
           ORDER BY id DESC, writer DESC LIMIT ${query.limit}`),
      ),
    /** Those of a query by code and route, the most frequent first. */
    groups: (query: RequestQuery) => share.run(query.projectId, () => groupsOf(reader, query, engine)),
    /** The oldest of the newest `rows` requests of a project before one; null if it has fewer. */
    reach: (query: ReachQuery, rows: number) => share.run(query.projectId, () => reachOf(reader, query, rows)),
    /** Removes what is too old, too much, or of a project that is gone, some at a time. Throws when aborted. */
    async prune(bounds: RequestBounds, nowMs: number, signal?: AbortSignal) {
      // One service a minute.
      const isDone =
        engine === 'postgres' &&
        (await store.run(sql`
          INSERT INTO logged_request_pruning (id, pruned_at_ms) VALUES (1, ${nowMs})
          ON CONFLICT (id) DO UPDATE SET pruned_at_ms = excluded.pruned_at_ms
           WHERE logged_request_pruning.pruned_at_ms < ${nowMs - PRUNE_EVERY_MS}`)) === 0
      if (!isDone) await prune(store, bounds, { nowMs, signal })
    },
    /** Removes all of them. */
    clear: (): Promise<void> =>
      store.atomically(async () => {
        await store.run(sql`DELETE FROM logged_request`)
        await store.run(sql`DELETE FROM logged_request_count`)
        await store.run(sql`DELETE FROM logged_request_capture`)
      }),
    openBodies: (parts: Parameters<typeof openKeptBodies>[1]) => openKeptBodies(store, parts),
  }
}

type Reader = Pick<Store, 'all'>
type ReachQuery = Pick<RequestQuery, 'projectId' | 'before'>

function groupsOf(reader: Reader, query: RequestQuery, engine: Store['engine']): Promise<readonly ErrorGroup[]> {
  return reader.all<ErrorGroup>(sql`
    SELECT code, operation, CAST(count(*) AS bigint) AS requests
      FROM logged_request WHERE ${join(conditionsOf(query, engine), ' AND ')}
     GROUP BY code, operation ORDER BY requests DESC, code, operation LIMIT ${query.limit}`)
}

async function reachOf(reader: Reader, { projectId, before }: ReachQuery, rows: number): Promise<number | null> {
  const isEarlier = given(before, (value) => sql`id < ${value}`)
  const [oldest] = await reader.all<{ readonly id: number }>(sql`
    SELECT id FROM logged_request WHERE ${join([sql`project_id = ${projectId}`, ...isEarlier], ' AND ')}
     ORDER BY id DESC LIMIT 1 OFFSET ${rows - 1}`)
  return oldest?.id ?? null
}

/** A row that was added or removed. */
interface Owned {
  readonly projectId: string
}

function insertion(requests: readonly LoggedRequest[], writer: number): Sql {
  const rows = requests.map(
    (request) => sql`(${writer}, ${request.bodies ?? null}, ${join(NAMES.map((name) => toValue(request[name])))})`,
  )
  return sql`
    INSERT INTO logged_request (writer, bodies, ${INSERTED}) VALUES ${join(rows)}
    ON CONFLICT DO NOTHING RETURNING project_id AS "projectId"`
}

/** Texts of PostgreSQL have neither NUL nor halves of characters. */
function toValue<T>(value: T): T | string {
  return typeof value === 'string' ? value.toWellFormed().replaceAll('\0', '\uFFFD') : value
}

function count(store: Store, rows: readonly Owned[], change: 1 | -1): Promise<void> {
  return addRows(store, COUNT, foldRows(rows.map(({ projectId }) => ({ key: [projectId], values: [change] }))))
}

function given<T>(value: T | undefined, toSql: (value: T) => Sql): readonly Sql[] {
  return value === undefined ? [] : [toSql(value)]
}

const SEARCHED = ['path', 'route', 'operation', 'code', 'message', 'request_id'].map((name) => raw(name))

function conditionsOf(query: RequestQuery, engine: Store['engine']): readonly Sql[] {
  const { projectId, statuses, operation, keyId, code, requestId, text, fromMs, toMs, before, after } = query
  return [
    sql`project_id = ${projectId}`,
    ...given(statuses, ({ least, most }) => sql`status BETWEEN ${least} AND ${most}`),
    ...given(operation, (value) => sql`operation = ${value}`),
    ...given(keyId, (value) => sql`key_id = ${value}`),
    ...given(code, (value) => sql`code = ${value}`),
    ...given(requestId, (value) => sql`request_id = ${value}`),
    ...given(text, ({ part, keyIds }) => {
      const keys = keyIds.length === 0 ? [] : [sql`key_id IN (${join(keyIds)})`]
      return sql`(${join([...SEARCHED.map((column) => contains(engine, column, part)), ...keys], ' OR ')})`
    }),
    ...given(fromMs, (value) => sql`id >= ${firstIdAt(value)}`),
    ...given(toMs, (value) => sql`id < ${firstIdAt(value)}`),
    ...given(before, (value) => sql`id < ${value}`),
    ...given(after, (value) => sql`id > ${value}`),
  ]
}

interface Stock extends Owned {
  readonly requests: number
  readonly isKnown: 0 | 1
}

async function prune(
  store: Store,
  { keptMs, rowsPerProject, rowsInAll }: RequestBounds,
  { nowMs, signal }: { readonly nowMs: number; readonly signal: AbortSignal | undefined },
): Promise<void> {
  let left = MOST_REMOVED

  async function remove(which: Sql, excess: number): Promise<void> {
    for (let most = Math.min(excess, left); most > 0;) {
      const limit = Math.min(most, REMOVED_AT_ONCE[store.engine])
      const removed = await removeOldest(store, which, limit)
      left -= removed
      most -= removed
      if (removed < limit) return
      await sleep(PAUSE_MS, undefined, { ...(signal && { signal }) })
    }
  }

  await remove(sql`id < ${firstIdAt(nowMs - keptMs)}`, Infinity)
  const stocks = await store.all<Stock>(sql`
    SELECT project_id AS "projectId", requests,
           CASE WHEN EXISTS (SELECT 1 FROM project WHERE id = project_id) THEN 1 ELSE 0 END AS "isKnown"
      FROM logged_request_count`)
  for (const { projectId, requests, isKnown } of stocks) {
    await remove(sql`project_id = ${projectId}`, requests - (isKnown === 1 ? rowsPerProject : 0))
  }
  const total = await store.find<{ readonly requests: number | null }>(
    sql`SELECT CAST(sum(requests) AS bigint) AS requests FROM logged_request_count`,
  )
  await remove(sql`id > 0`, (total?.requests ?? 0) - rowsInAll)
  await store.run(sql`DELETE FROM logged_request_count WHERE requests <= 0`)
}

/** @returns how many. */
function removeOldest(store: Store, which: Sql, limit: number): Promise<number> {
  return store.atomically(
    async () => {
      const removed = await store.all<Owned>(sql`
        DELETE FROM logged_request WHERE ${which} AND id IN
          (SELECT id FROM logged_request WHERE ${which} ORDER BY id LIMIT ${limit})
        RETURNING project_id AS "projectId"`)
      await count(store, removed, -1)
      return removed.length
    },
    { isBatch: true },
  )
}
