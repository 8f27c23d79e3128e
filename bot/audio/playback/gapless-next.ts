import type { Playable } from '../../sources/source.ts'
import type { ActiveTrack } from './active-track.ts'
import type { OpenFrames } from '../input/open-frames.ts'
import { canPassThrough } from '../input/passthrough.ts'
import { LIBOPUS_PRE_SKIP, SAMPLES_PER_FRAME } from '../containers/opus.ts'
import type { NextTrack } from '../node/protocol.ts'
import { type Feed, SourceSwap } from './source-swap.ts'
import type { FilterGraph } from '../ffmpeg/filter-graph.ts'

/** So much of the track before is encoded once more before the joint, so that the encoder knows what it continues from. */
const LEAD_FRAMES = 25

/**
 * The track that follows the one on the deck. It is opened when the end of that one is known, which is some ten seconds
 * ahead. What has to be encoded anyway is encoded together with the last moments of the track before, so that not even
 * an encoder's delay lies between them; frames that pass through meet at the nearest frame.
 */
export class GaplessNext {
  readonly next: NextTrack
  readonly #open: OpenFrames
  readonly #onBetter: () => void
  /** It was encoded before. */
  #isKept = false
  #splice: SourceSwap | null = null
  /** Where the track before ends, when the two are encoded together. */
  #seamSamples: number | null = null

  constructor(next: NextTrack, open: OpenFrames, onBetter: () => void) {
    this.next = next
    this.#open = open
    this.#onBetter = onBetter
  }

  /** From now on it passes through, whatever it was before. */
  keep(): void {
    this.#isKept = true
  }

  /** The source that takes over now, or null while its time has not come or it is not ready. */
  take(loaded: ActiveTrack, timbreFor: (playable: Playable) => FilterGraph): Feed | null {
    if (!loaded.source.isDone || loaded.source.failure || loaded.source.isUnfit) return null
    this.#splice ??= this.#prepare(loaded, timbreFor(this.next.playable))
    return this.#isDue(loaded) ? this.#splice.take(loaded.content - (this.#seamSamples ?? 0)) : null
  }

  /** It shall sound otherwise: what is prepared is of no use. */
  reset(): void {
    this.#splice?.close()
    this.#splice = null
  }

  #isDue(loaded: ActiveTrack): boolean {
    const { endSamples, tempo } = loaded.source
    if (endSamples === null) return loaded.isOver
    const framesLeft = (endSamples - loaded.content) / (SAMPLES_PER_FRAME * tempo)
    return framesLeft < (this.#seamSamples === null ? 0.5 : 1 - 1e-6)
  }

  #prepare(loaded: ActiveTrack, timbre: FilterGraph): SourceSwap {
    const { playable, isSeamless } = this.next
    const { endSamples, tempo } = loaded.source
    const lead = endSamples === null ? null : leadBefore(endSamples, loaded)
    const isEncoded = isSeamless || !(this.#isKept || canPassThrough(playable, timbre))
    const isSeam = isEncoded && lead !== null && tempo === timbre.tempo
    this.#seamSamples = isSeam ? endSamples : null
    const splice = new SourceSwap({
      open: this.#open,
      playable,
      timbre,
      jumpTo: isSeam ? null : 0,
      why: 'the next track',
      startSamples: isSeam ? lead - endSamples! : 0,
      ...(isSeam && { after: { playable: loaded.playable, fromSamples: lead, gainDb: loaded.source.gainDb } }),
      onReady: () => undefined,
      onBetter: this.#onBetter,
    })
    // One that cannot be opened is tried again, and told of, when its turn has come.
    splice.done.catch(() => undefined)
    return splice
  }
}

/** Where to enter the track so that its last whole frames lie as they do in the source that plays; null at its very end. */
function leadBefore(endSamples: number, loaded: ActiveTrack): number | null {
  const samplesPerFrame = SAMPLES_PER_FRAME * loaded.source.tempo
  const framesLeft = Math.floor((endSamples - loaded.content) / samplesPerFrame)
  const from = loaded.content + Math.max(0, framesLeft - LEAD_FRAMES) * samplesPerFrame
  const lead = from + LIBOPUS_PRE_SKIP * loaded.source.tempo
  return framesLeft < 1 || lead < 0 ? null : lead
}
