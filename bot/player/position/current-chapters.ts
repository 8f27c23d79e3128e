import type { Chapter } from '../../tracks/chapters.ts'

/** The chapters of the current track, and which of them sounds. A part of the player's state. */
export class CurrentChapters {
  #list: readonly Chapter[] = []
  #index: number | null = null
  #cancelTimer: () => void = () => undefined

  /** Empty if the track has none, and while they are being read. */
  get list(): readonly Chapter[] {
    return this.#list
  }

  /** The place in the list of the chapter at a position; null before the first one. */
  indexAt(positionMs: number): number | null {
    const index = this.#list.findLastIndex(({ startMs }) => startMs <= positionMs)
    return index < 0 ? null : index
  }

  set(list: readonly Chapter[]): void {
    this.#list = list
  }

  /** @returns whether that is another one than before. */
  moveTo(index: number | null): boolean {
    const isOther = index !== this.#index
    this.#index = index
    return isOther
  }

  /** Replaces the timer. @param cancel ends it. */
  setTimer(cancel: () => void): void {
    this.#cancelTimer()
    this.#cancelTimer = cancel
  }

  /** The track is left. */
  clear(): void {
    this.setTimer(() => undefined)
    this.#list = []
    this.#index = null
  }
}
