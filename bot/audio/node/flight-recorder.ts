import { FRAME_MS } from '../containers/opus.ts'

interface TraceEntry {
  /** When it was over, in milliseconds since 1970. */
  readonly atMs: number
  readonly kind: 'gap' | 'source' | 'track' | 'sound' | 'voice' | 'encryption'
  /** Description in plain words, including the cause. */
  readonly text: string
  readonly durationMs: number | null
  /** Discord's close code of the voice connection. */
  readonly closeCode: number | null
}

/** Frame counts of ten seconds. */
interface TraceSpan {
  readonly fromMs: number
  readonly sent: number
  /** Silence, since the source had nothing. */
  readonly nulled: number
  /** More than 20 ms after their time. */
  readonly late: number
  /** The latest of them. */
  readonly mostLateMs: number
}

/** One whole minute by the clock. */
export interface MinuteFrames {
  readonly sent: number
  /** Times that a frame was due and none was there. */
  readonly nulled: number
  /** Missing frames of the minute's 3000; negative if more were sent. */
  readonly deficit: number
}

export interface Trace {
  readonly fromMs: number
  readonly toMs: number
  readonly entries: readonly TraceEntry[]
  /** Spans in which nothing was sent are left out. */
  readonly spans: readonly TraceSpan[]
}

type Note = Pick<TraceEntry, 'kind' | 'text'> & Partial<Pick<TraceEntry, 'durationMs' | 'closeCode'>>

const MINUTE_MS = 60_000
const KEPT_MS = 10 * 60_000
const SPAN_MS = 10_000
/** About two per second; more are repeats of the same problem. */
const MOST_ENTRIES = 1200
/** After a stall, late frames come in a burst: only the first is recorded. */
const LATE_GAP_MS = 60

type OpenSpan = { -readonly [Field in keyof TraceSpan]: TraceSpan[Field] }

/** The last ten minutes of a player, to explain why it stuttered. */
export class FlightRecorder {
  readonly #now: () => number
  readonly #startMs: number
  #entries: TraceEntry[] = []
  #spans: OpenSpan[] = []
  /** The last of them: finding it in the list would cost each frame more than all else here. */
  #lastSpan: OpenSpan | null = null
  #wasLate = false
  /** Since when frames go out without a pause of more than a tail; null while none do. */
  #playingSinceMs: number | null = null

  constructor(now: () => number) {
    this.#now = now
    this.#startMs = now()
  }

  note({ kind, text, durationMs = null, closeCode = null }: Note): void {
    this.#entries.push({ atMs: this.#now(), kind, text, durationMs, closeCode })
    if (this.#entries.length > MOST_ENTRIES) this.#entries = this.#entries.slice(-MOST_ENTRIES / 2)
  }

  gap(durationMs: number, cause: string): void {
    const ms = Math.round(durationMs)
    this.note({ kind: 'gap', text: `gap of ${ms} ms: ${cause}`, durationMs: ms })
  }

  frame(lateMs: number, isNulled: boolean): void {
    const span = this.#span()
    this.#playingSinceMs ??= this.#now()
    span.sent++
    if (isNulled) span.nulled++
    if (lateMs > 20) span.late++
    if (lateMs > span.mostLateMs) span.mostLateMs = Math.round(lateMs)
    const isLate = lateMs > LATE_GAP_MS
    if (isLate && !this.#wasLate) this.gap(lateMs, 'the audio thread was blocked; it sends frames faster to catch up')
    this.#wasLate = isLate
  }

  /** No frames for now: it is paused, or over. */
  rest(): void {
    this.#playingSinceMs = null
  }

  /** The last whole minute of the clock; null if it did not play through all of it. */
  lastMinute(): MinuteFrames | null {
    const nowMs = this.#now()
    const toMs = nowMs - (nowMs % MINUTE_MS)
    const fromMs = toMs - MINUTE_MS
    if (this.#playingSinceMs === null || this.#playingSinceMs >= fromMs) return null
    const spans = this.#spans.filter((span) => span.fromMs >= fromMs && span.fromMs < toMs)
    const all = spans.reduce((sum, span) => sum + span.sent, 0)
    const nulled = spans.reduce((sum, span) => sum + span.nulled, 0)
    return { sent: all - nulled, nulled, deficit: MINUTE_MS / FRAME_MS - all }
  }

  read(): Trace {
    const toMs = this.#now()
    const fromMs = Math.max(this.#startMs, toMs - KEPT_MS)
    return {
      fromMs,
      toMs,
      entries: this.#entries.filter(({ atMs }) => atMs >= fromMs),
      spans: this.#spans.filter((span) => span.fromMs >= fromMs - SPAN_MS),
    }
  }

  #span(): OpenSpan {
    const nowMs = this.#now()
    const last = this.#lastSpan
    if (last && nowMs < last.fromMs + SPAN_MS) return last
    const span = { fromMs: nowMs - (nowMs % SPAN_MS), sent: 0, nulled: 0, late: 0, mostLateMs: 0 }
    this.#lastSpan = span
    this.#spans.push(span)
    if (this.#spans.length > KEPT_MS / SPAN_MS + 1) this.#spans.shift()
    return span
  }
}
