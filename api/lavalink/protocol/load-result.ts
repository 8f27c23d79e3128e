import type { JsonObject, TrackException, TrackObject } from './track.ts'

interface PlaylistInfo {
  readonly name: string
  /** Index into `tracks`; -1 where none is selected. */
  readonly selectedTrack: number
}

/** The answer of `GET /v4/loadtracks`. */
export type LoadResult =
  | { readonly loadType: 'track'; readonly data: TrackObject }
  | {
      readonly loadType: 'playlist'
      readonly data: {
        readonly info: PlaylistInfo
        readonly pluginInfo: JsonObject
        readonly tracks: readonly TrackObject[]
      }
    }
  | { readonly loadType: 'search'; readonly data: readonly TrackObject[] }
  | { readonly loadType: 'empty'; readonly data: null }
  | { readonly loadType: 'error'; readonly data: TrackException }
