/**
 * Times that the threads of a service share without messages, which would wait for a late thread. Milliseconds of
 * `threadsNow`; 0 is never.
 */
export type SharedTimes = BigInt64Array<SharedArrayBuffer>

/** The places of `SharedTimes`; those of leases come after these. */
export const PLACES = {
  /** When the main thread was last seen at work. */
  main: 0,
  /** Until when all leases are held. */
  heldUntil: 1,
  firstLease: 2,
} as const

/** Far more than a service runs at a time. */
export const MAX_LEASES = 4096

export function createSharedTimes(): SharedTimes {
  return new BigInt64Array(new SharedArrayBuffer((PLACES.firstLease + MAX_LEASES) * BigInt64Array.BYTES_PER_ELEMENT))
}

export function readTime(times: SharedTimes, place: number): number {
  return Number(Atomics.load(times, place))
}

export function writeTime(times: SharedTimes, place: number, ms: number): void {
  Atomics.store(times, place, BigInt(Math.floor(ms)))
}
