import type { RouteClass } from '../../lib/plans.ts'
import type { Use } from '../../lib/usage.ts'
import { LATENCY_BOUNDS_MS, REQUEST_OUTCOMES, type RequestOutcome, type UsageCount } from './usage-counts.ts'

interface Counting {
  requests: number
  overClass: number
  overTotal: number
  totalMs: number
  readonly buckets: number[]
}

/** Counts of one key in one minute: an entry for every route that occurred, and in it for every outcome. */
interface KeyMinute {
  readonly projectId: string
  readonly minuteMs: number
  lastMs: number
  readonly routes: Map<string, { readonly routeClass: RouteClass; readonly byOutcome: (Counting | undefined)[] }>
}

const MINUTE_MS = 60_000

/** Counts requests in memory. */
export function createTally(now: () => number) {
  let keys = new Map<string, KeyMinute>()
  let taken: UsageCount[] = []

  function keyMinute({ projectId, keyId }: Use): KeyMinute {
    const nowMs = now()
    const minuteMs = nowMs - (nowMs % MINUTE_MS)
    const known = keys.get(keyId)
    if (known?.minuteMs === minuteMs) {
      known.lastMs = nowMs
      return known
    }
    if (known) collect(keyId, known)
    const key = { projectId, minuteMs, lastMs: nowMs, routes: new Map() }
    keys.set(keyId, key)
    return key
  }

  function collect(keyId: string, { projectId, minuteMs, lastMs, routes }: KeyMinute): void {
    for (const [route, { routeClass, byOutcome }] of routes) {
      for (const [i, counting] of byOutcome.entries()) {
        if (counting)
          taken.push({
            projectId,
            keyId,
            routeClass,
            route,
            outcome: REQUEST_OUTCOMES[i] as RequestOutcome,
            minuteMs,
            lastMs,
            ...counting,
          })
      }
    }
  }

  return {
    count(use: Use) {
      add(row(keyMinute(use), use), use)
    },
    /** Takes the counts since the last time. */
    take(): readonly UsageCount[] {
      const closed = keys
      keys = new Map()
      for (const [keyId, key] of closed) collect(keyId, key)
      const counts = taken
      taken = []
      return counts
    },
  }
}

function row({ routes }: KeyMinute, { route, routeClass, status }: Use): Counting {
  let minute = routes.get(route)
  if (!minute) routes.set(route, (minute = { routeClass, byOutcome: REQUEST_OUTCOMES.map(() => undefined) }))
  return (minute.byOutcome[outcomeOf(status)] ??= {
    requests: 0,
    overClass: 0,
    overTotal: 0,
    totalMs: 0,
    buckets: [...LATENCY_BOUNDS_MS.map(() => 0), 0],
  })
}

function add(counting: Counting, { durationMs, spent }: Use): void {
  let bucket = 0
  while (durationMs > (LATENCY_BOUNDS_MS[bucket] ?? Infinity)) bucket++
  counting.requests++
  if (spent === 'class') counting.overClass++
  else if (spent === 'aggregate') counting.overTotal++
  counting.totalMs += durationMs
  counting.buckets[bucket] = (counting.buckets[bucket] ?? 0) + 1
}

/** Its place in `REQUEST_OUTCOMES`. */
function outcomeOf(status: number): number {
  if (status < 400) return 0
  if (status === 429) return 2
  return status < 500 ? 1 : 3
}
