import type { OpusDecoderHandle } from 'libopus-wasm'
import { LIBOPUS_PRE_SKIP, SAMPLES_PER_FRAME } from '../containers/opus.ts'
import { VALUES_PER_FRAME } from './opus-codecs.ts'

const LOOK_AHEAD_VALUES = 2 * LIBOPUS_PRE_SKIP

/**
 * The sound of a stream of frames. An encoder answers 6.5 ms late, so that it gets the sound that much early: from there
 * on in a frame to as far in the next one. What it makes takes the place of the very frame then.
 */
export class DecodedStream {
  readonly #decoder: OpusDecoderHandle
  /** The frame behind the last one, which was decoded for its beginning. */
  #ahead: { readonly frame: Buffer; readonly values: Float32Array } | null = null

  constructor(decoder: OpusDecoderHandle) {
    this.#decoder = decoder
  }

  /** The samples that an encoder needs for this frame. @param following null if not available (yet). */
  take(frame: Buffer | null, following: Buffer | null): Float32Array {
    const own = frame !== null && this.#ahead?.frame === frame ? this.#ahead.values : this.#decode(frame)
    const next = this.#decode(following)
    this.#ahead = following && { frame: following, values: next }
    const values = new Float32Array(VALUES_PER_FRAME)
    values.set(own.subarray(LOOK_AHEAD_VALUES))
    values.set(next.subarray(0, LOOK_AHEAD_VALUES), VALUES_PER_FRAME - LOOK_AHEAD_VALUES)
    return values
  }

  /** Decodes a frame. Missing or damaged frames are concealed, as a listener's decoder does. */
  #decode(frame: Buffer | null): Float32Array {
    try {
      const values = this.#decoder.decodeFloat(frame, { maxFrameSize: SAMPLES_PER_FRAME })
      if (values.length === VALUES_PER_FRAME) return values
    } catch {
      // Not Opus, or more than a frame.
    }
    return frame === null ? new Float32Array(VALUES_PER_FRAME) : this.#decode(null)
  }
}
