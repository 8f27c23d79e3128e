import sql, { join, raw, type Sql } from 'sql-template-tag'
import type { Store } from '../engine/store.ts'
import {
  LATENCY_BOUNDS_MS,
  REQUEST_OUTCOMES,
  latencyOf,
  SPAN_MS,
  SPANS,
  type Span,
  type UsageCount,
} from './usage-counts.ts'
import { addRows, foldRows, type CountedRow } from './usage-rows.ts'

const PARTS = ['all', 'class', 'key', 'route'] as const
/** What has a row of its own; `all` is one row for the whole project. */
export type UsagePart = (typeof PARTS)[number]

interface TotalsQuestion {
  readonly projectId: string
  readonly part: UsagePart
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
  /** Limited requests that exceeded the budget of their class, and the project's total. */
  readonly overClass: number
  readonly overTotal: number
}

export interface Total extends Counts, Readonly<ReturnType<typeof latencyOf>> {
  /** The class, key id or route id; empty for all. */
  readonly name: string
}

export interface TimedTotal extends Total {
  readonly startMs: number
}

interface TimedRequests {
  readonly startMs: number
  readonly name: string
  readonly requests: number
}

const DAY_MS = 86_400_000
/** A year of days, for the longest range of the dashboard and a leap day. */
const KEPT_MS = { minute: 2 * DAY_MS, hour: 90 * DAY_MS, day: 367 * DAY_MS } as const satisfies Record<Span, number>

const BUCKETS = [...LATENCY_BOUNDS_MS.map((bound) => `up_to_${bound}`), 'longer']
const COUNTED = ['ok', 'client_errors', 'limited', 'server_errors', 'over_class', 'over_total', 'total_us', ...BUCKETS]
/** Index of the first bucket in a row of numbers. */
const BUCKETS_AT = COUNTED.length - BUCKETS.length

const STATEMENT = {
  insert: raw(`INSERT INTO usage_total (project_id, span, part, start_ms, name, ${COUNTED.join(', ')}) VALUES`),
  add: raw(`
    ON CONFLICT (project_id, span, part, start_ms, name) DO UPDATE
       SET ${COUNTED.map((name) => `${name} = usage_total.${name} + excluded.${name}`).join(', ')}`),
}
const COLUMNS = raw(COUNTED.join(', '))
const SUMS = raw(COUNTED.map((name) => `CAST(sum(${name}) AS bigint) AS ${name}`).join(', '))

function inTime({ projectId, span, part, sinceMs, untilMs }: TotalsQuestion): Sql {
  return sql`
    FROM usage_total
   WHERE project_id = ${projectId} AND span = ${span} AND part = ${part} AND start_ms >= ${sinceMs}
     AND start_ms < ${untilMs}`
}

export interface UsageOptions {
  readonly now: () => number
  /** Sums up: a year of a project's keys is hundreds of thousands of rows. */
  readonly reader: Pick<Store, 'all'>
}

type StoredTotal = Readonly<Record<string, number>> & { readonly name: string }

export function createUsageTotals(store: Store, { now, reader }: UsageOptions) {
  return {
    /** Adds all of them. The caller holds the transaction. */
    add: (counts: readonly UsageCount[]): Promise<void> => addRows(store, STATEMENT, foldRows(counts.flatMap(rowsOf))),
    /** Over the whole time, the most asked for first. */
    async sums(question: TotalsQuestion): Promise<readonly Total[]> {
      const rows = await reader.all<StoredTotal>(sql`SELECT name, ${SUMS} ${inTime(question)} GROUP BY name`)
      return rows.map(toTotal).toSorted((a, b) => b.requests - a.requests)
    },
    /** Totals for each start of a span that has requests, in the order of time. */
    async timeline(question: TotalsQuestion): Promise<readonly TimedTotal[]> {
      const rows = await reader.all<StoredTotal & { readonly startMs: number }>(
        sql`SELECT start_ms AS "startMs", name, ${COLUMNS} ${inTime(question)} ORDER BY start_ms`,
      )
      return rows.map((row) => Object.assign(toTotal(row), { startMs: row.startMs }))
    },
    /** Number of requests of these names at each start, likewise. */
    async requests(question: TotalsQuestion, names: readonly string[]): Promise<readonly TimedRequests[]> {
      if (names.length === 0) return []
      return reader.all<TimedRequests>(sql`
        SELECT start_ms AS "startMs", name, ok + client_errors + limited + server_errors AS requests
        ${inTime(question)} AND name IN (${join([...names])}) ORDER BY start_ms`)
    },
    /** Removes up to `limit` rows that are too old to keep. @returns how many. */
    async prune(limit: number): Promise<number> {
      let left = limit
      for (const span of SPANS) {
        left -= await store.run(sql`
          DELETE FROM usage_total WHERE (project_id, span, part, start_ms, name) IN
            (SELECT project_id, span, part, start_ms, name FROM usage_total
              WHERE span = ${span} AND start_ms < ${now() - KEPT_MS[span]} LIMIT ${left})`)
      }
      return limit - left
    },
  }
}

function rowsOf(count: UsageCount): readonly CountedRow[] {
  const { projectId, minuteMs, routeClass, keyId, route } = count
  const names = { all: '', class: routeClass, key: keyId, route }
  const values = valuesOf(count)
  return SPANS.flatMap((span) => {
    const startMs = Math.floor(minuteMs / SPAN_MS[span]) * SPAN_MS[span]
    return PARTS.map((part) => ({ key: [projectId, span, part, startMs, names[part]], values }))
  })
}

/** Returns the values in the order of `COUNTED`. */
function valuesOf({ outcome, requests, overClass, overTotal, totalMs, buckets }: UsageCount): readonly number[] {
  const byOutcome = REQUEST_OUTCOMES.map((it) => (it === outcome ? requests : 0))
  return [...byOutcome, overClass, overTotal, Math.round(totalMs * 1000), ...buckets]
}

function toTotal(row: StoredTotal): Total {
  const { name } = row
  const values = COUNTED.map((column) => row[column] ?? 0)
  const [ok = 0, clientErrors = 0, limited = 0, serverErrors = 0, overClass = 0, overTotal = 0, totalUs = 0] = values
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
    ...latencyOf(requests, totalUs, values.slice(BUCKETS_AT)),
  }
}
