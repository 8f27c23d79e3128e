import { monotonicNow } from '../../../lib/clock.ts'

/** A second of music. */
const PIECE_BYTES = 16 * 1024
/** Time that a released piece rests, because frames taken from it may still be mixed, sent or copied. */
const REST_MS = 1000
/** One rests for so many in use, at least so many: players give back a twentieth of theirs in that time. */
const IN_USE_PER_RESTING = 8
const LEAST_RESTING = 16

/**
 * Memory for frames that wait, used again and again. Otherwise each frame would hold the piece of the file that it was read
 * with for as long as it waits, until it is so old that only a collection of the whole heap frees it: megabytes a player.
 */
export class FrameMemory {
  readonly #now: () => number
  readonly #resting: { readonly piece: ArrayBufferLike; readonly sinceMs: number }[] = []
  #inUse = 0

  constructor(now: () => number = monotonicNow) {
    this.#now = now
  }

  /** Returns a piece of `PIECE_BYTES`, or a larger one for a larger frame. */
  take(leastBytes: number): ArrayBufferLike {
    if (leastBytes > PIECE_BYTES) return Buffer.allocUnsafeSlow(leastBytes).buffer
    this.#inUse++
    const [oldest] = this.#resting
    if (oldest && this.#now() - oldest.sinceMs >= REST_MS) return this.#resting.shift()!.piece
    return Buffer.allocUnsafeSlow(PIECE_BYTES).buffer
  }

  /** No frame in it is waited for any more. */
  release(piece: ArrayBufferLike): void {
    if (piece.byteLength !== PIECE_BYTES) return
    this.#inUse--
    const most = Math.max(LEAST_RESTING, this.#inUse / IN_USE_PER_RESTING)
    if (this.#resting.length < most) this.#resting.push({ piece, sinceMs: this.#now() })
  }
}
