import type { WorkerHealth } from '../../lib/workers/worker-health.ts'
import type { WantedTrack } from '../../upstream/music/title-matching.ts'
import type { FoundChapter } from '../tracks/chapters.ts'
import type { CoverRef } from '../covers/cover-addresses.ts'
import type { TrackInfo } from '../tracks/track.ts'
import type { HlsVariables } from './hls/hls-variables.ts'
import type { SourceName } from './settings.ts'
import type { BudgetStatus, OutcomeCount, SourceStatus, WayStatus } from './source-state.ts'

export interface AlbumPlace {
  /** The same for tracks of the same album, and for no others. */
  readonly album: string
  readonly disc: number
  readonly track: number
}

/** Input that the audio thread can open. A source creates it on the main thread; it is sent to the thread unchanged. */
export type Playable = { readonly album?: AlbumPlace } & PlayableAt

type PlayableAt =
  | {
      readonly kind: 'file'
      /** Absolute path; only sources make it, never a caller. */
      readonly path: string
      /** Ogg with 48 kHz Opus can be passed through; anything else goes through ffmpeg. */
      readonly codec: 'ogg-opus' | 'webm-opus' | 'other'
    }
  | {
      readonly kind: 'http'
      /** Fetched by the audio thread through the egress guard, every redirect checked. */
      readonly url: string
      readonly codec: 'ogg-opus' | 'webm-opus' | 'other'
      /** Endless: no length, no seeking, ICY titles asked for. */
      readonly isStream: boolean
      /** `host:port` of the URL if the operator configured it; reachable even at a private address. */
      readonly operatorHost?: string
      /**
       * A parameter of the query that has a host which encodes as it sends begin later, in whole seconds. Used where the
       * host neither knows ranges nor says a length.
       */
      readonly offsetParameter?: string
    }
  | {
      readonly kind: 'hls'
      /**
       * A media playlist, never a master: the source has chosen among its variants. `readHls` reads it. The audio thread
       * fetches it and all that it names (segments, keys) through the egress guard.
       */
      readonly url: string
      /** Variables of the master playlist that named it. */
      readonly variables?: HlsVariables
      readonly codec: 'other'
      /** Live: the playlist grows until it ends; no length, no seeking, begins near its end. */
      readonly isStream: boolean
    }

export interface Found {
  /** At least one. */
  readonly tracks: readonly TrackInfo[]
  /** The playlist's name when the query named one. */
  readonly playlist: string | null
  /** Number of entries that the playlist has at its site, playable or not; left out or null where the site does not say. */
  readonly total?: number | null
}

export type ListKind = 'album' | 'artist' | 'playlist' | 'podcast'

/** Something of a source that holds several tracks. */
export interface FoundList {
  readonly kind: ListKind
  readonly title: string
  /** Null if unknown, or if several have a part in it. */
  readonly author: string | null
  /** Null if the source does not provide it. */
  readonly trackCount: number | null
  /** Query for which `find` returns all of it. */
  readonly uri: string
  readonly artworkUrl: string | null
}

export interface ListRequest {
  readonly kind: ListKind
  /** Words of its name; empty for all that there are. */
  readonly text: string
  /** The name of an artist, for albums of that one alone. */
  readonly artist?: string
  readonly limit: number
  /** Lists to skip. */
  readonly offset: number
}

/** A place that music comes from. All of them stand behind this. */
export interface Source {
  /** Name in `MUSIC_SOURCES` and in searches. */
  readonly name: SourceName
  /** Name in tokens, which use lavaplayer's names: `local`, `http`, … */
  readonly sourceName: string
  /** Time that a search in several sources waits for this one, where that is longer than for most. */
  readonly patienceMs?: number
  /** Whether its search finds recordings by their ISRC in quotation marks. */
  readonly findsIsrc?: boolean
  /** Whether a URL that a caller wrote belongs to this source. */
  claims(url: URL): boolean
  /** Returns the tracks behind a URL of this source. @throws {Fault} `unplayable` when nothing there is playable. */
  resolve(url: URL, signal: AbortSignal): Promise<Found>
  /** Search by text, best first; an empty list when the source cannot search or finds nothing. */
  search(text: string, limit: number, signal: AbortSignal): Promise<readonly TrackInfo[]>
  /** The same for songs alone, where it tells them from other sound. */
  songs?(text: string, limit: number, signal: AbortSignal): Promise<readonly TrackInfo[]>
  /** Albums, artists, playlists or podcasts by name, where it has such a kind; empty if it has not. */
  lists?(request: ListRequest, signal: AbortSignal): Promise<readonly FoundList[]>
  /**
   * Returns how to open a track from a token. Tokens are input: nothing in them is trusted. With `isFresh`, the
   * previous result does not play any more, so no cache is used.
   * @throws {Fault} `unplayable` when the track is not (or no longer) this source's.
   */
  open(track: TrackInfo, signal: AbortSignal, isFresh?: boolean): Promise<Playable>
  /** Tracks that go well after a track of this source, best first, where the source itself knows. */
  related?(track: TrackInfo, limit: number, signal: AbortSignal): Promise<readonly TrackInfo[]>
  /**
   * The chapters of a track of this source, in any order and unchecked; empty if it has none. Asked while the track
   * plays, so that it may take some seconds.
   */
  chapters?(track: TrackInfo, signal: AbortSignal): Promise<readonly FoundChapter[]>
  /**
   * A picture of one of its tracks, where only we can fetch it: a PNG, JPEG, WebP, AVIF or GIF file of at most 10 MiB.
   * Null if there is none (any more).
   */
  cover?(id: string, signal: AbortSignal): Promise<Buffer | null>
  /** Health of the child process that the source runs, if any. */
  health?(): WorkerHealth
  /** Ways to its audio, where it has several. */
  ways?(): readonly WayStatus[]
  /** Requests that its site may still get, where it has one. */
  budget?(): BudgetStatus
  close(): void | Promise<void>
}

/** A track and the name of the source that found it. */
export type FoundTrack = TrackInfo & { readonly source: string }

interface SearchOptions {
  readonly limit: number
  /** Defaults to all that play. */
  readonly source?: string
  /** Songs alone, from sources that tell them from other sound. */
  readonly songsOnly?: boolean
  readonly signal: AbortSignal
}

export interface Sources {
  /** Names that `search` accepts as `source`. */
  readonly names: readonly string[]
  /** A search text or a URL: what plays. @throws {Fault} `unplayable` when nothing is found. */
  find(query: string, signal: AbortSignal): Promise<Found>
  /**
   * Search by text in one source, or in all of them in their order, each for what the ones before it left to be found.
   * @throws {Fault} `service_unavailable` when none of them could be asked.
   */
  search(text: string, options: SearchOptions): Promise<readonly FoundTrack[]>
  /**
   * Albums, artists, playlists or podcasts of one source, or of all.
   * @throws {Fault} `service_unavailable` when none of them could be asked.
   */
  lists(
    request: ListRequest & { source?: string; signal: AbortSignal },
  ): Promise<readonly (FoundList & { readonly source: string })[]>
  /** Tracks that go well after a track, by its own source; empty if that knows none or is not configured. */
  related(track: TrackInfo, limit: number, signal: AbortSignal): Promise<readonly FoundTrack[]>
  /** A song that is known by name, where it can be played; null if no source has it. */
  mirror(wanted: WantedTrack, signal: AbortSignal): Promise<FoundTrack | null>
  /** The chapters of a track, as its own source knows them; empty if that knows none. */
  chapters(track: TrackInfo, signal: AbortSignal): Promise<readonly FoundChapter[]>
  /** Has what is at an address that expires kept for later. Never throws. */
  keep(url: string, projectId: string): void
  /** `isFresh` as for a source. */
  open(track: TrackInfo, signal: AbortSignal, isFresh?: boolean): Promise<Playable>
  /** A picture that a source named; null if it is not there. */
  cover(ref: CoverRef, signal: AbortSignal): Promise<Buffer | null>
  /** All sources that there are, those that are off included. */
  states(): readonly SourceStatus[]
  /** Outcomes of the calls to each source, since the start. */
  outcomes(): readonly OutcomeCount[]
  /** Health of the child processes of all sources. */
  health(): readonly WorkerHealth[]
  close(): Promise<void>
}
