import { createLru } from './lru.ts'

/** A burst, and so many in a second from then on. */
export interface BucketLimit {
  readonly burst: number
  readonly perSecond: number
}

/** Leaky buckets (GCRA), in memory: a restart forgives. */
export interface LeakyBuckets {
  /** Takes one. @returns 0, or how long to wait in milliseconds; what is refused does not count. */
  take(key: string, limit: BucketLimit): number
}

const MAX_BUCKETS = 20_000

export function createLeakyBuckets(now: () => number): LeakyBuckets {
  const fullUntilMs = createLru<string, number>(MAX_BUCKETS)
  return {
    take(key, { burst, perSecond }) {
      const costMs = 1000 / perSecond
      const nowMs = now()
      const nextMs = Math.max(fullUntilMs.get(key) ?? 0, nowMs) + costMs
      const waitMs = nextMs - nowMs - burst * costMs
      if (waitMs > 0) return waitMs
      fullUntilMs.set(key, nextMs)
      return 0
    },
  }
}
