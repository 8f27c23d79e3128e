import { PassThrough, type Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { Fault } from '../../../lib/errors.ts'
import type { Egress, EgressResponse } from '../../../upstream/egress/egress-guard.ts'
import { refusedWith } from '../../sources/http/http-status.ts'
import { icyIntervalOf } from '../../sources/http/icy-interval.ts'
import { Pace } from './read-rate.ts'
import type { Bytes } from './track-bytes.ts'
import { IcyStripper } from '../containers/shoutcast-metadata.ts'

/** Read at full speed into this much, so that a host does not hang up on a slow reader. */
const WINDOW_BYTES = 1024 * 1024
/** A connection that delivers nothing for this long is given up and opened again; the frames ahead last longer. */
const STALL_MS = 6000
/** Attempts in a row that bring not one byte. */
const MAX_ATTEMPTS = 5
const RETRY_MS = 400
/** A host that cannot resume is read again from the start only for so much. */
const MAX_REREAD_BYTES = 64 * 1024 * 1024

/** A host that sends nothing may have more. */
class StallError extends Error {}
/** The host has no more: the file is shorter than it said. */
class ShortFileError extends Error {}

export interface HttpOptions {
  readonly egress: Egress
  readonly url: string
  /** Endless: a dropped connection is reopened and continues with what is sent then. */
  readonly isStream: boolean
  /** As for `Playable`. */
  readonly offsetParameter?: string
  readonly onTitle: (title: string) => void
  /** It has to be asked again; in plain words. */
  readonly onTrouble: (text: string) => void
}

/** Opens an address. Every drop is bridged: by Range where the host knows it. @throws {Fault} */
export async function openHttpBytes(options: HttpOptions): Promise<Bytes> {
  const source = new HttpSource(options)
  await source.open()
  return source
}

class HttpSource implements Bytes {
  readonly #options: HttpOptions
  readonly #closing = new AbortController()
  readonly #pace = new Pace()
  #first: EgressResponse | null = null
  #sizeBytes: number | null = null
  #isSeekable = false
  #etag: string | undefined
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
    const total = /^bytes 0-\d+\/(\d+)$/.exec(response.headers['content-range'] ?? '')?.[1]
    this.#isSeekable = response.status === 206 && total !== undefined
    const size = Number(total ?? response.headers['content-length'] ?? Number.NaN)
    this.#sizeBytes = Number.isFinite(size) ? size : null
    this.#etag = response.headers['etag']
    const version = this.#etag ?? response.headers['last-modified'] ?? ''
    if (this.#sizeBytes !== null) this.#state = `${this.#sizeBytes} ${version}`
  }

  async *read(fromByte: number): AsyncGenerator<Buffer, void> {
    let at = fromByte
    let attempts = 0
    while (!this.#closing.signal.aborted) {
      let failure: unknown = null
      try {
        for await (const chunk of this.#readOnce(at)) {
          at += chunk.length
          attempts = 0
          yield chunk
        }
      } catch (error) {
        if (error instanceof ShortFileError) return
        failure = error
        // A radio that restarts is gone for a moment only.
        if (!this.#options.isStream && error instanceof Fault && error.code === 'not_found') throw error
      }
      if (this.#closing.signal.aborted || (failure === null && this.#isWhole(at))) return
      if (++attempts > MAX_ATTEMPTS) throw broken(failure)
      const why = failure instanceof Error ? failure.message : 'it ended too early'
      this.#options.onTrouble(`source stopped after ${at} bytes, requesting the rest: ${why}`)
      await sleep(RETRY_MS * attempts, undefined, { signal: this.#closing.signal }).catch(() => undefined)
    }
  }

  /** From the start where the host cannot begin later. */
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

  /** A connection that ends early is not the end of the track. */
  #isWhole(at: number): boolean {
    return !this.#options.isStream && (this.#sizeBytes === null || at >= this.#sizeBytes)
  }

  async *#readOnce(fromByte: number): AsyncGenerator<Buffer, void> {
    const { isStream } = this.#options
    const response = await this.#responseFrom(fromByte)
    let skipBytes = response.status === 206 || isStream ? 0 : fromByte
    let hasMore = false
    if (skipBytes > MAX_REREAD_BYTES) throw new Error('the host cannot resume')
    const strip = this.#stripperFor(response)
    const window = response.body.pipe(new PassThrough({ highWaterMark: WINDOW_BYTES }))
    response.body.once('error', (error) => window.destroy(error))
    response.body.once('close', () => {
      if (!response.body.readableEnded) window.destroy(new Error('the connection was closed'))
    })
    try {
      for await (const chunk of withoutStalls(window)) {
        const rest = chunk.subarray(Math.min(skipBytes, chunk.length))
        skipBytes -= chunk.length - rest.length
        for await (const slice of this.#pace.slices(rest)) yield* strip ? strip.push(slice) : [slice]
        hasMore ||= rest.length > 0
      }
    } catch (error) {
      const isSameEnd = response.status === 200 && fromByte > 0 && skipBytes === 0 && !hasMore
      if (isSameEnd && !isStream && !(error instanceof StallError)) throw new ShortFileError()
      throw error
    } finally {
      window.destroy()
      response.body.destroy()
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
  return new Fault('upstream_failed', 'The host of this track stopped sending and does not respond.', { cause })
}
