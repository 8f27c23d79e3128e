import { monotonicNow } from '../../lib/clock.ts'

/** Time as a player knows it; tests turn it by hand. */
export interface Clock {
  /** Milliseconds that never step: for positions, waits and pauses. */
  nowMs(): number
  /** The time of day, as milliseconds since 1970: for what has a date. */
  dateMs(): number
  /** Calls back once, when `nowMs` is at least `delayMs` later. @returns a function that takes the call back; safe to repeat. */
  after(delayMs: number, call: () => void): () => void
}

/** Node fires a longer one at once. */
const LONGEST_TIMEOUT_MS = 2 ** 31 - 1

/** The machine's own. Its timers do not keep the process alive. */
export const systemClock: Clock = {
  nowMs: monotonicNow,
  dateMs: () => Date.now(),
  after(delayMs, call) {
    const dueMs = monotonicNow() + delayMs
    let timer: NodeJS.Timeout
    const arm = (ms: number): void => void (timer = setTimeout(ring, Math.min(ms, LONGEST_TIMEOUT_MS)).unref())
    // Node's timers count from the start of a turn of the event loop, and fire up to a millisecond early.
    const ring = (): void => {
      const restMs = dueMs - monotonicNow()
      if (restMs > 0) arm(restMs)
      else call()
    }
    arm(delayMs)
    return () => clearTimeout(timer)
  },
}

/** Waits for the end of `work`, which does not reject, and no longer than `ms` of this clock. */
export async function waitAtMost(clock: Clock, ms: number, work: Promise<unknown> | undefined): Promise<void> {
  const late = Promise.withResolvers<void>()
  const cancel = clock.after(ms, late.resolve)
  await Promise.race([work, late.promise])
  cancel()
}
