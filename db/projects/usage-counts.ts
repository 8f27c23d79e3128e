import type { Use } from '../../lib/usage.ts'

export const REQUEST_OUTCOMES = ['ok', 'client_error', 'limited', 'server_error'] as const
export type RequestOutcome = (typeof REQUEST_OUTCOMES)[number]
/** Periods by which requests are counted: UTC minutes, hours and days. */
export type Span = 'minute' | 'hour' | 'day'

export const SPAN_MS = { minute: 60_000, hour: 3_600_000, day: 86_400_000 } as const satisfies Record<Span, number>
export const SPANS = Object.keys(SPAN_MS) as readonly Span[]

/** Upper bounds of the latency buckets in milliseconds; the last bucket has none. */
export const LATENCY_BOUNDS_MS = [5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10_000] as const

/** The requests of one key, route and outcome in one minute. */
export interface UsageCount extends Pick<Use, 'projectId' | 'keyId' | 'routeClass' | 'route'> {
  readonly outcome: RequestOutcome
  readonly minuteMs: number
  /** The last of these requests; left out, the beginning of the minute. */
  readonly lastMs?: number
  readonly requests: number
  /** Requests among them that exceeded the budget of the class, and the project's total. */
  readonly overClass: number
  readonly overTotal: number
  readonly totalMs: number
  /** One more than there are bounds. */
  readonly buckets: readonly number[]
}

/** How long requests took, by their sum and buckets. Percentiles are estimated within a bucket. */
export function latencyOf(requests: number, totalUs: number, buckets: readonly number[]) {
  return {
    meanMs: requests === 0 ? 0 : Math.round(totalUs / requests / 100) / 10,
    p50Ms: percentile(buckets, 0.5),
    p95Ms: percentile(buckets, 0.95),
    p99Ms: percentile(buckets, 0.99),
  }
}

/** Requests are taken to lie evenly within a bucket; those in the last one, which has no end, at its beginning. */
export function percentile(buckets: readonly number[], share: number): number {
  let before = 0
  const wanted = share * buckets.reduce((total, count) => total + count, 0)
  for (const [i, count] of buckets.entries()) {
    const from = LATENCY_BOUNDS_MS[i - 1] ?? 0
    const to = LATENCY_BOUNDS_MS[i] ?? from
    if (count > 0 && before + count >= wanted)
      return Math.round((from + ((wanted - before) / count) * (to - from)) * 10) / 10
    before += count
  }
  return 0
}
