import { monotonicNow } from '../../../lib/clock.ts'

/** A second of music. */
const PIECE_BYTES = 16 * 1024
/** What was taken out of a piece may be in use for so long after it came back: a frame that is mixed, sent or copied. */
const REST_MS = 1000
/** 2 MiB: what a hundred players give back in that time. */
const MOST_RESTING = 128

interface Resting {
  readonly piece: ArrayBufferLike
  readonly sinceMs: number
}

/**
 * Memory for frames that wait, used again and again. Otherwise each frame would hold the piece of the file that it was read
 * with for as long as it waits, until it is so old that only a collection of the whole heap frees it: megabytes a player.
 */
export class FrameMemory {
  readonly #now: () => number
  readonly #resting: Resting[] = []

  constructor(now: () => number = monotonicNow) {
    this.#now = now
  }

  /** Of `PIECE_BYTES`, or more for a frame that is larger. */
  take(leastBytes: number): ArrayBufferLike {
    const [oldest] = this.#resting
    const isReady = leastBytes <= PIECE_BYTES && oldest && this.#now() - oldest.sinceMs >= REST_MS
    if (isReady) return this.#resting.shift()!.piece
    return Buffer.allocUnsafeSlow(Math.max(PIECE_BYTES, leastBytes)).buffer
  }

  /** No frame in it is waited for any more. */
  release(piece: ArrayBufferLike): void {
    if (piece.byteLength !== PIECE_BYTES || this.#resting.length >= MOST_RESTING) return
    this.#resting.push({ piece, sinceMs: this.#now() })
  }
}
