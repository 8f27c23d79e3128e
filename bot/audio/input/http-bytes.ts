import { PassThrough, type Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { monotonicNow } from '../../../lib/clock.ts'
import { Fault } from '../../../lib/errors.ts'
import type { Egress, EgressResponse } from '../../../upstream/egress/egress-guard.ts'
import { contentRangeOf, totalBytesOf } from '../../sources/http/remote/content-range.ts'
import { refusedWith } from '../../sources/http/http-status.ts'
import { icyIntervalOf } from '../../sources/http/icy-interval.ts'
import { Pace } from './read-rate.ts'
import type { TrackBytes } from './bytes.ts'
import { following, NOTHING, START_BYTES, startsWith } from './same-start.ts'
import { IcyStripper } from '../containers/shoutcast-metadata.ts'

/** Read at full speed into this much, so that a host does not hang up on a slow reader. */
const WINDOW_BYTES = 1024 * 1024
/** A connection that delivers nothing for this long is given up and opened again; the frames ahead last longer. */
const STALL_MS = 6000
/** Attempts in a row that bring not one byte. */
const MAX_ATTEMPTS = 5
const RETRY_MS = 400
/** An answer with less than this was of no use: the wait for the next one grows. */
const USEFUL_BYTES = 4096
/** Minimum time that a radio must send to count as available. */
const USEFUL_MS = 10_000
/** A host that cannot resume is read again from the start only for so much. */
const MAX_REREAD_BYTES = 64 * 1024 * 1024

/** A host that sends nothing may have more. */
class StallError extends Error {}
/** The host has no more: the file is shorter than it said. */
class ShortFileError extends Error {}
/** The host began again with the same: it sends a file, not a radio. */
class SameAgainError extends Error {}

interface HttpOptions {
  readonly egress: Egress
  readonly url: string
  /** Endless: a dropped connection is reopened and continues with what is sent then. */
  readonly isStream: boolean
  /** Same as in `Playable`. */
  readonly offsetParameter?: string
  readonly onTitle: (title: string) => void
  /** Called before a retry, with the reason in plain words. */
  readonly onTrouble: (text: string) => void
}

/** Opens an address. Every drop is bridged: by Range where the host knows it. @throws {Fault} */
export async function openHttpBytes(options: HttpOptions): Promise<TrackBytes> {
  const source = new HttpSource(options)
  await source.open()
  return source
}

/** State of one response while it is read. */
interface Answer {
  /** Whether it is a part of the file, whose end may not be the end of the file. */
  isPart: boolean
  /** The one before it ended as if there were no more. */
  readonly isAfterEnd: boolean
}

class HttpSource implements TrackBytes {
  readonly #options: HttpOptions
  readonly #closing = new AbortController()
  readonly #pace = new Pace()
  #first: EgressResponse | null = null
  #sizeBytes: number | null = null
  #isSeekable = false
  #etag: string | undefined
  /** First bytes that the host sent originally. */
  #start: Buffer = Buffer.alloc(0)
  #state: string | null = null

  constructor(options: HttpOptions) {
    this.#options = options
  }

  get sizeBytes(): number | null {
    return this.#sizeBytes
  }

  get isSeekable(): boolean {
    return this.#isSeekable
  }

  get state(): string | null {
    return this.#state
  }

  async open(): Promise<void> {
    const response = await this.#request(0)
    this.#first = response
    if (this.#options.isStream) return
    this.#sizeBytes = totalBytesOf(response)
    this.#isSeekable = response.status === 206 && this.#sizeBytes !== null
    this.#etag = response.headers['etag']
    const version = this.#etag ?? response.headers['last-modified'] ?? ''
    if (this.#sizeBytes !== null) this.#state = `${this.#sizeBytes} ${version}`
  }

  async *read(fromByte: number): AsyncGenerator<Buffer, void> {
    let at = fromByte
    let attempts = 0
    let failure: unknown = null
    while (!this.#closing.signal.aborted) {
      const sinceMs = monotonicNow()
      const sinceByte = at
      const answer: Answer = { isPart: false, isAfterEnd: at > 0 && failure === null }
      failure = null
      try {
        for await (const chunk of this.#readOnce(at, answer)) {
          this.#keepStart(chunk, at)
          at += chunk.length
          yield chunk
        }
      } catch (error) {
        if (error instanceof ShortFileError || error instanceof SameAgainError) return
        failure = error
        // A radio that restarts is gone for a moment only.
        if (!this.#options.isStream && error instanceof Fault && error.code === 'not_found') throw error
      }
      const got = at - sinceByte
      if (this.#closing.signal.aborted || (failure === null && this.#isWhole(at, got, answer))) return
      const isUseful = this.#options.isStream ? monotonicNow() - sinceMs >= USEFUL_MS : got >= USEFUL_BYTES
      if (isUseful) attempts = 0
      // Some hosts give a file out in parts, however much they are asked for.
      if (isUseful && failure === null && answer.isPart) continue
      if (++attempts > MAX_ATTEMPTS) throw broken(failure)
      const why = failure instanceof Error ? failure.message : 'it ended too early'
      this.#options.onTrouble(`source stopped after ${at} bytes, requesting the rest: ${why}`)
      await sleep(RETRY_MS * attempts, undefined, { signal: this.#closing.signal }).catch(() => undefined)
    }
  }

  /** Reads from a time, or from the start if the host cannot begin later. */
  async readFromTime(ms: number): Promise<{ readonly fromMs: number; readonly bytes: AsyncIterable<Buffer> }> {
    const { offsetParameter, url } = this.#options
    const seconds = Math.floor(ms / 1000)
    const isEncoding = !this.#isSeekable && this.#sizeBytes === null
    if (offsetParameter === undefined || !isEncoding || seconds === 0) return { fromMs: 0, bytes: this.read(0) }
    const later = new URL(url)
    later.searchParams.set(offsetParameter, String(seconds))
    const source = new HttpSource({ ...this.#options, url: later.href })
    this.#closing.signal.addEventListener('abort', () => source.close(), { once: true })
    this.#first?.body.destroy()
    this.#first = null
    return { fromMs: seconds * 1000, bytes: source.read(0) }
  }

  close(): void {
    this.#closing.abort()
    this.#first?.body.destroy()
    this.#first = null
  }

  /** A connection that ends early is not the end of the track, nor is the end of a part of it. */
  #isWhole(at: number, got: number, { isPart }: Answer): boolean {
    if (this.#options.isStream) return false
    if (this.#sizeBytes !== null) return at >= this.#sizeBytes
    return !isPart || got === 0
  }

  #keepStart(chunk: Buffer, at: number): void {
    const isNext = at === this.#start.length && at < START_BYTES
    if (isNext) this.#start = Buffer.concat([this.#start, chunk.subarray(0, START_BYTES - at)])
  }

  async *#readOnce(fromByte: number, answer: Answer): AsyncGenerator<Buffer, void> {
    const response = await this.#responseFrom(fromByte)
    answer.isPart = response.status === 206
    let skipBytes = this.#skipBytes(response, fromByte)
    let hasMore = false
    const window = this.#windowOf(response)
    try {
      const sound = this.#soundOf(window, response)
      const again = skipBytes > 0 || answer.isAfterEnd ? await this.#compare(response, sound, fromByte) : NOTHING
      if (again.isSame && this.#options.isStream && answer.isAfterEnd) throw new SameAgainError()
      // Nothing of it was heard before: what is sent now is a radio.
      if (!again.isSame && this.#sizeBytes === null) skipBytes = 0
      for await (const slice of following(again.held, sound)) {
        const rest = slice.subarray(Math.min(skipBytes, slice.length))
        skipBytes -= slice.length - rest.length
        if (rest.length > 0) yield rest
        hasMore ||= rest.length > 0
      }
    } catch (error) {
      const isSameEnd = response.status === 200 && fromByte > 0 && skipBytes === 0 && !hasMore
      const isBroken = error instanceof StallError || error instanceof SameAgainError
      if (isSameEnd && !this.#options.isStream && !isBroken) throw new ShortFileError()
      throw error
    } finally {
      window.destroy()
      response.body.destroy()
    }
  }

  /** Returns the number of bytes of the response that were read before. */
  #skipBytes(response: EgressResponse, fromByte: number): number {
    if (this.#options.isStream) return 0
    const startsAt = response.status === 206 ? (contentRangeOf(response)?.fromByte ?? fromByte) : 0
    const skipBytes = fromByte - startsAt
    if (skipBytes >= 0 && skipBytes <= MAX_REREAD_BYTES) return skipBytes
    response.body.destroy()
    throw new Error("the host can't resume")
  }

  /** Holds back what is as at the first time, as long as it is; only what begins at the start can be compared. */
  async #compare({ status }: EgressResponse, sound: AsyncGenerator<Buffer, void>, fromByte: number) {
    const isComparable = status === 200 && fromByte <= MAX_REREAD_BYTES && this.#start.length > 0
    return isComparable
      ? startsWith(sound, this.#start.subarray(0, fromByte))
      : { isSame: !this.#options.isStream, held: [] }
  }

  #windowOf({ body }: EgressResponse): PassThrough {
    const window = body.pipe(new PassThrough({ highWaterMark: WINDOW_BYTES }))
    body.once('error', (error) => window.destroy(error))
    body.once('close', () => {
      if (!body.readableEnded) window.destroy(new Error('the connection was closed'))
    })
    return window
  }

  async *#soundOf(window: Readable, response: EgressResponse): AsyncGenerator<Buffer, void> {
    const strip = this.#stripperFor(response)
    for await (const chunk of withoutStalls(window)) {
      for await (const slice of this.#pace.slices(chunk)) yield* strip ? strip.push(slice) : [slice]
    }
  }

  async #responseFrom(fromByte: number): Promise<EgressResponse> {
    const first = this.#first
    this.#first = null
    if (first && fromByte === 0) return first
    first?.body.destroy()
    const response = await this.#request(fromByte)
    const isOther = this.#etag !== undefined && response.headers['etag'] !== this.#etag
    if (isOther && fromByte > 0) {
      response.body.destroy()
      throw new Error('the file on the host has changed')
    }
    return response
  }

  async #request(fromByte: number): Promise<EgressResponse> {
    const { egress, url, isStream } = this.#options
    const extra = isStream ? { 'icy-metadata': '1' } : { range: `bytes=${fromByte}-` }
    const response = await egress.open(url, {
      headers: { accept: '*/*', 'accept-encoding': 'identity', ...extra },
      signal: this.#closing.signal,
    })
    try {
      if (response.status === 416 && fromByte > 0) throw new ShortFileError()
      if (response.status !== 200 && response.status !== 206) throw refusedWith(response.status)
      icyIntervalOf(response)
      return response
    } catch (error) {
      response.body.destroy()
      throw error
    }
  }

  #stripperFor(response: EgressResponse): IcyStripper | null {
    const intervalBytes = icyIntervalOf(response)
    return intervalBytes === null ? null : new IcyStripper(intervalBytes, this.#options.onTitle)
  }
}

async function* withoutStalls(stream: Readable): AsyncGenerator<Buffer, void> {
  const chunks = stream[Symbol.asyncIterator]() as AsyncIterator<Buffer, undefined>
  for (;;) {
    const timer = setTimeout(() => stream.destroy(new StallError('the host sends nothing')), STALL_MS)
    try {
      const { value, done } = await chunks.next()
      if (done) return
      yield value
    } finally {
      clearTimeout(timer)
    }
  }
}

function broken(cause: unknown): Fault {
  if (cause instanceof Fault) return cause
  return new Fault('upstream_failed', "This track's host stopped sending and doesn't respond.", { cause })
}
