import type { Segment } from '../../tracks/segments.ts'
import type { TrackPlayerNews, TrackPlayerOptions } from './track-player-options.ts'
import type { ActiveTrack } from './active-track.ts'
import { FRAME_MS } from '../containers/opus.ts'
import { exceptionOf } from '../node/track-exception.ts'

const POSITION_FRAMES = 1000 / FRAME_MS
/**
 * Number of slots per second in which positions are reported, from the second one on, so that many players share a message.
 * One message per player cost the main thread more than all its other work on them.
 */
const MOMENTS = 4
let lastMoment = 0
const STUCK_MS = 10_000

type ReporterOptions = Pick<TrackPlayerOptions, 'emit' | 'recorder' | 'counts' | 'stuckMs' | 'clock'>

/**
 * Emits the events of a player's tracks, none of one that is about to be replaced, and records them for the player's
 * trace.
 */
export class PlaybackReporter {
  readonly #options: ReporterOptions
  /** Frame of each second in which the position is reported. */
  readonly #moment = Math.floor((lastMoment++ % MOMENTS) * (POSITION_FRAMES / MOMENTS))
  /** Frames sent of the track; the 50th emits the position, and later ones once a second. */
  #playedFrames = 0
  #toldAtFrame = 0
  #title: string | null = null

  constructor(options: ReporterOptions) {
    this.#options = options
  }

  begin(): void {
    this.#playedFrames = 0
    this.#toldAtFrame = 0
    this.#title = null
  }

  news({ playId, isRetired, positionMs }: ActiveTrack, news: TrackPlayerNews): void {
    if (isRetired) return
    const { recorder } = this.#options
    if (news.type === 'trackStarted') recorder.note({ kind: 'track', text: `track started at ${positionMs} ms` })
    if (news.type === 'trackEnded') {
      const why = news.reason === 'finished' ? 'it is over' : `its source failed (${news.message ?? 'no reason given'})`
      recorder.note({ kind: 'track', text: `track ended at ${positionMs} ms: ${why}` })
      if (news.reason === 'loadFailed') this.#options.counts.sourceErrors++
    }
    this.#options.emit({ playId, ...news })
  }

  /** @param failure why it broke off; null if it is over. */
  ended(loaded: ActiveTrack, failure: unknown, followedBy?: number): void {
    if (failure === null) {
      const next = followedBy === undefined ? {} : { followedBy }
      return this.news(loaded, { type: 'trackEnded', reason: 'finished', message: null, ...next })
    }
    const message = failure instanceof Error ? failure.message : null
    this.news(loaded, { type: 'trackEnded', reason: 'loadFailed', message, exception: exceptionOf(failure) })
  }

  /** The sound jumped over a part of it. */
  skipped(loaded: ActiveTrack, segment: Segment | null): void {
    if (!segment) return
    const { category, startMs, endMs } = segment
    const to = endMs === Infinity ? 'its end' : `${endMs} ms`
    this.#options.recorder.note({ kind: 'track', text: `skipped from ${startMs} ms to ${to}: ${category}` })
    this.news(loaded, { type: 'segmentSkipped', segment })
    this.position(loaded)
  }

  position(loaded: ActiveTrack | null): void {
    if (loaded) this.news(loaded, { type: 'position', positionMs: loaded.positionMs })
  }

  /** A frame of it was taken, the first one after so long. */
  frame(loaded: ActiveTrack, starvedMs: number): void {
    if (starvedMs > 0) this.#options.recorder.gap(starvedMs, 'the source sent nothing')
    if (this.#playedFrames++ === 0) this.news(loaded, { type: 'trackStarted' })
    else if (this.#isPositionDue()) {
      this.#toldAtFrame = this.#playedFrames
      this.position(loaded)
    }
    const title = loaded.takeTitle()
    if (title === null || title === this.#title) return
    this.#title = title
    this.news(loaded, { type: 'streamTitle', title })
  }

  #isPositionDue(): boolean {
    if (this.#toldAtFrame === 0) return this.#playedFrames === POSITION_FRAMES
    if (this.#options.clock.frameNumber % POSITION_FRAMES !== this.#moment) return false
    return this.#playedFrames - this.#toldAtFrame > POSITION_FRAMES / 2
  }

  starved(loaded: ActiveTrack): void {
    const { counts, recorder, stuckMs: thresholdMs = STUCK_MS } = this.#options
    const { starvedMs: waitedMs } = loaded
    counts.nulled++
    if (waitedMs % thresholdMs !== 0) return
    counts.stuck++
    recorder.note({ kind: 'source', text: 'the source is stuck: it sends nothing', durationMs: waitedMs })
    this.news(loaded, { type: 'trackStuck', waitedMs, thresholdMs })
  }

  /** Called when the track ends, perhaps while it waits for its source. */
  gone({ starvedMs }: ActiveTrack): void {
    if (starvedMs > 0) this.#options.recorder.gap(starvedMs, 'the source sent nothing until the track ended')
  }

  refused(cause: unknown): void {
    this.#options.counts.sourceErrors++
    const why = cause instanceof Error ? cause.message : 'no reason given'
    this.#options.recorder.note({ kind: 'source', text: `opening a track failed: ${why}` })
  }

  spliced(why: string, tookMs: number): void {
    const durationMs = Math.round(tookMs)
    this.#options.recorder.note({
      kind: 'sound',
      text: `switched the source between two frames: ${why}`,
      durationMs,
    })
  }
}
