import { setTimeout as sleep } from 'node:timers/promises'
import { PLANS, type Plan } from '../../lib/plans.ts'
import { createLeakyBuckets } from '../../lib/sharing/leaky-buckets.ts'

/** Music has no rate limit, and refusals are free: 500 of either in a second take half of the thread's time. */
const PER_SECOND_AND_PLAYER = 10
const BURST_SECONDS = 1
const MAX_WAIT_MS = 5000
/** A project that has asked for nothing for so long does not mind. */
const ACTIVE_MS = 5000

interface Asking {
  readonly projectId: string
  readonly plan: Plan
}

/** Holds back the requests of a project that sends far more than its players need, while others ask for something. */
export type RequestPace = ReturnType<typeof createRequestPace>

export function createRequestPace(now = () => performance.now()) {
  const buckets = createLeakyBuckets(now)
  let last = { projectId: '', atMs: -Infinity }
  /** When a project other than the last one asked. */
  let otherAtMs = -Infinity

  return {
    /** Counts a request. @returns how long it waits, in milliseconds */
    take({ projectId, plan }: Asking): number {
      const nowMs = now()
      if (last.projectId !== projectId) otherAtMs = last.atMs
      last = { projectId, atMs: nowMs }
      if (nowMs - otherAtMs > ACTIVE_MS) return 0
      const perSecond = PER_SECOND_AND_PLAYER * PLANS[plan].players
      return buckets.book(projectId, { burst: perSecond * BURST_SECONDS, perSecond }, MAX_WAIT_MS)
    },
  }
}

/** Waits for its turn, or for its caller to go away. @returns null if it need not wait */
export function paceRequest(
  pace: RequestPace,
  asking: Asking,
  of: { readonly signal: AbortSignal },
): Promise<void> | null {
  const waitMs = pace.take(asking)
  return waitMs > 0 ? sleep(waitMs, undefined, { signal: of.signal }).catch(() => undefined) : null
}
