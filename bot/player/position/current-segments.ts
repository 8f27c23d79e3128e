import type { Segment } from '../../tracks/segments.ts'

/** Segments of the current track to skip or mute. A part of the player's state. */
export class CurrentSegments {
  #list: readonly Segment[] = []
  #skippedAtStart: Segment | null = null

  /** Segments in order; empty if there are none, and while they load. */
  get list(): readonly Segment[] {
    return this.#list
  }

  set(list: readonly Segment[]): void {
    this.#list = list
  }

  /** The track opens behind a segment; `segmentSkipped` fires when it becomes audible. */
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
