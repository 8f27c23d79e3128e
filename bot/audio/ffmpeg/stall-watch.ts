/** Progress of a decoder. Byte counts only grow. */
export interface DecoderProgress {
  readonly bytesIn: number
  readonly bytesOut: number
  /** Whether it waits for input or for its reader to take output, and so cannot work. */
  readonly isBlocked: boolean
}

interface StallLimits {
  /** Ticks without a byte in or out. */
  readonly stillTicks: number
  /** Ticks without a byte of output, regardless of the input. */
  readonly silentTicks: number
}

/** One tick a second. A jump in a long file without an index is silent for a while, but reads all the time. */
export const STALL_LIMITS: StallLimits = { stillTicks: 30, silentTicks: 180 }
export const STALL_TICK_MS = 1000

/**
 * Tells whether a decoder has stalled: asked once a tick, it returns true after too many ticks without progress. Ticks
 * are counted rather than time, so a process that was suspended as a whole does not find its decoders stalled.
 */
export function createStallWatch({ stillTicks, silentTicks }: StallLimits): (now: DecoderProgress) => boolean {
  let last: DecoderProgress = { bytesIn: 0, bytesOut: 0, isBlocked: false }
  let still = 0
  let silent = 0
  return (now) => {
    const hasWritten = now.bytesOut > last.bytesOut
    const hasRead = now.bytesIn > last.bytesIn
    silent = hasWritten ? 0 : silent + (now.isBlocked ? 0 : 1)
    still = hasWritten || hasRead || now.isBlocked ? 0 : still + 1
    last = now
    return still >= stillTicks || silent >= silentTicks
  }
}
