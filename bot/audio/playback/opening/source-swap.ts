import type { FrameSource } from '../frame-buffer.ts'
import type { FrameRequest, OpenFrames } from '../../input/open-frames.ts'
import { SAMPLES_PER_FRAME } from '../../containers/opus.ts'
import type { Audible } from '../../node/protocol.ts'
import type { FilterGraph } from '../../ffmpeg/filter-graph.ts'
import { TitleQueue } from '../stream-titles.ts'

/** Source of a track's frames and the options it was opened with. */
export interface Feed {
  readonly source: FrameSource
  readonly filterGraph: FilterGraph
  readonly titles: TitleQueue
  /** Frames of the source that are gone already. */
  readonly takenFrames: number
}

/** So much must be ready behind the joint before the sources are swapped. */
const READY_FRAMES = 10

/** Returns the position in the sound, in samples, that a source's next frame decodes to. */
export function contentOf({ startSamples, preSkip, tempo }: FrameSource, takenFrames: number): number {
  return startSamples + (takenFrames * SAMPLES_PER_FRAME - preSkip) * tempo
}

/** Opens a track at a position. @throws {Fault} if it cannot be opened. */
export async function openFeed(
  open: OpenFrames,
  playable: Audible,
  request: Omit<FrameRequest, 'onTitle'>,
  signal: AbortSignal,
): Promise<Feed> {
  const titles = new TitleQueue()
  const source = await open(playable, { ...request, onTitle: (title) => titles.push(title) }, signal)
  titles.follow(source)
  return { source, filterGraph: request.filterGraph, titles, takenFrames: 0 }
}

interface SpliceOptions {
  readonly open: OpenFrames
  readonly playable: Audible
  readonly filterGraph: FilterGraph
  /** The sample to continue from; null means the position of the old source. */
  readonly jumpTo: number | null
  /** Reason, for the player's trace. */
  readonly why: string
  readonly startSamples: number
  /** The track that this one follows gaplessly. */
  readonly after?: FrameRequest['after']
  /** Called when it has enough frames. */
  readonly onReady: () => void
  readonly onUpgrade: () => void
}

/** A source that is being opened to take over from the one that plays. */
export class SourceSwap {
  readonly filterGraph: FilterGraph
  readonly jumpTo: number | null
  /**
   * Resolves when it took over or was given up, and with another one that took its place when that did; rejects when the
   * track could not be opened again.
   */
  readonly done: Promise<void>
  readonly why: string
  readonly #requestedAtMs = performance.now()
  readonly #closing = new AbortController()
  readonly #settled = Promise.withResolvers<void>()
  readonly #titles = new TitleQueue()
  #source: FrameSource | null = null
  #droppedFrames = 0

  constructor(options: SpliceOptions) {
    this.filterGraph = options.filterGraph
    this.jumpTo = options.jumpTo
    this.why = options.why
    this.done = this.#settled.promise
    void this.#open(options)
  }

  /** The new source, once it has reached `content` and has enough frames; null before. */
  take(content: number): Feed | null {
    const source = this.#source
    if (!source || (this.jumpTo === null && !this.#catchUp(source, content))) return null
    if (source.buffered < READY_FRAMES && !source.isDone) return null
    this.#source = null
    this.#settled.resolve()
    return { source, filterGraph: this.filterGraph, titles: this.#titles, takenFrames: this.#droppedFrames }
  }

  /** Seeks to another position, and has enough frames to do it now. */
  get canJump(): boolean {
    const source = this.#source
    return this.jumpTo !== null && source !== null && (source.buffered >= READY_FRAMES || source.isDone)
  }

  /** False if the length is not known yet. */
  isShorterThan(frames: number): boolean {
    return this.#source?.isDone === true && this.#source.buffered < frames
  }

  get ageMs(): number {
    return performance.now() - this.#requestedAtMs
  }

  close(): void {
    this.#giveUp()
    this.#settled.resolve()
  }

  /** Another swap replaces this one; `done` follows that one. */
  supersede(to: SourceSwap): void {
    this.#giveUp()
    this.#settled.resolve(to.done)
  }

  #giveUp(): void {
    this.#closing.abort()
    this.#source?.close()
    this.#source = null
  }

  /** Skips the frames that the old source played meanwhile. Less than half a frame does not count. */
  #catchUp(source: FrameSource, content: number): boolean {
    const ahead = Math.round((content - contentOf(source, this.#droppedFrames)) / (SAMPLES_PER_FRAME * source.tempo))
    let left = ahead
    while (left > 0 && source.take() !== null) {
      left--
      this.#droppedFrames++
    }
    return left === 0 || (left > 0 && source.isDone)
  }

  async #open({ open, playable, filterGraph, startSamples, after, onReady, onUpgrade }: SpliceOptions): Promise<void> {
    const { signal } = this.#closing
    const onTitle = (title: string) => this.#titles.push(title)
    try {
      const request = { startSamples, filterGraph, onTitle, onUpgrade, ...(after && { after }) }
      const source = await open(playable, request, signal)
      if (signal.aborted) return source.close()
      this.#source = source
      this.#titles.follow(source)
      await source.ready(READY_FRAMES)
      if (this.#source === source) onReady()
    } catch (error) {
      this.#settled.reject(error)
    }
  }
}
