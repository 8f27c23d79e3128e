import type { ActiveTrack } from '../active-track.ts'
import { FRAME_MS, SAMPLES_PER_FRAME, SAMPLES_PER_MS } from '../../containers/opus.ts'
import type { Segment } from '../../../tracks/segments.ts'
import type { SourceSwap } from '../opening/source-swap.ts'

/** The sound behind a segment is opened so long before it, so that the jump takes no time. */
const LEAD_MS = 6000

type SkipStep = { readonly is: 'jump'; readonly to: SourceSwap } | { readonly is: 'end'; readonly of: Segment }

interface Jump {
  readonly segment: Segment
  readonly swap: SourceSwap
}

export interface StepOptions {
  /** Opens the track there, beside the sound that plays. */
  readonly open: (positionMs: number, why: string) => SourceSwap
  /** Whether it may be opened ahead of its time. */
  readonly canPrepare: boolean
}

/**
 * The parts of a track that are passed over, or muted. What follows such a part is opened ahead and taken in place of
 * it, at the frame in which it begins.
 */
export class SegmentSkips {
  #playId: number | null = null
  #segments: readonly Segment[] = []
  #prepared: Jump | null = null
  /** Handed out; the sound may still be on its way. */
  #jumping: Jump | null = null
  /** Segments whose end could not be opened: they are played. */
  readonly #failed = new Set<Segment>()

  /** Instead of all there were, for that play. */
  set(playId: number, segments: readonly Segment[]): void {
    this.clear()
    this.#playId = playId
    this.#segments = segments
  }

  /** Whether the track sounds as a whole. */
  get isEmpty(): boolean {
    return this.#segments.length === 0
  }

  /** The track sounds otherwise from now on: what is prepared is of no use. */
  reset(): void {
    this.#prepared?.swap.close()
    this.#prepared = null
  }

  clear(): void {
    this.reset()
    this.#jumping = null
    this.#segments = []
    this.#failed.clear()
  }

  isMuted(loaded: ActiveTrack): boolean {
    if (loaded.playId !== this.#playId) return false
    const atMs = loaded.content / SAMPLES_PER_MS
    return this.#segments.some(({ action, startMs, endMs }) => action === 'mute' && startMs <= atMs && atMs < endMs)
  }

  /** Null while there is nothing to do. */
  step(loaded: ActiveTrack, { open, canPrepare }: StepOptions): SkipStep | null {
    if (loaded.playId !== this.#playId || this.isEmpty) return null
    const atMs = loaded.content / SAMPLES_PER_MS
    const segment = this.#segments.find((one) => one.action === 'skip' && isAhead(one, atMs) && !this.#failed.has(one))
    if (this.#prepared && this.#prepared.segment !== segment) this.reset()
    if (!segment || segment === this.#jumping?.segment) return null
    const leadMs = canPrepare ? LEAD_MS * loaded.source.tempo : 0
    if (atMs < segment.startMs - leadMs) return null
    const isDue = atMs + FRAME_MS / 2 >= segment.startMs
    if (segment.endMs === Infinity) return isDue ? { is: 'end', of: segment } : null
    this.#prepared ??= this.#prepare(segment, open)
    if (!isDue) return null
    this.#jumping = this.#prepared
    this.#prepared = null
    return { is: 'jump', to: this.#jumping.swap }
  }

  /** The segment that was passed over when this source took over. */
  jumped(swap: SourceSwap): Segment | null {
    const { swap: expected, segment = null } = this.#jumping ?? {}
    this.#jumping = null
    return swap === expected ? segment : null
  }

  #prepare(segment: Segment, open: StepOptions['open']): Jump {
    const jump = { segment, swap: open(segment.endMs, 'skips a segment') }
    jump.swap.done.catch(() => {
      this.#failed.add(segment)
      if (this.#prepared === jump) this.#prepared = null
      if (this.#jumping === jump) this.#jumping = null
    })
    return jump
  }
}

/** Less than a frame of it is not worth a jump. */
function isAhead({ endMs }: Segment, atMs: number): boolean {
  return endMs - atMs > SAMPLES_PER_FRAME / SAMPLES_PER_MS
}
