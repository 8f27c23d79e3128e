import { createLru } from '../../lib/sharing/lru.ts'
import type { SpentBudget } from '../../lib/usage.ts'
import { PLANS, type MeteredClass, type Plan } from '../../lib/plans.ts'

export interface RateLimitRequest {
  readonly projectId: string
  readonly plan: Plan
  readonly routeClass: MeteredClass
  /** Requests per minute of the class and over all classes. */
  readonly limit: number
  readonly aggregate: number
}

export type RateLimitResult =
  | { readonly allowed: true; /** Requests of this class that would still pass now. */ readonly remaining: number }
  | {
      readonly allowed: false
      /** The budget that makes the caller wait the longest; the class on a tie. */
      readonly spent: SpentBudget
      /** Until one request of this class fits. */
      readonly waitMs: number
    }

/** Takes one request out of a project's class budget and out of its total, or out of neither. */
export type RateLimiter = ReturnType<typeof createMemoryMeter>

/** The rate limit of a project's plan in a class; null if the class is not part of the plan. */
export function rateLimitRequest(projectId: string, plan: Plan, routeClass: MeteredClass): RateLimitRequest | null {
  const { [routeClass]: limit, aggregate } = PLANS[plan]
  return limit === null ? null : { projectId, plan, routeClass, limit, aggregate }
}

/** A request costs this many units and a budget of `limit` a minute drains `limit` units a millisecond: no fractions. */
const COST = 60_000
const WINDOW_MS = 60_000
/** The one that was used least recently goes first; a project has one for each class and one in all. */
const MAX_BUCKETS = 20_000

/**
 * GCRA in whole numbers: each budget allows a burst of its limit, then one request each `60_000 / limit` ms.
 * A refused request takes nothing, so it does not push the window back. Forgets at restart; knows one process.
 *
 * @param now whole milliseconds; may step back, which drains nothing.
 */
export function createMemoryMeter(now: () => number) {
  const buckets = createLru<string, { level: number; atMs: number }>(MAX_BUCKETS)

  function level(key: string, limit: number, nowMs: number): number {
    const bucket = buckets.get(key)
    if (!bucket) return 0
    // When the clock steps back nothing drains, but time counts from here.
    if (nowMs < bucket.atMs) bucket.atMs = nowMs
    const drained = Math.min(nowMs - bucket.atMs, WINDOW_MS) * limit
    // A plan that went down must not make anyone wait for longer than a window.
    return Math.max(0, Math.min(bucket.level, COST * limit) - drained)
  }

  return {
    charge({ projectId, routeClass, limit, aggregate }: RateLimitRequest): RateLimitResult | Promise<RateLimitResult> {
      const nowMs = now()
      const ownKey = `${routeClass}:${projectId}`
      const totalKey = `aggregate:${projectId}`
      const own = level(ownKey, limit, nowMs) + COST
      const total = level(totalKey, aggregate, nowMs) + COST
      const ownWaitMs = Math.ceil((own - COST * limit) / limit)
      const totalWaitMs = Math.ceil((total - COST * aggregate) / aggregate)
      if (ownWaitMs > 0 || totalWaitMs > 0) {
        const spent = totalWaitMs > ownWaitMs ? 'aggregate' : 'class'
        return { allowed: false, spent, waitMs: Math.max(ownWaitMs, totalWaitMs) }
      }
      buckets.set(ownKey, { level: own, atMs: nowMs })
      buckets.set(totalKey, { level: total, atMs: nowMs })
      return { allowed: true, remaining: Math.floor(Math.min(COST * limit - own, COST * aggregate - total) / COST) }
    },
  }
}
