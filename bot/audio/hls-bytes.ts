import { createDecipheriv } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { Fault } from '../../errors.ts'
import type { Egress } from '../../upstream/egress.ts'
import {
  HlsProtectedError,
  readHls,
  type HlsKey,
  type HlsMedia,
  type HlsRange,
  type HlsSegment,
} from '../sources/hls.ts'
import type { Bytes } from './bytes.ts'
import { refusedWith } from '../sources/refused.ts'

/** A day of segments with long addresses. */
const PLAYLIST_BYTES = 8 * 1024 * 1024
/** A minute of the best sound there is. */
const SEGMENT_BYTES = 16 * 1024 * 1024
const KEY_BYTES = 16
/** For one segment, its retries not counted. */
const FETCH_MS = 15_000
const ATTEMPTS = 4
const RETRY_MS = 500
/** A live stream begins so many segments before its end, so that a late one is not missed at once. */
const LIVE_SEGMENTS = 3
/** A live playlist that cannot be read so often in a row is over. */
const LIVE_FAILURES = 10
/** No server is asked more often. */
const LEAST_RELOAD_MS = 500

export interface HlsOptions {
  readonly egress: Egress
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
  readonly #keys = new Map<string, Promise<Buffer>>()
  #media: HlsMedia | null = null

  constructor(options: HlsOptions) {
    this.#options = options
  }

  get state(): string | null {
    const media = this.#media
    return this.#options.isStream || !media ? null : `hls ${media.lengthMs} ${media.segments.length}`
  }

  async open(): Promise<void> {
    this.#media = await this.#load()
  }

  /** All of it, or what a live one sends from now on. */
  read(_fromByte: number): AsyncIterable<Buffer> {
    return this.readFromTime(0).bytes
  }

  readFromTime(ms: number): { readonly fromMs: number; readonly bytes: AsyncIterable<Buffer> } {
    const media = this.#media
    if (!media) throw new Error('An HLS source was read before it was opened.')
    if (this.#options.isStream) return { fromMs: 0, bytes: this.#withInits(this.#live(media)) }
    const { index, fromMs } = entryAt(media, ms)
    return { fromMs, bytes: this.#withInits(media.segments.slice(index)) }
  }

  close(): void {
    this.#closing.abort()
  }

  /** Each segment is fetched while the one before it is played. */
  async *#withInits(segments: Iterable<HlsSegment> | AsyncIterable<HlsSegment>): AsyncGenerator<Buffer, void> {
    let ahead: Promise<Buffer> | null = null
    let init: string | null = null
    for await (const segment of segments) {
      const parts: Promise<Buffer>[] = []
      const named = segment.init && JSON.stringify(segment.init)
      if (segment.init && named !== init) parts.push(this.#fetch(segment.init.url, segment.init.range, SEGMENT_BYTES))
      init = named
      parts.push(this.#sound(segment))
      const next = Promise.all(parts).then((all) => Buffer.concat(all))
      // Told when its turn comes.
      next.catch(() => undefined)
      if (ahead) yield await ahead
      ahead = next
      if (this.#closing.signal.aborted) return
    }
    if (ahead) yield await ahead
  }

  async *#live(first: HlsMedia): AsyncGenerator<HlsSegment, void> {
    let media = first
    let last = (media.segments.at(-LIVE_SEGMENTS) ?? media.segments[0]!).sequence - 1
    let failures = 0
    while (!this.#closing.signal.aborted) {
      const fresh = media.segments.filter(({ sequence }) => sequence > last)
      for (const segment of fresh) {
        last = segment.sequence
        yield segment
      }
      if (media.isEnded) return
      await sleep(Math.max(LEAST_RELOAD_MS, media.targetMs / 2), undefined, { signal: this.#closing.signal })
      try {
        media = await this.#load()
        failures = 0
        // It began to count anew: its server was started again.
        if ((media.segments.at(-1)?.sequence ?? 0) < last - media.segments.length) last = -1
      } catch (cause) {
        if (++failures >= LIVE_FAILURES) throw cause
        this.#trouble('the playlist', cause)
      }
    }
  }

  #trouble(what: string, cause: unknown): void {
    const why = cause instanceof Error ? cause.message : 'no reason given'
    this.#options.onTrouble(`${what} could not be fetched and is asked for again: ${why}`)
  }

  async #load(): Promise<HlsMedia> {
    const { bytes, url } = await this.#get(this.#options.url, null, PLAYLIST_BYTES)
    try {
      const playlist = readHls(bytes.toString('utf8'), url)
      if (playlist?.kind === 'media') return playlist
    } catch (cause) {
      if (cause instanceof HlsProtectedError) throw new Fault('upstream_failed', `${cause.message}.`, { cause })
      throw cause
    }
    throw new Fault('upstream_failed', 'The HLS playlist of this track lists nothing that can be played.')
  }

  async #sound({ url, range, key }: HlsSegment): Promise<Buffer> {
    const bytes = await this.#fetch(url, range, SEGMENT_BYTES)
    return withoutTag(key ? decrypted(bytes, await this.#keyAt(key), key) : bytes)
  }

  #keyAt({ url }: HlsKey): Promise<Buffer> {
    const known = this.#keys.get(url)
    if (known) return known
    // Live streams change their keys: the last one is the one that is needed.
    this.#keys.clear()
    const key = this.#fetch(url, null, KEY_BYTES)
    this.#keys.set(url, key)
    return key
  }

  async #fetch(url: string, range: HlsRange | null, most: number): Promise<Buffer> {
    for (let attempt = 1; ; attempt++) {
      try {
        return (await this.#get(url, range, most)).bytes
      } catch (cause) {
        const isFinal = cause instanceof Fault && cause.code === 'validation_error'
        if (isFinal || attempt === ATTEMPTS || this.#closing.signal.aborted) throw cause
        this.#trouble('a segment', cause)
        await sleep(RETRY_MS * attempt, undefined, { signal: this.#closing.signal })
      }
    }
  }

  async #get(url: string, range: HlsRange | null, most: number): Promise<{ bytes: Buffer; url: URL }> {
    const signal = AbortSignal.any([this.#closing.signal, AbortSignal.timeout(FETCH_MS)])
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
      const whole = await readAll(body as AsyncIterable<Buffer>, skipped + most)
      return { bytes: range ? whole.subarray(skipped, skipped + range.bytes) : whole, url: response.url }
    } finally {
      signal.removeEventListener('abort', stop)
      body.destroy()
    }
  }
}

/** The last segment that begins at or before that moment. */
function entryAt({ segments }: HlsMedia, ms: number): { index: number; fromMs: number } {
  let fromMs = 0
  for (const [index, { durationMs }] of segments.entries()) {
    if (fromMs + durationMs > ms || index === segments.length - 1) return { index, fromMs }
    fromMs += durationMs
  }
  return { index: 0, fromMs: 0 }
}

async function readAll(body: AsyncIterable<Buffer>, most: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of body) {
    chunks.push(chunk)
    bytes += chunk.length
    if (bytes > most) throw new Fault('upstream_failed', 'A part of this track is far too large.')
  }
  return Buffer.concat(chunks)
}

function decrypted(bytes: Buffer, key: Buffer, { iv }: HlsKey): Buffer {
  try {
    const decipher = createDecipheriv('aes-128-cbc', key, Buffer.from(iv, 'hex'))
    return Buffer.concat([decipher.update(bytes), decipher.final()])
  } catch (cause) {
    throw new Fault('upstream_failed', 'A part of this track cannot be decrypted.', { cause })
  }
}

/** Segments of bare sound begin with a tag that tells the time; in the middle of a stream it would be noise. */
function withoutTag(bytes: Buffer): Buffer {
  if (bytes.length < 10 || bytes.toString('latin1', 0, 3) !== 'ID3') return bytes
  const size = bytes.subarray(6, 10).reduce((sum, byte) => sum * 128 + (byte & 0x7f), 0)
  return bytes.subarray(10 + size)
}
