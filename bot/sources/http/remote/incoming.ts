import type { Readable } from 'node:stream'
import { createPieceCount } from '../../../../lib/buffers.ts'
import { withTimeout } from '../../../../lib/deadline.ts'
import type { RandomAccessBytes } from '../random-access.ts'

/** Kept of what has come, so that a parser may go back: tags with covers stand in front. */
const KEPT_BYTES = 16 * 1024 * 1024
/** More is not read to find an index behind the sound. */
const MOST_BYTES = 64 * 1024 * 1024
/** Time limit for all reads behind the first bytes. */
const REST_MS = 6000

interface Piece {
  readonly at: number
  readonly bytes: Buffer
}

/** An answer that can only be read forwards, as far as a parser needs it. */
export class Incoming {
  readonly #chunks: AsyncIterator<Buffer, undefined>
  #pending: Promise<IteratorResult<Buffer, undefined>> | null = null
  readonly #count = createPieceCount()
  #pieces: Piece[] = []
  #endByte = 0
  #state: 'open' | 'ended' | 'broken' = 'open'

  constructor(body: Readable) {
    this.#chunks = body[Symbol.asyncIterator]() as AsyncIterator<Buffer, undefined>
  }

  /** Nothing follows what has come, and nothing is missing. */
  get hasEnded(): boolean {
    return this.#state === 'ended'
  }

  get length(): number {
    return this.#endByte
  }

  /** The first bytes, or those that come in time. */
  async start(length: number, ms: number): Promise<Buffer> {
    const late = AbortSignal.timeout(ms)
    const reading = (async () => {
      // One more tells whether anything follows.
      while (!late.aborted && this.#endByte <= length && (await this.#pull(0)));
    })()
    await withTimeout(ms, reading, () => undefined)
    return this.#cut(0, length)
  }

  /** To be read from its start to its end, and back only as far as it is kept. */
  bytes(size: number | null): RandomAccessBytes {
    let late: AbortSignal | null = null
    return {
      size: size ?? (this.hasEnded ? this.#endByte : null),
      isSeekable: this.hasEnded,
      read: async (at, length) => {
        // Reads too far behind the start, or of too many bytes, fail without an attempt.
        const isTooFar = size !== null ? Math.min(at + length, size) > MOST_BYTES : at > MOST_BYTES
        if (isTooFar || length > KEPT_BYTES) throw new Error('Reading this file takes too long.')
        if (at + length > this.#endByte) late ??= AbortSignal.timeout(REST_MS)
        await this.#reach(at, at + length, late)
        return this.#cut(at, length)
      },
      close: async () => {},
    }
  }

  async #reach(at: number, endByte: number, late: AbortSignal | null): Promise<void> {
    while (this.#endByte < endByte && this.#state === 'open') {
      if (late?.aborted || this.#endByte > MOST_BYTES) throw new Error('Reading this file takes too long.')
      const pulling = this.#pull(at)
      await (late ? withTimeout(REST_MS, pulling, () => undefined) : pulling)
    }
  }

  /** @returns false at the end. */
  async #pull(neededFrom: number): Promise<boolean> {
    this.#pending ??= this.#chunks.next()
    const { value, done } = await this.#pending.catch(() => {
      this.#state = 'broken'
      return { value: undefined, done: true } as const
    })
    this.#pending = null
    if (!done && !this.#count.add(value)) {
      this.#state = 'broken'
      return false
    }
    if (done) {
      if (this.#state === 'open') this.#state = 'ended'
      return false
    }
    this.#pieces.push({ at: this.#endByte, bytes: value })
    this.#endByte += value.length
    if (this.#endByte > KEPT_BYTES) this.#forgetUntil(neededFrom)
    return true
  }

  #forgetUntil(byte: number): void {
    const isKept = ({ at, bytes }: Piece) => at + bytes.length <= KEPT_BYTES / 4 || at + bytes.length > byte
    this.#pieces = this.#pieces.filter(isKept)
  }

  #cut(at: number, length: number): Buffer {
    const parts: Buffer[] = []
    let next = at
    for (const piece of this.#pieces) {
      if (next < piece.at || next >= piece.at + piece.bytes.length || next >= at + length) continue
      const part = piece.bytes.subarray(next - piece.at, at + length - piece.at)
      parts.push(part)
      next += part.length
    }
    return parts.length === 1 ? parts[0]! : Buffer.concat(parts)
  }
}
