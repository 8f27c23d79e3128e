/**
 * Milliseconds of a monotonic clock, unaffected by changes of the system clock: for what is
 * measured, waited for or held back. They begin at the time of day of the start and may be off it later; what has a
 * date takes `Date.now`.
 */
export function monotonicNow(): number {
  return Math.floor(performance.timeOrigin + performance.now())
}
