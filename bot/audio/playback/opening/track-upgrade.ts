import type { ActiveTrack } from '../active-track.ts'
import { CHANGE_FRAMES, type GaplessNext } from '../gapless-next.ts'
import type { Reopener } from './reopener.ts'

/** Reopening a play would give it the right loudness, or save its encoding. */
export class TrackUpgrade {
  readonly #reopener: Reopener
  /** Play that could not be reopened yet. */
  #playId: number | null = null

  constructor(reopener: Reopener) {
    this.#reopener = reopener
  }

  isFor(loaded: ActiveTrack): boolean {
    return this.#playId === loaded.playId
  }

  /** @param playId of what plays, or follows it. */
  offer(playId: number, loaded: ActiveTrack | null, following: GaplessNext | null): void {
    const isOn = loaded?.playId === playId
    const next = following?.next.playId === playId ? following : null
    if (!isOn && next && loaded && loaded.source.buffered - next.overlapFrames > CHANGE_FRAMES) {
      next.reset()
    } else if (!isOn || this.#reopener.pendingSwap) {
      // A pending swap may have been opened earlier.
      this.#playId = playId
    } else if (!loaded.isRetired && (!loaded.source.isDone || loaded.source.buffered > CHANGE_FRAMES)) {
      this.#playId = null
      this.#reopener.reopen(loaded, null, 'loudness measured, or track cached').catch(() => undefined)
    }
  }
}
