import sql, { join, raw } from 'sql-template-tag'
import type { Store } from '../engine/store.ts'
import {
  LATENCY_BOUNDS_MS,
  latencyOf,
  SPAN_MS,
  SPANS,
  type RequestOutcome,
  type Span,
  type UsageCount,
} from './usage-counts.ts'
import { addRows, foldRows, type CountedRow } from './usage-rows.ts'
import { createUsageTotals, type Total, type UsageOptions } from './usage-totals.ts'

export type Grouping = 'class' | 'key' | 'outcome' | Span

export interface UsageRow extends Omit<Total, 'name'> {
  /** The class, key id or outcome; for a span the start in milliseconds since 1970. */
  readonly group: string | number
}

interface UsageQuestion {
  readonly projectId: string
  readonly by: Grouping
  readonly sinceMs: number
  readonly untilMs: number
  /** Precision of the counts: longer spans read fewer rows. Defaults to the most exact ones. */
  readonly span?: Span
}

/** Requests that were refused with 429 from one start of a span on. */
export interface RefusalRow {
  readonly startMs: number
  readonly routeClass: string
  readonly keyId: string
  readonly refused: number
  /** Refused requests that exceeded the budget of the class, and the project's total; the others met another bound. */
  readonly overClass: number
  readonly overTotal: number
}

interface PeakQuestion extends Omit<UsageQuestion, 'by' | 'span'> {
  readonly together: readonly string[]
}

export type Usage = ReturnType<typeof createUsage>

const DAY_MS = SPAN_MS.day
const KEPT_MS = { minute: 2 * DAY_MS, hour: 90 * DAY_MS, day: 90 * DAY_MS } as const satisfies Record<Span, number>

const BUCKETS = [...LATENCY_BOUNDS_MS.map((bound) => `up_to_${bound}`), 'longer']
const SUMMED = ['requests', 'over_class', 'over_total', 'total_us', ...BUCKETS]

const KEY = 'span, start_ms, project_id, key_id, class, outcome'
const STATEMENT = {
  insert: raw(`INSERT INTO usage (${KEY}, ${SUMMED.join(', ')}) VALUES`),
  add: raw(`
    ON CONFLICT (${KEY}) DO UPDATE SET ${SUMMED.map((name) => `${name} = usage.${name} + excluded.${name}`).join(', ')}`),
}
const SUMS = raw(SUMMED.map((name) => `CAST(sum(${name}) AS bigint) AS ${name}`).join(', '))

const GROUP_COLUMN = {
  class: raw('class'),
  key: raw('key_id'),
  outcome: raw('outcome'),
  minute: raw('start_ms'),
  hour: raw('start_ms'),
  day: raw('start_ms'),
} as const satisfies Record<Grouping, unknown>

/** @param options the reader defaults to the store. */
export function createUsage(store: Store, { now = Date.now, reader = store }: Partial<UsageOptions> = {}) {
  /** Totals by project, class, key and route, for up to a year. */
  const totals = createUsageTotals(store, { now, reader })

  return {
    /** Adds all of them, and when their keys were last used, in one write. */
    add: (counts: readonly UsageCount[]) =>
      store.atomically(
        async () => {
          await addRows(store, STATEMENT, foldRows(counts.flatMap(rowsOf)))
          await totals.add(counts)
          await markUsed(store, counts)
        },
        { isBatch: true },
      ),
    /** Exact to the minute within two days, beyond that to the hour. Spans in their order, others by requests. */
    async summary({ projectId, by, sinceMs, untilMs, span: given }: UsageQuestion) {
      const span = given ?? spanFor(by, sinceMs, now())
      const rows = toRows(
        await reader.all<StoredGroup>(sql`
          SELECT ${GROUP_COLUMN[by]} AS grouped, outcome, ${SUMS}
            FROM usage
           WHERE project_id = ${projectId} AND span = ${span} AND start_ms >= ${floor(sinceMs, span)}
             AND start_ms < ${untilMs}
           GROUP BY ${GROUP_COLUMN[by]}, outcome ORDER BY ${GROUP_COLUMN[by]}`),
      )
      return by in SPAN_MS ? rows : rows.toSorted((a, b) => b.requests - a.requests)
    },
    /** Grouped by class and key, in the order of time; spans in which nothing was refused are left out. */
    refusals: ({ projectId, span, sinceMs, untilMs }: Omit<UsageQuestion, 'by' | 'span'> & { readonly span: Span }) =>
      reader.all<RefusalRow>(sql`
        SELECT start_ms AS "startMs", class AS "routeClass", key_id AS "keyId",
               CAST(sum(requests) AS bigint) AS refused, CAST(sum(over_class) AS bigint) AS "overClass",
               CAST(sum(over_total) AS bigint) AS "overTotal"
          FROM usage
         WHERE project_id = ${projectId} AND span = ${span} AND start_ms >= ${sinceMs} AND start_ms < ${untilMs}
           AND outcome = 'limited'
         GROUP BY start_ms, class, key_id ORDER BY start_ms, class, key_id`),
    /** The busiest minute of each class, and under `aggregate` of all classes of `together`, refused requests left out. */
    peaks: (question: PeakQuestion) => peaksOf(reader, question),
    totals,
    /** Removes up to `limit` rows that are too old to keep. @returns how many. */
    prune: (limit: number) =>
      store.atomically(
        async () => {
          let left = limit
          for (const span of SPANS) {
            const beforeMs = now() - KEPT_MS[span]
            left -= await pruneSpan(store, span, { beforeMs, limit: left })
          }
          return limit - left + (await totals.prune(left))
        },
        { isBatch: true },
      ),
  }
}

async function peaksOf(
  reader: Pick<Store, 'all'>,
  { projectId, sinceMs, untilMs, together }: PeakQuestion,
): Promise<ReadonlyMap<string, number>> {
  const rows = await reader.all<{ readonly name: string; readonly peak: number }>(sql`
        WITH minute AS
          (SELECT class, start_ms, sum(requests) AS requests FROM usage
            WHERE project_id = ${projectId} AND span = 'minute' AND start_ms >= ${sinceMs} AND start_ms < ${untilMs}
              AND outcome <> 'limited'
            GROUP BY class, start_ms)
        SELECT class AS name, CAST(max(requests) AS bigint) AS peak FROM minute GROUP BY class
        UNION ALL
        SELECT 'aggregate', CAST(coalesce(max(requests), 0) AS bigint) FROM
          (SELECT sum(requests) AS requests FROM minute WHERE class IN (${join(together)}) GROUP BY start_ms) AS total`)
  return new Map(rows.map(({ name, peak }) => [name, peak]))
}

async function markUsed(store: Store, counts: readonly UsageCount[]): Promise<void> {
  const keys = new Map<string, { readonly projectId: string; readonly lastMs: number }>()
  for (const { projectId, keyId, minuteMs, lastMs = minuteMs } of counts) {
    if (lastMs > (keys.get(keyId)?.lastMs ?? -1)) keys.set(keyId, { projectId, lastMs })
  }
  const sorted = [...keys].toSorted(([a], [b]) => (a < b ? -1 : 1))
  const rows = sorted.map(([keyId, { projectId, lastMs }]) => sql`(${projectId}, ${keyId}, CAST(${lastMs} AS bigint))`)
  await store.run(sql`
    WITH used (project_id, id, at_ms) AS (VALUES ${join(rows)})
    UPDATE api_key SET last_used_at_ms = used.at_ms FROM used
     WHERE api_key.project_id = used.project_id AND api_key.id = used.id
       AND coalesce(api_key.last_used_at_ms, 0) < used.at_ms`)
}

function pruneSpan(
  store: Store,
  span: Span,
  { beforeMs, limit }: { readonly beforeMs: number; readonly limit: number },
) {
  return store.run(sql`
    DELETE FROM usage WHERE (${raw(KEY)}) IN
      (SELECT ${raw(KEY)} FROM usage WHERE span = ${span} AND start_ms < ${beforeMs} LIMIT ${limit})`)
}

function rowsOf(count: UsageCount): readonly CountedRow[] {
  const { projectId, keyId, routeClass, outcome, minuteMs, requests, totalMs, buckets } = count
  const values = [requests, count.overClass, count.overTotal, Math.round(totalMs * 1000), ...buckets]
  return SPANS.map((span) => ({ key: [span, floor(minuteMs, span), projectId, keyId, routeClass, outcome], values }))
}

type StoredGroup = Readonly<Record<string, number>> & {
  readonly grouped: string | number
  readonly outcome: RequestOutcome
}

function floor(ms: number, span: Span): number {
  return Math.floor(ms / SPAN_MS[span]) * SPAN_MS[span]
}

function spanFor(by: Grouping, sinceMs: number, nowMs: number): Span {
  if (by === 'minute' || by === 'hour' || by === 'day') return by
  return sinceMs >= nowMs - KEPT_MS.minute ? 'minute' : 'hour'
}

function toRows(stored: readonly StoredGroup[]): readonly UsageRow[] {
  const groups = Map.groupBy(stored, ({ grouped }) => grouped)
  return [...groups].map(([group, rows]) => {
    const sum = (column: string) => rows.reduce((total, row) => total + (row[column] ?? 0), 0)
    const of = (outcome: RequestOutcome) => rows.find((row) => row.outcome === outcome)?.['requests'] ?? 0
    const requests = sum('requests')
    const latency = latencyOf(requests, sum('total_us'), BUCKETS.map(sum))
    return Object.assign(latency, {
      group,
      requests,
      ok: of('ok'),
      clientErrors: of('client_error'),
      limited: of('limited'),
      overClass: sum('over_class'),
      overTotal: sum('over_total'),
      serverErrors: of('server_error'),
    })
  })
}
