import { CurrentChapters } from './current-chapters.ts'
import { CurrentSegments } from './current-segments.ts'

/** Chapters and segments of the current track. A part of the player's state. */
export class CurrentMarks {
  readonly chapters = new CurrentChapters()
  readonly segments = new CurrentSegments()

  /** The track is left. */
  clear(): void {
    this.chapters.clear()
    this.segments.clear()
  }
}
