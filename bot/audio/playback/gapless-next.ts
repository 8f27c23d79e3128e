import type { WantedSound } from '../mixing/wanted-sound.ts'
import type { ActiveTrack } from './active-track.ts'
import type { Prefetch, OpenFrames } from '../input/open-frames.ts'
import { canPassThrough } from '../input/passthrough.ts'
import { FRAME_MS, LIBOPUS_PRE_SKIP, SAMPLES_PER_FRAME } from '../containers/opus.ts'
import type { NextTrack } from '../node/protocol.ts'
import { type Feed, SourceSwap } from './opening/source-swap.ts'
import type { FilterGraph } from '../ffmpeg/filter-graph.ts'

/** This much of the previous track is encoded again before the joint, to prime the encoder. */
const LEAD_FRAMES = 25

/** Half a second. A shorter overlap, where the end was known late, sounds like a mistake. */
const LEAST_OVERLAP_FRAMES = 500 / FRAME_MS

/** The prefetched next track may still be replaced while so much is left of the current one. */
export const CHANGE_FRAMES = 3000 / FRAME_MS

/** The track that takes over. */
export interface Join {
  readonly feed: Feed
  /** Number of frames left of the previous track, which play over the start of this one. */
  readonly overlapFrames: number
}

interface Opener {
  readonly open: OpenFrames
  readonly prefetch?: Prefetch
}

/**
 * The next track of a player. It opens once the end of the current track is known, about ten seconds ahead. A track that
 * needs encoding is encoded together with the last moments of the current one, which leaves no encoder delay between
 * them; tracks that pass through meet at the nearest frame. A crossfade starts earlier and has a source of its own.
 */
export class GaplessNext {
  readonly next: NextTrack
  readonly #opener: Opener
  readonly #onUpgrade: () => void
  /** The track cache has it as Opus: it passes through. */
  #isKept = false
  #splice: SourceSwap | null = null
  /** End of the previous track, if the two are encoded together. */
  #seamSamples: number | null = null

  constructor(next: NextTrack, opener: Opener, onUpgrade: () => void) {
    this.next = next
    this.#opener = opener
    this.#onUpgrade = onUpgrade
  }

  /** Has it made ready. What fails here fails again, and is reported, when its turn has come. */
  prefetch(filterGraph: FilterGraph): void {
    const onKept = () => {
      this.#isKept = true
    }
    this.#opener.prefetch?.(this.next.playable, filterGraph, onKept).catch(() => undefined)
  }

  /** Null while its time has not come or it is not ready. */
  take(loaded: ActiveTrack, sound: WantedSound, canOverlap: boolean): Join | null {
    if (!loaded.source.isDone || loaded.source.failure || loaded.source.needsTranscode) return null
    this.#splice ??= this.#prepare(loaded, sound.filterGraphFor(this.next.playable))
    const overlapFrames = canOverlap && !sound.isMuted ? this.#overlapNow(loaded, this.#splice) : 0
    if (overlapFrames === 0 && !this.#isDue(loaded)) return null
    const feed = this.#splice.take(loaded.content - (this.#seamSamples ?? 0))
    return feed && { feed, overlapFrames }
  }

  get overlapFrames(): number {
    return Math.floor((this.next.overlapMs ?? 0) / FRAME_MS)
  }

  /** Volume or filters changed: discards what is prepared. */
  reset(): void {
    this.#splice?.close()
    this.#splice = null
  }

  #isDue(loaded: ActiveTrack): boolean {
    if (loaded.source.endSamples === null) return loaded.isOver
    return framesLeft(loaded) < (this.#seamSamples === null ? 0.5 : 1 - 1e-6)
  }

  /** 0 until the overlap starts, and without one: each track plays alone for at least as long as the overlap. */
  #overlapNow(loaded: ActiveTrack, splice: SourceSwap): number {
    const frames = Math.min(this.overlapFrames, Math.floor(framesLeft(loaded)))
    if (frames < LEAST_OVERLAP_FRAMES || framesLeft(loaded) >= this.overlapFrames + 1) return 0
    const least = 2 * this.overlapFrames
    return loaded.isShorterThan(least) || splice.isShorterThan(least) ? 0 : frames
  }

  #prepare(loaded: ActiveTrack, filterGraph: FilterGraph): SourceSwap {
    const { playable, isSeamless } = this.next
    const { endSamples, tempo } = loaded.source
    const lead = endSamples === null ? null : leadBefore(endSamples, loaded)
    const isEncoded = isSeamless || !(this.#isKept || canPassThrough(playable, filterGraph))
    const isSeam = this.overlapFrames === 0 && isEncoded && lead !== null && tempo === filterGraph.tempo
    this.#seamSamples = isSeam ? endSamples : null
    const splice = new SourceSwap({
      open: this.#opener.open,
      playable,
      filterGraph,
      jumpTo: isSeam ? null : 0,
      why: 'the next track',
      startSamples: isSeam ? lead - endSamples! : 0,
      ...(isSeam && { after: { playable: loaded.playable, fromSamples: lead, gainDb: loaded.source.gainDb } }),
      onReady: () => undefined,
      onUpgrade: this.#onUpgrade,
    })
    // A track that cannot be opened is retried, and reported, when its turn comes.
    splice.done.catch(() => undefined)
    return splice
  }
}

function framesLeft({ source, content }: ActiveTrack): number {
  const { endSamples, tempo, buffered } = source
  return endSamples === null ? buffered : (endSamples - content) / (SAMPLES_PER_FRAME * tempo)
}

/**
 * Returns the position to enter the track at so that its last whole frames align with those of the current source; null at
 * its very end.
 */
function leadBefore(endSamples: number, loaded: ActiveTrack): number | null {
  const samplesPerFrame = SAMPLES_PER_FRAME * loaded.source.tempo
  const framesLeft = Math.floor((endSamples - loaded.content) / samplesPerFrame)
  const from = loaded.content + Math.max(0, framesLeft - LEAD_FRAMES) * samplesPerFrame
  const lead = from + LIBOPUS_PRE_SKIP * loaded.source.tempo
  return framesLeft < 1 || lead < 0 ? null : lead
}
