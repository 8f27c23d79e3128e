import type { Chapter } from '../../tracks/chapters.ts'
import type { Segment } from '../../tracks/segments.ts'

/** Chapters and segments of the current track, both empty while they are being read. A part of the player's state. */
export class CurrentMarks {
  chapters: readonly Chapter[] = []
  /** Segments to skip or mute, in order. */
  segments: readonly Segment[] = []
  /** The track opens behind a segment; `segmentSkipped` fires when it becomes audible. */
  skippedAtStart: Segment | null = null
  /** The place of the chapter that sounds; null before the first one. */
  chapterIndex: number | null = null
  #cancelTimer: () => void = () => undefined

  /** Replaces the timer of the next chapter. @param cancel ends it. */
  setTimer(cancel: () => void): void {
    this.#cancelTimer()
    this.#cancelTimer = cancel
  }

  /** The track is left. */
  clear(): void {
    this.setTimer(() => undefined)
    this.chapters = []
    this.segments = []
    this.skippedAtStart = null
    this.chapterIndex = null
  }
}
