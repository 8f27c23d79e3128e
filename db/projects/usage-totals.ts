import type { Database } from '../engine/open.ts'
import { LATENCY_BOUNDS_MS, percentile, SPAN_MS, SPANS, type Span, type UsageCount } from './usage-counts.ts'

export const PARTS = ['all', 'class', 'key', 'route'] as const
/** What has a row of its own; `all` is one row for the whole project. */
export type Part = (typeof PARTS)[number]

export interface TotalsQuestion {
  readonly projectId: string
  readonly part: Part
  readonly span: Span
  readonly sinceMs: number
  readonly untilMs: number
}

export interface Counts {
  readonly requests: number
  readonly ok: number
  readonly clientErrors: number
  readonly limited: number
  readonly serverErrors: number
  /** Of the limited ones: by the budget of their class, and by the project's total. */
  readonly overClass: number
  readonly overTotal: number
}

export interface Total extends Counts {
  /** The class, key id or route id; empty for all. */
  readonly name: string
  readonly meanMs: number
  /** Estimated within a latency bucket. */
  readonly p50Ms: number
  readonly p95Ms: number
  readonly p99Ms: number
}

export interface TimedTotal extends Total {
  readonly startMs: number
}

export interface TimedRequests {
  readonly startMs: number
  readonly name: string
  readonly requests: number
}

export interface UsageTotals {
  /** Adds all of them. The caller holds the transaction. */
  add(counts: readonly UsageCount[]): void
  /** Over the whole time, the most asked for first. */
  sums(question: TotalsQuestion): readonly Total[]
  /** Of each start of a span in which something was asked for, in the order of time. */
  timeline(question: TotalsQuestion): readonly TimedTotal[]
  /** How many requests these names had at each start, likewise. */
  requests(question: TotalsQuestion, names: readonly string[]): readonly TimedRequests[]
  /** Removes up to `limit` rows that are too old to keep. @returns how many. */
  prune(limit: number): number
}

const DAY_MS = 86_400_000
/** A year of days, for the longest range of the dashboard and a leap day. */
const KEPT_MS = { minute: 2 * DAY_MS, hour: 90 * DAY_MS, day: 367 * DAY_MS } as const satisfies Record<Span, number>

const OUTCOME_AT = { ok: 0, client_error: 1, limited: 2, server_error: 3 } as const
const BUCKETS = [...LATENCY_BOUNDS_MS.map((bound) => `up_to_${bound}`), 'longer']
const COUNTED = ['ok', 'client_errors', 'limited', 'server_errors', 'over_class', 'over_total', 'total_us', ...BUCKETS]
/** Where each begins in a row of numbers. */
const OVER_CLASS_AT = 4
const TOTAL_US_AT = 6
const BUCKETS_AT = 7

const UPSERT = `
  INSERT INTO usage_total (project_id, span, part, start_ms, name, ${COUNTED.join(', ')})
  VALUES (?, ?, ?, ?, ?, ${COUNTED.map(() => '?').join(', ')})
  ON CONFLICT DO UPDATE SET ${COUNTED.map((name) => `${name} = ${name} + excluded.${name}`).join(', ')}`

const OF_TIME = 'FROM usage_total WHERE project_id = ? AND span = ? AND part = ? AND start_ms >= ? AND start_ms < ?'

export function createUsageTotals(db: Database, now: () => number): UsageTotals {
  const upsert = db.prepare(UPSERT)
  const sums = db
    .prepare(`SELECT name, ${COUNTED.map((name) => `sum(${name})`).join(', ')} ${OF_TIME} GROUP BY name`)
    .raw()
  const timeline = db.prepare(`SELECT start_ms, name, ${COUNTED.join(', ')} ${OF_TIME} ORDER BY start_ms`).raw()
  const requests = db.prepare<[string, Span, Part, number, number, string], TimedRequests>(
    `SELECT start_ms AS startMs, name, ok + client_errors + limited + server_errors AS requests ${OF_TIME}
        AND name IN (SELECT value FROM json_each(?)) ORDER BY start_ms`,
  )
  const prune = db.prepare(
    `DELETE FROM usage_total WHERE (project_id, span, part, start_ms, name) IN
       (SELECT project_id, span, part, start_ms, name FROM usage_total WHERE span = ? AND start_ms < ? LIMIT ?)`,
  )

  return {
    add(counts) {
      for (const { row, values } of fold(counts).values()) upsert.run(...row, ...values)
    },
    sums({ projectId, span, part, sinceMs, untilMs }) {
      const rows = sums.all(projectId, span, part, sinceMs, untilMs) as [string, ...number[]][]
      return rows.map(([name, ...values]) => toTotal(name, values)).toSorted((a, b) => b.requests - a.requests)
    },
    timeline({ projectId, span, part, sinceMs, untilMs }) {
      const rows = timeline.all(projectId, span, part, sinceMs, untilMs) as [number, string, ...number[]][]
      return rows.map(([startMs, name, ...values]) => Object.assign(toTotal(name, values), { startMs }))
    },
    requests: ({ projectId, span, part, sinceMs, untilMs }, names) =>
      requests.all(projectId, span, part, sinceMs, untilMs, JSON.stringify(names)),
    prune(limit) {
      let left = limit
      for (const span of SPANS) left -= prune.run(span, now() - KEPT_MS[span], left).changes
      return limit - left
    },
  }
}

interface Row {
  readonly row: readonly (string | number)[]
  readonly values: number[]
}

/** The rows that counts go to; many go to the same, so that each is written once. */
function fold(counts: readonly UsageCount[]): ReadonlyMap<string, Row> {
  const rows = new Map<string, Row>()
  for (const count of counts) {
    for (const row of rowsOf(count)) {
      const id = row.join(' ')
      const values = rows.get(id)?.values ?? COUNTED.map(() => 0)
      rows.set(id, { row, values: addTo(values, count) })
    }
  }
  return rows
}

function rowsOf({ projectId, minuteMs, routeClass, keyId, route }: UsageCount): Row['row'][] {
  const names = { all: '', class: routeClass, key: keyId, route }
  return SPANS.flatMap((span) => {
    const startMs = Math.floor(minuteMs / SPAN_MS[span]) * SPAN_MS[span]
    return PARTS.map((part) => [projectId, span, part, startMs, names[part]])
  })
}

function addTo(values: number[], { outcome, requests, overClass, overTotal, totalMs, buckets }: UsageCount): number[] {
  const add = (at: number, value: number) => (values[at] = (values[at] ?? 0) + value)
  add(OUTCOME_AT[outcome], requests)
  add(OVER_CLASS_AT, overClass)
  add(OVER_CLASS_AT + 1, overTotal)
  add(TOTAL_US_AT, Math.round(totalMs * 1000))
  for (const [i, count] of buckets.entries()) add(BUCKETS_AT + i, count)
  return values
}

function toTotal(name: string, values: readonly number[]): Total {
  const [ok = 0, clientErrors = 0, limited = 0, serverErrors = 0, overClass = 0, overTotal = 0, totalUs = 0] = values
  const buckets = values.slice(BUCKETS_AT)
  const requests = ok + clientErrors + limited + serverErrors
  return {
    name,
    requests,
    ok,
    clientErrors,
    limited,
    serverErrors,
    overClass,
    overTotal,
    meanMs: requests === 0 ? 0 : Math.round(totalUs / requests / 100) / 10,
    p50Ms: percentile(buckets, 0.5),
    p95Ms: percentile(buckets, 0.95),
    p99Ms: percentile(buckets, 0.99),
  }
}
