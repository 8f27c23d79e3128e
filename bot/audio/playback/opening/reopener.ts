import { LIBOPUS_PRE_SKIP } from '../../containers/opus.ts'
import { isLive, type FilterGraph } from '../../ffmpeg/filter-graph.ts'
import type { OpenFrames } from '../../input/open-frames.ts'
import type { ActiveTrack } from '../active-track.ts'
import { paceOpening } from './open-throttle.ts'
import { SourceSwap } from './source-swap.ts'

interface ReopenerOptions {
  readonly open: OpenFrames
  /** The filter graph from now on, with layers and volume. */
  readonly mixFor: (loaded: ActiveTrack) => FilterGraph
  /** A source has enough frames to take over. */
  readonly onReady: () => void
  readonly onUpgrade: (playId: number) => void
}

/** Opens the track that plays a second time, beside the source that plays; they are swapped between two frames. */
export class Reopener {
  readonly #options: ReopenerOptions
  readonly #open: OpenFrames
  #pendingSwap: SourceSwap | null = null

  constructor(options: ReopenerOptions) {
    this.#options = options
    this.#open = paceOpening(options.open)
  }

  /** The source being opened, if any. */
  get pendingSwap(): SourceSwap | null {
    return this.#pendingSwap
  }

  /** Resolves when the new source plays, from `jumpTo` or from the current position. */
  reopen(loaded: ActiveTrack, jumpTo: number | null, why: string): Promise<void> {
    return this.takeOver(this.prepare(loaded, jumpTo, why))
  }

  /** Opens the source without taking over yet. */
  prepare(loaded: ActiveTrack, jumpTo: number | null, why: string): SourceSwap {
    // A live source cannot be opened at an earlier position: it continues with the present.
    const resumeAt = isLive(loaded.playable) ? loaded.cursor : jumpTo
    const filterGraph = this.#options.mixFor(loaded)
    return new SourceSwap({
      open: this.#open,
      playable: loaded.playable,
      filterGraph,
      jumpTo: resumeAt,
      why,
      startSamples: resumeAt ?? Math.max(0, loaded.content + LIBOPUS_PRE_SKIP * filterGraph.tempo),
      onReady: this.#options.onReady,
      onUpgrade: () => this.#options.onUpgrade(loaded.playId),
    })
  }

  /** Takes over as soon as possible. Resolves when it did. */
  async takeOver(swap: SourceSwap): Promise<void> {
    this.#pendingSwap?.supersede(swap)
    this.#pendingSwap = swap
    try {
      await swap.done
    } finally {
      if (this.#pendingSwap === swap) this.#pendingSwap = null
    }
  }

  get isJumping(): boolean {
    return this.#pendingSwap !== null && this.#pendingSwap.jumpTo !== null
  }

  /** Resolves when what is coming has taken over, or was given up. */
  async jumped(): Promise<void> {
    await this.#pendingSwap?.done.catch(() => undefined)
  }

  /** Swaps where that can be done now. @returns what took over, or null. */
  swap(loaded: ActiveTrack): SourceSwap | null {
    const swap = this.#pendingSwap
    const feed = swap?.take(loaded.content)
    if (!swap || !feed) return null
    loaded.swap(feed)
    this.#pendingSwap = null
    return swap
  }

  drop(): void {
    this.#pendingSwap?.close()
    this.#pendingSwap = null
  }
}
