import type { Segment } from '../../tracks/segments.ts'

/** What of the current track is not to be heard. A part of the player's state. */
export class CurrentSegments {
  #list: readonly Segment[] = []
  #skippedAtStart: Segment | null = null

  /** In order; empty where nothing is, and while they are being asked for. */
  get list(): readonly Segment[] {
    return this.#list
  }

  set(list: readonly Segment[]): void {
    this.#list = list
  }

  /** The track is opened behind a segment, which is told when it begins to sound. */
  skipAtStart(segment: Segment | null): void {
    this.#skippedAtStart = segment
  }

  takeSkippedAtStart(): Segment | null {
    const segment = this.#skippedAtStart
    this.#skippedAtStart = null
    return segment
  }

  /** The track is left. */
  clear(): void {
    this.#list = []
    this.#skippedAtStart = null
  }
}
