import type { JsonObject } from './track.ts'

/** Lyrics as the plug-in LavaLyrics returns them. */
export interface LyricsObject {
  readonly sourceName: string
  readonly provider: string
  readonly text: string | null
  /** Empty where the lines have no times. */
  readonly lines: readonly LineObject[]
  readonly plugin: JsonObject
}

/** Milliseconds. */
export interface LineObject {
  readonly timestamp: number
  readonly duration: number | null
  readonly line: string
  readonly plugin: JsonObject
}

/** Lyrics as the older plug-ins Lyrics.java and Lyrics.kt return them. */
export type OlderLyricsObject = {
  readonly track: {
    readonly title: string
    readonly author: string
    readonly album: null
    readonly albumArt: readonly []
  }
  readonly source: string
} & (
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'timed'; readonly lines: readonly OlderLineObject[] }
)

interface OlderLineObject {
  readonly line: string
  /** Milliseconds. */
  readonly range: { readonly start: number; readonly end: number }
}
