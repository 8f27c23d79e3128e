import type { LineObject, LyricsObject } from './lyrics.ts'

/** A part of a video that is passed over, as the plug-in SponsorBlock tells it. Milliseconds. */
export interface SegmentObject {
  readonly category: string
  readonly start: number
  readonly end: number
}

export interface ChapterObject {
  readonly name: string
  readonly start: number
  readonly end: number
  readonly duration: number
}

/** Events of a player that plug-ins add. */
export type PluginEvent = { readonly op: 'event'; readonly guildId: string } & (
  | { readonly type: 'SegmentsLoaded'; readonly segments: readonly SegmentObject[] }
  | { readonly type: 'SegmentSkipped'; readonly segment: SegmentObject }
  | { readonly type: 'ChaptersLoaded'; readonly chapters: readonly ChapterObject[] }
  | { readonly type: 'ChapterStarted'; readonly chapter: ChapterObject }
  | { readonly type: 'LyricsFoundEvent'; readonly lyrics: LyricsObject }
  | { readonly type: 'LyricsNotFoundEvent' }
  | {
      readonly type: 'LyricsLineEvent'
      /** Index of the line in the lyrics, from 0. */
      readonly lineIndex: number
      readonly line: LineObject
      /** Whether a jump led over it. */
      readonly skipped: boolean
    }
)
