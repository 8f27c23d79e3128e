import { createDecipheriv } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { createPieceCount } from '../../../lib/buffers.ts'
import { Fault } from '../../../lib/errors.ts'
import type { Egress } from '../../../upstream/egress/egress-guard.ts'
import { refusedWith } from '../../sources/http/http-status.ts'
import type { HlsKey } from '../../sources/hls/hls-keys.ts'
import type { HlsInit, HlsRange, HlsSegment } from '../../sources/hls/hls-playlist.ts'
import { Pace } from './read-rate.ts'

/** Ten seconds of the best sound there is, or half a minute with a small picture. */
const SEGMENT_BYTES = 8 * 1024 * 1024
const KEY_BYTES = 16
/** Of an ID3 tag. */
const TAG_HEAD_BYTES = 10
/** Timeout for one segment, retries not included. */
export const FETCH_MS = 15_000
export const ATTEMPTS = 4
export const RETRY_MS = 500

interface SegmentReaderOptions {
  readonly egress: Egress
  readonly signal: AbortSignal
  readonly onTrouble: (what: string, cause: unknown) => void
}

/** Fetches the segments of an HLS playlist and what stands before them, decrypted. */
export class SegmentReader {
  readonly #options: SegmentReaderOptions
  readonly #pace = new Pace()
  readonly #keys = new Map<string, Promise<Buffer>>()

  constructor(options: SegmentReaderOptions) {
    this.#options = options
  }

  async sound({ url, range, key }: HlsSegment): Promise<Iterable<Buffer>> {
    const pieces = await this.#fetch(url, range, SEGMENT_BYTES)
    return withoutTag(key ? decrypted(pieces, await this.#keyAt(key), key) : pieces)
  }

  /** The key that is in force where the initialisation is named decrypts it; many packagers leave it as it is. */
  async init({ url, range, key }: HlsInit): Promise<Iterable<Buffer>> {
    const pieces = await this.#fetch(url, range, SEGMENT_BYTES)
    return key && !isMp4(pieces) ? decrypted(pieces, await this.#keyAt(key), key) : pieces
  }

  #keyAt({ url }: HlsKey): Promise<Buffer> {
    const known = this.#keys.get(url)
    if (known) return known
    // Live streams rotate keys: only the last one is needed.
    this.#keys.clear()
    const key = this.#fetch(url, null, KEY_BYTES).then((pieces) => Buffer.concat(pieces))
    this.#keys.set(url, key)
    return key
  }

  async #fetch(url: string, range: HlsRange | null, most: number): Promise<readonly Buffer[]> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#get(url, range, most)
      } catch (cause) {
        const isRefused = cause instanceof Fault && cause.code === 'validation_error'
        if (isRefused || cause instanceof TooLarge || attempt === ATTEMPTS || this.#options.signal.aborted)
          throw asFault(cause)
        this.#options.onTrouble('a segment', cause)
        await sleep(RETRY_MS * attempt, undefined, { signal: this.#options.signal })
      }
    }
  }

  async #get(url: string, range: HlsRange | null, most: number): Promise<readonly Buffer[]> {
    const signal = AbortSignal.any([this.#options.signal, AbortSignal.timeout(FETCH_MS)])
    const wanted = range && { range: `bytes=${range.fromByte}-${range.fromByte + range.bytes - 1}` }
    const headers = { accept: '*/*', 'accept-encoding': 'identity', ...wanted }
    const response = await this.#options.egress.open(url, { headers, signal })
    const { body } = response
    const stop = () => body.destroy()
    signal.addEventListener('abort', stop, { once: true })
    try {
      if (response.status !== 200 && response.status !== 206) throw refusedWith(response.status)
      // A host that knows no ranges sends all.
      const skipped = range && response.status === 200 ? range.fromByte : 0
      const pieces = await this.#read(body as AsyncIterable<Buffer>, skipped + most)
      return range ? [...cut(pieces, skipped, skipped + range.bytes)] : pieces
    } finally {
      signal.removeEventListener('abort', stop)
      body.destroy()
    }
  }

  async #read(body: AsyncIterable<Buffer>, most: number): Promise<readonly Buffer[]> {
    const pieces: Buffer[] = []
    const count = createPieceCount()
    for await (const chunk of body) {
      if (!count.add(chunk))
        throw new TooLarge('upstream_failed', 'A segment of this track comes in too many small chunks.')
      if (count.bytes > most) throw new TooLarge('upstream_failed', 'A segment of this track is too large.')
      for await (const piece of this.#pace.slices(chunk)) pieces.push(piece)
    }
    return pieces
  }
}

/** To ask again would bring as much again. */
class TooLarge extends Fault {}

/** Anything else would look like the end of the track. */
export function asFault(cause: unknown): Fault {
  if (cause instanceof Fault) return cause
  return new Fault('upstream_failed', 'A segment of this track timed out.', { cause })
}

/** Whether the pieces start with an MP4 box whose header is readable, as MP4 encryption leaves it. */
function isMp4(pieces: readonly Buffer[]): boolean {
  const type = Buffer.concat(pieces.slice(0, 8)).toString('latin1', 4, 8)
  return ['ftyp', 'styp', 'moov', 'sidx', 'free'].includes(type)
}

/** Yields the bytes from one offset up to another. */
function* cut(pieces: Iterable<Buffer>, from: number, to = Infinity): Generator<Buffer> {
  let at = 0
  for (const piece of pieces) {
    const part = piece.subarray(Math.max(0, from - at), Math.max(0, to - at))
    at += piece.length
    if (part.length > 0) yield part
  }
}

function* decrypted(pieces: Iterable<Buffer>, key: Buffer, { iv }: HlsKey): Generator<Buffer> {
  try {
    const decipher = createDecipheriv('aes-128-cbc', key, Buffer.from(iv, 'hex'))
    for (const piece of pieces) yield decipher.update(piece)
    yield decipher.final()
  } catch (cause) {
    throw new Fault('upstream_failed', "The service can't decrypt a segment of this track.", { cause })
  }
}

/** Raw audio segments start with a timestamp tag (ID3), which would be noise in the middle of a stream. */
function* withoutTag(pieces: Iterable<Buffer>): Generator<Buffer> {
  const rest = pieces[Symbol.iterator]()
  let head: Buffer = Buffer.alloc(0)
  while (head.length < TAG_HEAD_BYTES) {
    const { value, done } = rest.next()
    if (done) break
    head = Buffer.concat([head, value])
  }
  const isTagged = head.length >= TAG_HEAD_BYTES && head.toString('latin1', 0, 3) === 'ID3'
  const size = head.subarray(6, TAG_HEAD_BYTES).reduce((sum, byte) => sum * 128 + (byte & 0x7f), 0)
  yield* cut(all(head, rest), isTagged ? TAG_HEAD_BYTES + size : 0)
}

function* all(head: Buffer, rest: Iterator<Buffer>): Generator<Buffer> {
  yield head
  for (let next = rest.next(); !next.done; next = rest.next()) yield next.value
}
