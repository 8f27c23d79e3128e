import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { monotonicNow } from '../../../lib/clock.ts'

/** Bytes processed per turn of the event loop, which delays the frames of all players. */
const SLICE_BYTES = 64 * 1024
/** The index of a long film, or a cover. */
const BURST_BYTES = 4 * 1024 * 1024
/** Seven times the best sound there is. */
const BYTES_PER_MS = (8 * 1024 * 1024) / 1000

/** Bounds how much of a source's bytes the audio thread works on, in one turn and in a second. */
export class Pace {
  #leftBytes = BURST_BYTES
  #atMs = monotonicNow()

  /** The chunk in pieces, each in a turn of its own. */
  async *slices(chunk: Buffer): AsyncGenerator<Buffer, void> {
    for (let at = 0; at < chunk.length; at += SLICE_BYTES) {
      const slice = chunk.subarray(at, at + SLICE_BYTES)
      await this.#turn(slice.length)
      yield slice
    }
  }

  async #turn(bytes: number): Promise<void> {
    const nowMs = monotonicNow()
    const earned = (nowMs - this.#atMs) * BYTES_PER_MS
    this.#atMs = nowMs
    this.#leftBytes = Math.min(BURST_BYTES, this.#leftBytes + earned) - bytes
    if (this.#leftBytes < 0) await sleep(-this.#leftBytes / BYTES_PER_MS)
    else await nextTurn()
  }
}
