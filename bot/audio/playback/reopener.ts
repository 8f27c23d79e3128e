import { LIBOPUS_PRE_SKIP } from '../containers/opus.ts'
import { isLive, type FilterGraph } from '../ffmpeg/filter-graph.ts'
import type { OpenFrames } from '../input/open-frames.ts'
import type { ActiveTrack } from './active-track.ts'
import { paceOpening } from './open-throttle.ts'
import { SourceSwap } from './source-swap.ts'

export interface ReopenerOptions {
  readonly open: OpenFrames
  /** How the track is to sound from now on. */
  readonly mixFor: (loaded: ActiveTrack) => FilterGraph
  /** A source is there. */
  readonly onReady: () => void
  readonly onBetter: (playId: number) => void
}

/** Opens the track that plays a second time, beside the source that plays; they are swapped between two frames. */
export class Reopener {
  readonly #options: ReopenerOptions
  readonly #open: OpenFrames
  #coming: SourceSwap | null = null

  constructor(options: ReopenerOptions) {
    this.#options = options
    this.#open = paceOpening(options.open)
  }

  /** What is being opened. */
  get coming(): SourceSwap | null {
    return this.#coming
  }

  /** Resolves when it plays, from `jumpTo` or on from where it is. */
  reopen(loaded: ActiveTrack, jumpTo: number | null, why: string): Promise<void> {
    return this.takeOver(this.prepare(loaded, jumpTo, why))
  }

  /** Opens it for later. */
  prepare(loaded: ActiveTrack, jumpTo: number | null, why: string): SourceSwap {
    // A live source cannot be opened where it was: it continues with what is sent now.
    const goOn = isLive(loaded.playable) ? loaded.cursor : jumpTo
    const timbre = this.#options.mixFor(loaded)
    return new SourceSwap({
      open: this.#open,
      playable: loaded.playable,
      timbre,
      jumpTo: goOn,
      why,
      startSamples: goOn ?? Math.max(0, loaded.content + LIBOPUS_PRE_SKIP * timbre.tempo),
      onReady: this.#options.onReady,
      onBetter: () => this.#options.onBetter(loaded.playId),
    })
  }

  /** From now on it plays as soon as it can. Resolves when it does. */
  async takeOver(swap: SourceSwap): Promise<void> {
    this.#coming?.giveWay(swap)
    this.#coming = swap
    try {
      await swap.done
    } finally {
      if (this.#coming === swap) this.#coming = null
    }
  }

  /** Swaps where that can be done now. @returns what took over, or null. */
  swap(loaded: ActiveTrack): SourceSwap | null {
    const swap = this.#coming
    const feed = swap?.take(loaded.content)
    if (!swap || !feed) return null
    loaded.swap(feed)
    this.#coming = null
    return swap
  }

  drop(): void {
    this.#coming?.close()
    this.#coming = null
  }
}
