/**
 * Milliseconds of a monotonic clock, unaffected by changes of the system clock: for what is
 * measured, waited for or held back. They begin at the time of day of the start and may be off it later; what has a
 * date takes `Date.now`.
 */
export function monotonicNow(): number {
  return Math.floor(performance.timeOrigin + performance.now())
}

/** Milliseconds of `process.hrtime`, the same in all threads of a process: for what they tell each other. */
export function threadsNow(): number {
  return Number(process.hrtime.bigint()) / 1e6
}

/** Waits by a clock of which tests turn the hands. */
export function wait(clock: { after(delayMs: number, call: () => void): unknown }, ms: number): Promise<void> {
  return new Promise((resolve) => void clock.after(ms, resolve))
}
