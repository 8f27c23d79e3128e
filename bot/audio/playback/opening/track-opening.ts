import { Fault } from '../../../../lib/errors.ts'
import type { FrameRequest, OpenFrames } from '../../input/open-frames.ts'
import { onGrid } from '../../containers/opus.ts'
import type { PlayOptions } from '../../node/protocol.ts'
import { ActiveTrack } from '../active-track.ts'
import { paceOpening } from './open-throttle.ts'
import { openFeed } from './source-swap.ts'

type Request = Pick<FrameRequest, 'filterGraph' | 'onUpgrade'>
type Opened = Pick<PlayOptions, 'playId' | 'playable' | 'positionMs' | 'endMs'>

/** A track on its way onto the player. Where it begins and ends can be changed until its first frame is there. */
export class TrackOpening {
  readonly playId: number
  readonly #options: Opened
  readonly #closing = new AbortController()
  /** Aborts the opening at the currently requested position. */
  #attempt = new AbortController()
  #positionMs: number
  #endMs = Infinity

  constructor(options: Opened) {
    this.#options = options
    this.playId = options.playId
    this.#positionMs = options.positionMs
    this.setEnd(options.endMs ?? null)
  }

  get positionMs(): number {
    return this.#positionMs
  }

  /** Something else is wanted. */
  get isAborted(): boolean {
    return this.#closing.signal.aborted
  }

  /**
   * Resolves when its first frame is there, and what was stopped before has faded out.
   * @throws {Fault} when it cannot be opened; `conflict` when something else is wanted.
   */
  async open(open: OpenFrames, request: Request, stopping: Promise<void>): Promise<ActiveTrack> {
    try {
      const track = await this.#openWhereWanted(open, request, stopping)
      if (this.isAborted) track.source.close()
      this.#closing.signal.throwIfAborted()
      return track
    } catch (cause) {
      if (this.isAborted) throw new Fault('conflict', 'Another track replaced this one.', { cause })
      await stopping
      throw cause
    }
  }

  seek(positionMs: number): void {
    this.#positionMs = positionMs
    this.#attempt.abort()
  }

  setEnd(endMs: number | null): void {
    this.#endMs = endMs !== null && endMs > this.#positionMs ? endMs : Infinity
  }

  abort(): void {
    this.#closing.abort()
  }

  async #openWhereWanted(open: OpenFrames, request: Request, stopping: Promise<void>): Promise<ActiveTrack> {
    const { playId, playable } = this.#options
    const paced = paceOpening(open)
    for (;;) {
      const attempt = new AbortController()
      this.#attempt = attempt
      const signal = AbortSignal.any([this.#closing.signal, attempt.signal])
      try {
        const startSamples = onGrid(this.#positionMs)
        const feed = await openFeed(paced, playable, { ...request, startSamples }, signal)
        await stopping
        if (!attempt.signal.aborted) return new ActiveTrack(playId, playable, feed, this.#endMs)
        feed.source.close()
      } catch (error) {
        if (!attempt.signal.aborted || this.isAborted) throw error
      }
    }
  }
}
