import type { JsonObject, TrackException, TrackObject } from './track.ts'

interface PlaylistInfo {
  readonly name: string
  /** Of `tracks`; -1 where none is selected. */
  readonly selectedTrack: number
}

/** What `GET /v4/loadtracks` answers. */
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
