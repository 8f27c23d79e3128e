import { createDecipheriv } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { createPieceCount } from '../../../lib/buffers.ts'
import { Fault } from '../../../lib/errors.ts'
import { monotonicNow } from '../../../lib/clock.ts'
import type { Egress } from '../../../upstream/egress/egress-guard.ts'
import type { HlsKey, HlsRange, HlsSegment } from '../../sources/hls/hls-playlist.ts'
import type { HlsRequest, HlsWindow, ReadHlsWindow } from '../../sources/hls/hls-windows.ts'
import { Pace } from './read-rate.ts'
import type { Bytes } from './track-bytes.ts'
import { refusedWith } from '../../sources/http/http-status.ts'

/** Ten seconds of the best sound there is, or half a minute with a small picture. */
const SEGMENT_BYTES = 8 * 1024 * 1024
const KEY_BYTES = 16
/** Of an ID3 tag. */
const TAG_HEAD_BYTES = 10
/** For one segment, its retries not counted. */
const FETCH_MS = 15_000
const ATTEMPTS = 4
const RETRY_MS = 500
/** How long a playlist may be unavailable while the track plays: its server restarts, or the thread that reads it does. */
const PATIENCE_MS = 30_000
/** Minimum interval between requests for a playlist. */
const LEAST_RELOAD_MS = 500

export interface HlsOptions {
  readonly egress: Egress
  readonly readHlsWindow: ReadHlsWindow
  /** Of a media playlist. */
  readonly url: string
  readonly isStream: boolean
  /** It has to be asked again; in plain words. */
  readonly onTrouble: (text: string) => void
}

/** The sound of an HLS playlist: its segments, one after the other, decrypted. @throws {Fault} */
export async function openHlsBytes(options: HlsOptions): Promise<Bytes> {
  const source = new HlsSource(options)
  await source.open()
  return source
}

class HlsSource implements Bytes {
  readonly sizeBytes = null
  readonly isSeekable = false
  readonly #options: HlsOptions
  readonly #closing = new AbortController()
  readonly #pace = new Pace()
  readonly #keys = new Map<string, Promise<Buffer>>()
  #first: HlsWindow | null = null

  constructor(options: HlsOptions) {
    this.#options = options
  }

  get state(): string | null {
    const first = this.#first
    return this.#options.isStream || !first ? null : `hls ${first.lengthMs} ${first.count}`
  }

  async open(): Promise<void> {
    this.#first = await this.#window('open', 0)
  }

  /** All of it, or what a live one sends from now on. */
  read(_fromByte: number): AsyncIterable<Buffer> {
    return this.#bytesOf(this.#opened)
  }

  async readFromTime(ms: number): Promise<{ readonly fromMs: number; readonly bytes: AsyncIterable<Buffer> }> {
    const first = this.#opened
    const isAtStart = this.#options.isStream || ms < (first.segments[0]?.durationMs ?? 0)
    const window = isAtStart ? first : await this.#window({ ms })
    return { fromMs: window.fromMs, bytes: this.#bytesOf(window) }
  }

  close(): void {
    this.#closing.abort()
  }

  get #opened(): HlsWindow {
    if (!this.#first) throw new Error('An HLS source was read before it was opened.')
    return this.#first
  }

  #bytesOf(window: HlsWindow): AsyncIterable<Buffer> {
    return this.#withInits(this.#options.isStream ? this.#live(window) : this.#finished(window))
  }

  /** Each segment is fetched while the previous one it is played. */
  async *#withInits(segments: AsyncIterable<HlsSegment>): AsyncGenerator<Buffer, void> {
    let ahead: Promise<readonly Iterable<Buffer>[]> | null = null
    let init: string | null = null
    for await (const segment of segments) {
      const parts: Promise<Iterable<Buffer>>[] = []
      const named = segment.init && JSON.stringify(segment.init)
      if (segment.init && named !== init) parts.push(this.#fetch(segment.init.url, segment.init.range, SEGMENT_BYTES))
      init = named
      parts.push(this.#sound(segment))
      const next = Promise.all(parts)
      // Told when its turn comes.
      next.catch(() => undefined)
      if (ahead) for (const part of await ahead) yield* part
      ahead = next
      if (this.#closing.signal.aborted) return
    }
    if (ahead) for (const part of await ahead) yield* part
  }

  async *#finished(first: HlsWindow): AsyncGenerator<HlsSegment, void> {
    let window = first
    for (;;) {
      yield* window.segments
      const last = window.segments.at(-1)
      if (window.isLast || !last) return
      window = await this.#window({ sequence: last.sequence + 1 })
    }
  }

  async *#live(first: HlsWindow): AsyncGenerator<HlsSegment, void> {
    const { signal } = this.#closing
    let window = first
    let next = 0
    while (!signal.aborted) {
      for (const segment of window.segments) {
        next = segment.sequence + 1
        yield segment
      }
      if (window.isLast && window.isEnded) return
      const delayMs = window.isLast ? window.targetMs / 2 : 0
      await sleep(Math.max(LEAST_RELOAD_MS, delayMs), undefined, { signal })
      window = await this.#window({ sequence: next })
    }
  }

  #trouble(what: string, cause: unknown): void {
    const why = cause instanceof Error ? cause.message : 'no reason given'
    this.#options.onTrouble(`fetching ${what} failed, retrying: ${why}`)
  }

  async #window(from: HlsRequest['from'], patienceMs = PATIENCE_MS): Promise<HlsWindow> {
    const { url, isStream: isLive, readHlsWindow } = this.#options
    const untilMs = monotonicNow() + patienceMs
    for (let attempt = 1; ; attempt++) {
      try {
        return await readHlsWindow({ url, isLive, from }, this.#deadline())
      } catch (cause) {
        const isRefused = cause instanceof Fault && cause.code === 'validation_error'
        const isGone = !isLive && cause instanceof Fault && cause.code === 'not_found'
        if (isRefused || isGone || monotonicNow() >= untilMs || this.#closing.signal.aborted) throw asFault(cause)
        this.#trouble('the playlist', cause)
        await sleep(RETRY_MS * Math.min(attempt, ATTEMPTS), undefined, { signal: this.#closing.signal })
      }
    }
  }

  #deadline(): AbortSignal {
    return AbortSignal.any([this.#closing.signal, AbortSignal.timeout(FETCH_MS)])
  }

  async #sound({ url, range, key }: HlsSegment): Promise<Iterable<Buffer>> {
    const pieces = await this.#fetch(url, range, SEGMENT_BYTES)
    return withoutTag(key ? decrypted(pieces, await this.#keyAt(key), key) : pieces)
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
        if (isRefused || cause instanceof TooLarge || attempt === ATTEMPTS || this.#closing.signal.aborted)
          throw asFault(cause)
        this.#trouble('a segment', cause)
        await sleep(RETRY_MS * attempt, undefined, { signal: this.#closing.signal })
      }
    }
  }

  async #get(url: string, range: HlsRange | null, most: number): Promise<readonly Buffer[]> {
    const signal = this.#deadline()
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
function asFault(cause: unknown): Fault {
  if (cause instanceof Fault) return cause
  return new Fault('upstream_failed', 'A segment of this track timed out.', { cause })
}

/** From one byte to before another. */
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
    throw new Fault('upstream_failed', 'The service cannot decrypt a segment of this track.', { cause })
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
