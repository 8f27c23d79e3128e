import { setTimeout as sleep } from 'node:timers/promises'
import { Fault } from '../../../lib/errors.ts'
import { monotonicNow } from '../../../lib/clock.ts'
import type { Egress } from '../../../upstream/egress/egress-guard.ts'
import { isSameInit, type HlsInit, type HlsSegment } from '../../sources/hls/hls-playlist.ts'
import type { HlsRequest, HlsWindow, ReadHlsWindow } from '../../sources/hls/hls-windows.ts'
import type { HlsVariables } from '../../sources/hls/hls-variables.ts'
import { asFault, ATTEMPTS, FETCH_MS, RETRY_MS, SegmentReader } from './hls-segments.ts'
import type { TrackBytes, BytesInTime } from './bytes.ts'

/** Time that a playlist may be unavailable during playback while its server, or the thread that reads it, restarts. */
const PATIENCE_MS = 30_000
/** Minimum interval between requests for a playlist. */
const LEAST_RELOAD_MS = 500
/** A live playlist that lists nothing new for so many of its target durations, and for so long, is dead. */
const STALE_TARGETS = 3.5
const LEAST_STALE_MS = 10_000

interface HlsOptions {
  readonly egress: Egress
  readonly readHlsWindow: ReadHlsWindow
  /** URL of a media playlist. */
  readonly url: string
  /** Variables of the master playlist that named it. */
  readonly variables?: HlsVariables
  readonly isStream: boolean
  /** Called before a retry, with the reason in plain words. */
  readonly onTrouble: (text: string) => void
  /** Only tests have another. */
  readonly now?: () => number
}

/** The sound of an HLS playlist: its segments, one after the other, decrypted. @throws {Fault} */
export async function openHlsBytes(options: HlsOptions): Promise<TrackBytes> {
  const source = new HlsSource(options)
  await source.open()
  return source
}

class HlsSource implements TrackBytes {
  readonly sizeBytes = null
  readonly isSeekable = false
  readonly #options: HlsOptions
  readonly #closing = new AbortController()
  readonly #reader: SegmentReader
  #first: HlsWindow | null = null

  constructor(options: HlsOptions) {
    this.#options = options
    const { egress } = options
    const onTrouble = (what: string, cause: unknown) => this.#trouble(what, cause)
    this.#reader = new SegmentReader({ egress, signal: this.#closing.signal, onTrouble })
  }

  get state(): string | null {
    const first = this.#first
    // A track read by several decoders in turn cannot be cached as one file.
    return this.#options.isStream || !first?.isOneFile ? null : `hls ${first.lengthMs} ${first.count}`
  }

  async open(): Promise<void> {
    this.#first = await this.#window('open', 0)
  }

  /** All of it, or what a live one sends from now on. */
  async *read(_fromByte: number): AsyncGenerator<Buffer, void> {
    for await (const file of this.#files(this.#opened)) yield* file
  }

  async readFromTime(ms: number): Promise<BytesInTime> {
    const first = this.#opened
    const isAtStart = this.#options.isStream || ms < (first.segments[0]?.durationMs ?? 0)
    const window = isAtStart ? first : await this.#window({ ms })
    const files = this.#files(window)
    const following = async () => (await files.next()).value ?? null
    return { fromMs: window.fromMs, bytes: (await following()) ?? nothing(), following }
  }

  close(): void {
    this.#closing.abort()
  }

  get #opened(): HlsWindow {
    if (!this.#first) throw new Error('An HLS source was read before it was opened.')
    return this.#first
  }

  /** One after the other, each of one clock and one coding. A file has to be read to its end before the next is asked for. */
  async *#files(window: HlsWindow): AsyncGenerator<AsyncIterable<Buffer>, void> {
    const loaded = this.#loaded(this.#options.isStream ? this.#live(window) : this.#finished(window))
    const place: { next: Loaded | null; isBetweenFiles: boolean } = { next: null, isBetweenFiles: true }
    async function* file(): AsyncGenerator<Buffer, void> {
      place.isBetweenFiles = false
      place.next ??= (await loaded.next()).value ?? null
      while (place.next !== null && !place.isBetweenFiles) {
        for (const part of place.next.parts) yield* part
        place.next = (await loaded.next()).value ?? null
        place.isBetweenFiles = place.next?.isNewFile === true
      }
    }
    while (place.isBetweenFiles) yield file()
  }

  /** Each segment is fetched while the previous one is played. */
  async *#loaded(segments: AsyncGenerator<HlsSegment, void>): AsyncGenerator<Loaded, void> {
    let init: HlsInit | null = null
    const load = async (): Promise<Loaded | null> => {
      const { value: segment } = await segments.next()
      if (!segment) return null
      const isNewFile = segment.isDiscontinuous || !isSameInit(segment.init, init)
      init = segment.init
      const start = init && isNewFile ? [this.#reader.init(init)] : []
      return { isNewFile, parts: await Promise.all([...start, this.#reader.sound(segment)]) }
    }
    let ahead = load()
    while (!this.#closing.signal.aborted) {
      const loaded = await ahead
      if (!loaded) return
      ahead = load()
      // Told when its turn comes.
      ahead.catch(() => undefined)
      yield loaded
    }
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
    const { now = monotonicNow } = this.#options
    let window = first
    let next = 0
    let grewAtMs = now()
    while (!signal.aborted) {
      for (const segment of window.segments) {
        next = segment.sequence + 1
        yield segment
      }
      if (window.isLast && window.isEnded) return
      if (window.segments.length > 0) grewAtMs = now()
      failIfStale(now() - grewAtMs, window.targetMs)
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
    const { url, variables, isStream: isLive, readHlsWindow } = this.#options
    const request = { url, ...(variables && { variables }), isLive, from }
    const untilMs = monotonicNow() + patienceMs
    for (let attempt = 1; ; attempt++) {
      try {
        return await readHlsWindow(request, this.#deadline())
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
}

interface Loaded {
  /** The decoder of the previous one cannot go on with it. */
  readonly isNewFile: boolean
  readonly parts: readonly Iterable<Buffer>[]
}

/** Opened again it would sound the same: that is the end of it. @throws {Fault} */
function failIfStale(forMs: number, targetMs: number): void {
  if (forMs < Math.max(LEAST_STALE_MS, STALE_TARGETS * targetMs)) return
  const message = `The live HLS playlist of this track has listed nothing new for ${Math.round(forMs / 1000)} seconds.`
  throw new Fault('upstream_failed', message, { reason: 'unplayable' })
}

async function* nothing(): AsyncGenerator<Buffer, void> {}
