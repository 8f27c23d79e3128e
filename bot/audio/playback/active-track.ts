import type { FrameSource } from './frame-buffer.ts'
import { FRAME_MS, SAMPLES_PER_FRAME, SAMPLES_PER_MS } from '../containers/opus.ts'
import type { Audible } from '../node/protocol.ts'
import { type Feed, contentOf } from './opening/source-swap.ts'
import type { FilterGraph } from '../ffmpeg/filter-graph.ts'

/** After a starvation this much must be buffered before sound continues, so that it does not stutter. */
const REFILL_FRAMES = 25

export class ActiveTrack {
  readonly playId: number
  readonly playable: Audible
  /** Another track is requested: this one plays until that is ready, without further events. */
  isRetired = false
  #endMs: number
  #feed: Feed
  #takenFrames = 0
  #starvedFrames = 0
  #isRefilling = false

  /** @param endMs where it is over before its own end. */
  constructor(playId: number, playable: Audible, feed: Feed, endMs = Infinity) {
    this.#endMs = endMs
    this.playId = playId
    this.playable = playable
    this.#feed = feed
    this.#takenFrames = feed.takenFrames
  }

  get source(): FrameSource {
    return this.#feed.source
  }

  get filterGraph(): FilterGraph {
    return this.#feed.filterGraph
  }

  /** Position of the next frame, in samples from the start of the track. */
  get cursor(): number {
    return this.source.startSamples + this.#takenFrames * SAMPLES_PER_FRAME * this.source.tempo
  }

  get positionMs(): number {
    return Math.max(0, Math.round(this.cursor / SAMPLES_PER_MS))
  }

  /** Position in the sound, in samples, that the next frame decodes to. */
  get content(): number {
    return contentOf(this.source, this.#takenFrames)
  }

  /** Time since the last frame arrived. */
  get starvedMs(): number {
    return this.#starvedFrames * FRAME_MS
  }

  /** Another end than its own; null for that. One that lies behind does nothing, as in Lavalink. */
  setEnd(endMs: number | null): void {
    this.#endMs = endMs !== null && endMs > this.positionMs ? endMs : Infinity
  }

  isEndedAt(positionMs: number): boolean {
    return positionMs >= this.#endMs
  }

  get isOver(): boolean {
    if (this.isEndedAt(this.positionMs)) return true
    return this.source.isDone && this.source.buffered === 0 && !this.source.needsTranscode
  }

  /** The length of the whole track, if known. */
  isShorterThan(frames: number): boolean {
    const { endSamples, tempo } = this.source
    return endSamples !== null && endSamples / (SAMPLES_PER_FRAME * tempo) < frames
  }

  /** The next frame, or null when the source is late. */
  take(): Buffer | null {
    const { source } = this
    if (this.#isRefilling && (source.buffered >= REFILL_FRAMES || source.isDone)) this.#isRefilling = false
    const frame = this.#isRefilling ? null : source.take()
    if (frame) {
      this.#takenFrames++
      this.#starvedFrames = 0
    } else {
      this.#isRefilling = true
      this.#starvedFrames++
    }
    return frame
  }

  /** Returns the frame that `take` gives next, if it is buffered. */
  peek(): Buffer | null {
    return this.source.peek()
  }

  /** The title that begins with the frame taken last. */
  takeTitle(): string | null {
    return this.#feed.titles.take(this.#takenFrames)
  }

  swap(feed: Feed): void {
    this.source.close()
    this.#feed = feed
    this.#takenFrames = feed.takenFrames
    this.#isRefilling = false
  }
}
