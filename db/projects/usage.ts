import { atomically, type Database } from '../engine/open.ts'
import {
  LATENCY_BOUNDS_MS,
  percentile,
  SPAN_MS,
  SPANS,
  type Outcome,
  type Span,
  type UsageCount,
} from './usage-counts.ts'
import { createUsageTotals, type UsageTotals } from './usage-totals.ts'

export type Grouping = 'class' | 'key' | 'outcome' | Span

export interface UsageRow {
  /** The class, key id or outcome; for a span the start in milliseconds since 1970. */
  readonly group: string | number
  readonly requests: number
  readonly ok: number
  readonly clientErrors: number
  readonly limited: number
  /** Of the limited ones: by the budget of their class, and by the project's total. */
  readonly overClass: number
  readonly overTotal: number
  readonly serverErrors: number
  readonly meanMs: number
  /** Estimated within a latency bucket. */
  readonly p50Ms: number
  readonly p95Ms: number
  readonly p99Ms: number
}

export interface UsageQuestion {
  readonly projectId: string
  readonly by: Grouping
  readonly sinceMs: number
  readonly untilMs: number
  /** Of which counts the answer is made: fewer rows for longer spans. Left out: as exact as there is. */
  readonly span?: Span
}

/** Requests that were refused with 429 from one start of a span on. */
export interface RefusalRow {
  readonly startMs: number
  readonly routeClass: string
  readonly keyId: string
  readonly refused: number
  /** Of these, by the budget of the class and by the project's total; the others met another bound. */
  readonly overClass: number
  readonly overTotal: number
}

export interface Usage {
  /** Adds all of them, and when their keys were last used, in one write. */
  add(counts: readonly UsageCount[]): void
  /** Exact to the minute within two days, beyond that to the hour. Spans in their order, others by requests. */
  summary(question: UsageQuestion): readonly UsageRow[]
  /** By class and key, in the order of time; spans in which nothing was refused are left out. */
  refusals(question: Omit<UsageQuestion, 'by' | 'span'> & { readonly span: Span }): readonly RefusalRow[]
  /** The busiest minute of each class, refused requests left out. */
  peaks(question: Omit<UsageQuestion, 'by' | 'span'>): ReadonlyMap<string, number>
  /** In all, by class, by key and by route, for up to a year. */
  readonly totals: Pick<UsageTotals, 'sums' | 'timeline' | 'requests'>
  /** Removes up to `limit` rows that are too old to keep. @returns how many. */
  prune(limit: number): number
}

const DAY_MS = SPAN_MS.day
const KEPT_MS = { minute: 2 * DAY_MS, hour: 90 * DAY_MS, day: 90 * DAY_MS } as const satisfies Record<Span, number>

const BUCKETS = [...LATENCY_BOUNDS_MS.map((bound) => `up_to_${bound}`), 'longer']
const SUMMED = ['requests', 'over_class', 'over_total', 'total_us', ...BUCKETS]

const UPSERT = `
  INSERT INTO usage (span, start_ms, project_id, key_id, class, outcome, ${SUMMED.join(', ')})
  VALUES (?, ?, ?, ?, ?, ?, ${SUMMED.map(() => '?').join(', ')})
  ON CONFLICT DO UPDATE SET ${SUMMED.map((name) => `${name} = ${name} + excluded.${name}`).join(', ')}`

const MARK_USED = `
  UPDATE api_key SET last_used_at_ms = :minuteMs
   WHERE project_id = :projectId AND id = :keyId AND coalesce(last_used_at_ms, 0) < :minuteMs`

const PEAKS = `
  SELECT class, max(requests) FROM
    (SELECT class, sum(requests) AS requests FROM usage
      WHERE project_id = ? AND span = 'minute' AND start_ms >= ? AND start_ms < ? AND outcome <> 'limited'
      GROUP BY class, start_ms)
   GROUP BY class`

const REFUSALS = `
  SELECT start_ms AS startMs, class AS routeClass, key_id AS keyId, sum(requests) AS refused,
         sum(over_class) AS overClass, sum(over_total) AS overTotal
    FROM usage
   WHERE project_id = ? AND span = ? AND start_ms >= ? AND start_ms < ? AND outcome = 'limited'
   GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`

const GROUP_COLUMN = {
  class: 'class',
  key: 'key_id',
  outcome: 'outcome',
  minute: 'start_ms',
  hour: 'start_ms',
  day: 'start_ms',
} as const satisfies Record<Grouping, string>

export function createUsage(db: Database, now: () => number = Date.now): Usage {
  const totals = createUsageTotals(db, now)
  const upsert = db.prepare(UPSERT)
  const markUsed = db.prepare(MARK_USED)
  const peaks = db.prepare<[string, number, number]>(PEAKS)
  const refusals = db.prepare<[string, Span, number, number], RefusalRow>(REFUSALS)
  const prune = db.prepare('DELETE FROM usage WHERE span = ? AND start_ms < ? LIMIT ?')

  return {
    add(counts) {
      atomically(db, () => {
        for (const count of counts) addOne(count)
        totals.add(counts)
      })
    },
    summary({ projectId, by, sinceMs, untilMs, span: given }) {
      const span = given ?? spanFor(by, sinceMs, now())
      const statement = db.prepare<[string, Span, number, number], StoredGroup>(`
        SELECT ${GROUP_COLUMN[by]} AS grouped, outcome, ${SUMMED.map((name) => `sum(${name}) AS ${name}`).join(', ')}
          FROM usage WHERE project_id = ? AND span = ? AND start_ms >= ? AND start_ms < ?
         GROUP BY grouped, outcome ORDER BY grouped`)
      const rows = toRows(statement.all(projectId, span, floor(sinceMs, span), untilMs))
      return by in SPAN_MS ? rows : rows.toSorted((a, b) => b.requests - a.requests)
    },
    refusals: ({ projectId, span, sinceMs, untilMs }) => refusals.all(projectId, span, sinceMs, untilMs),
    peaks({ projectId, sinceMs, untilMs }) {
      return new Map(peaks.raw().all(projectId, sinceMs, untilMs) as [string, number][])
    },
    totals,
    prune(limit) {
      return atomically(db, () => {
        let left = limit
        for (const span of SPANS) left -= prune.run(span, now() - KEPT_MS[span], left).changes
        return limit - left + totals.prune(left)
      })
    },
  }

  function addOne(count: UsageCount): void {
    const { projectId, keyId, routeClass, outcome, minuteMs, requests, totalMs, buckets } = count
    for (const span of SPANS) {
      const row = [span, floor(minuteMs, span), projectId, keyId, routeClass, outcome]
      upsert.run(...row, requests, count.overClass, count.overTotal, Math.round(totalMs * 1000), ...buckets)
    }
    markUsed.run({ projectId, keyId, minuteMs })
  }
}

type StoredGroup = Readonly<Record<string, number>> & { readonly grouped: string | number; readonly outcome: Outcome }

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
    const of = (outcome: Outcome) => rows.find((row) => row.outcome === outcome)?.['requests'] ?? 0
    const requests = sum('requests')
    const buckets = BUCKETS.map(sum)
    return {
      group,
      requests,
      ok: of('ok'),
      clientErrors: of('client_error'),
      limited: of('limited'),
      overClass: sum('over_class'),
      overTotal: sum('over_total'),
      serverErrors: of('server_error'),
      meanMs: Math.round(sum('total_us') / requests / 100) / 10,
      p50Ms: percentile(buckets, 0.5),
      p95Ms: percentile(buckets, 0.95),
      p99Ms: percentile(buckets, 0.99),
    }
  })
}
