import type { OpusHead } from './opus.ts'

/** Takes a container apart as its bytes arrive. */
export interface Demuxer {
  /** Null until the header was read. */
  readonly head: OpusHead | null
  /** Some of the bytes were lost or changed on their way. */
  readonly isDamaged: boolean
  /** Position of the first packet in the stream, in 48 kHz samples; null until there is one. */
  readonly firstSample: number | null
  /** End of the stream, pre-skip included; null until it is reached, or if the container does not state it. */
  readonly endSample: number | null
  /**
   * The Opus packets that these bytes complete. They may lie in `bytes`, or in memory that the next call uses again.
   * @throws {MalformedError} when this is not the container it should be.
   */
  push(bytes: Buffer): readonly Buffer[]
}

/** The bytes are not what they were said to be. The message ends up in sentences for callers. */
export class MalformedError extends Error {
  override readonly name = 'MalformedError'
}
