import { setTimeout as sleep } from 'node:timers/promises'
import { PLANS, type Plan } from '../../lib/plans.ts'
import { createLru } from '../../lib/sharing/lru.ts'

/** Music has no rate limit, and refusals are free: 500 of either in a second take half of the thread's time. */
const PER_SECOND_AND_PLAYER = 10
const BURST_SECONDS = 1
const MAX_WAIT_MS = 5000
/** A project that has asked for nothing for so long does not mind. */
const ACTIVE_MS = 5000
const MAX_PROJECTS = 10_000

interface Asking {
  readonly projectId: string
  readonly plan: Plan
}

/** Holds back the requests of a project that sends far more than its players need, while others ask for something. */
export interface RequestPace {
  /** Counts a request. @returns how long it waits, in milliseconds */
  take(asking: Asking): number
}

export function createRequestPace(now = () => performance.now()): RequestPace {
  /** When all that a project has asked for is paid for. */
  const paidAtMs = createLru<string, number>(MAX_PROJECTS)
  let last = { projectId: '', atMs: -Infinity }
  /** When a project other than the last one asked. */
  let otherAtMs = -Infinity

  return {
    take({ projectId, plan }) {
      const nowMs = now()
      if (last.projectId !== projectId) otherAtMs = last.atMs
      last = { projectId, atMs: nowMs }
      const restMs = nowMs - BURST_SECONDS * 1000
      const paid =
        Math.max(paidAtMs.get(projectId) ?? restMs, restMs) + 1000 / (PER_SECOND_AND_PLAYER * PLANS[plan].players)
      const isAlone = nowMs - otherAtMs > ACTIVE_MS
      paidAtMs.set(projectId, isAlone ? restMs : Math.min(paid, nowMs + MAX_WAIT_MS))
      return isAlone ? 0 : Math.max(0, Math.min(paid, nowMs + MAX_WAIT_MS) - nowMs)
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
