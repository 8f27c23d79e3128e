import { createLru } from './lru.ts'

/** A burst, and so many in a second from then on. */
interface BucketLimit {
  readonly burst: number
  readonly perSecond: number
}

const MAX_BUCKETS = 20_000

/** Leaky buckets (GCRA), in memory: a restart forgives. */
export function createLeakyBuckets(now: () => number) {
  const fullUntilMs = createLru<string, number>(MAX_BUCKETS)
  const next = (key: string, { burst, perSecond }: BucketLimit) => {
    const costMs = 1000 / perSecond
    const nowMs = now()
    const untilMs = Math.max(fullUntilMs.get(key) ?? 0, nowMs) + costMs
    return { untilMs, waitMs: Math.max(0, untilMs - nowMs - burst * costMs) }
  }
  return {
    /** Returns the wait in milliseconds until one can be taken; 0 means now. */
    waitMs: (key: string, limit: BucketLimit) => next(key, limit).waitMs,
    /** Returns how many can be taken now. */
    left: (key: string, { burst, perSecond }: BucketLimit) =>
      Math.floor(burst - (Math.max(0, (fullUntilMs.get(key) ?? 0) - now()) * perSecond) / 1000),
    /** Takes one. @returns 0, or how long to wait in milliseconds; what is refused does not count. */
    take(key: string, limit: BucketLimit): number {
      const { untilMs, waitMs } = next(key, limit)
      if (waitMs === 0) fullUntilMs.set(key, untilMs)
      return waitMs
    },
    /** Takes one in any case. @returns the wait for its turn in milliseconds, `maxWaitMs` for all that come too late for it. */
    book(key: string, limit: BucketLimit, maxWaitMs: number): number {
      const { untilMs, waitMs } = next(key, limit)
      const lateMs = Math.max(0, waitMs - maxWaitMs)
      fullUntilMs.set(key, untilMs - lateMs)
      return waitMs - lateMs
    },
  }
}
