import type { Egress } from '../../../upstream/egress/egress-guard.ts'
import type { AudioFacts } from '../library/audio-tags.ts'
import type { HlsVariables } from '../hls/hls-variables.ts'
import type { Playlist } from '../playlists/playlist-entries.ts'

export type Probed =
  | {
      readonly kind: 'audio'
      readonly facts: AudioFacts
      /** Endless: an internet radio. */
      readonly isStream: boolean
      /** Name from the server: a station, or a file without its extension. */
      readonly name: string | null
      /** HLS: the media playlist, which lists segments. Null for what comes in one piece. */
      readonly hlsUrl: string | null
      /** Variables of the master playlist that named it. */
      readonly hlsVariables?: HlsVariables
    }
  | { readonly kind: 'playlist'; readonly playlist: Playlist }
  | { readonly kind: 'feed' }

export interface ProbeOptions {
  readonly egress: Egress
  readonly signal: AbortSignal
}
