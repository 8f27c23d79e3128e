import { PassThrough, type Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { Fault } from '../../../lib/errors.ts'
import type { Egress, EgressResponse } from '../../../upstream/egress/egress.ts'
import { refusedWith } from '../../sources/http/http-status.ts'
import type { Bytes } from './track-bytes.ts'
import { IcyStripper, LEAST_INTERVAL_BYTES } from '../containers/shoutcast-metadata.ts'

/** Read at full speed into this much, so that a host does not hang up on a slow reader. */
const WINDOW_BYTES = 1024 * 1024
/** A connection that delivers nothing for so long is given up and opened again; the frames ahead last longer. */
const STALL_MS = 6000
/** Attempts in a row that bring not one byte. */
const MAX_ATTEMPTS = 5
const RETRY_MS = 400
/** A host that cannot resume is read again from the start only for so much. */
const MAX_REREAD_BYTES = 64 * 1024 * 1024

export interface HttpOptions {
  readonly egress: Egress
  readonly url: string
  /** Endless: a dropped connection is opened again and goes on with what is sent then. */
  readonly isStream: boolean
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
        failure = error
        // A radio that restarts is gone for a moment only.
        if (!this.#options.isStream && error instanceof Fault && error.code === 'not_found') throw error
      }
      if (this.#closing.signal.aborted || (failure === null && this.#isWhole(at))) return
      if (++attempts > MAX_ATTEMPTS) throw broken(failure)
      const why = failure instanceof Error ? failure.message : 'it ended too early'
      this.#options.onTrouble(`the source broke off after ${at} bytes and is asked for the rest: ${why}`)
      await sleep(RETRY_MS * attempts, undefined, { signal: this.#closing.signal }).catch(() => undefined)
    }
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
    const response = await this.#responseFrom(fromByte)
    let skipBytes = response.status === 206 || this.#options.isStream ? 0 : fromByte
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
        if (rest.length > 0) yield* strip ? strip.push(rest) : [rest]
      }
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
      throw new Error('the host has another file there now')
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
    const isAnswer = response.status === 200 || response.status === 206
    const intervalBytes = intervalOf(response)
    if (isAnswer && (intervalBytes === null || intervalBytes >= LEAST_INTERVAL_BYTES)) return response
    response.body.destroy()
    if (!isAnswer) throw refusedWith(response.status)
    throw new Fault(
      'upstream_failed',
      `This radio sends its title every ${intervalBytes} bytes, which is far too often.`,
    )
  }

  #stripperFor(response: EgressResponse): IcyStripper | null {
    const intervalBytes = intervalOf(response)
    return intervalBytes === null ? null : new IcyStripper(intervalBytes, this.#options.onTitle)
  }
}

/** How many bytes of sound lie between two titles; null where none are sent. */
function intervalOf({ headers }: EgressResponse): number | null {
  const intervalBytes = Number(headers['icy-metaint'] ?? 0)
  return Number.isInteger(intervalBytes) && intervalBytes > 0 ? intervalBytes : null
}

async function* withoutStalls(stream: Readable): AsyncGenerator<Buffer, void> {
  const chunks = stream[Symbol.asyncIterator]() as AsyncIterator<Buffer, undefined>
  for (;;) {
    const timer = setTimeout(() => stream.destroy(new Error('the host sends nothing')), STALL_MS)
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
  return new Fault('upstream_failed', 'The host of this track broke off and could not be reached again.', { cause })
}
