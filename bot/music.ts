import type { Readable } from 'node:stream'
import type { Trace } from './audio/node/flight-recorder.ts'
import type { Filters } from './player/audio-settings/filters.ts'
import type { EncodedTrack, Track } from './tracks/track.ts'

export type Loop = 'off' | 'track' | 'queue'

/**
 * Why nobody hears the bot although it is in the channel: a moderator muted it, or it may not speak there, as in the
 * audience of a stage. The music waits meanwhile.
 */
export type Silence = 'serverMute' | 'suppressed'

/** Who asks for music: the bot that the key is linked to, and how many players its project may run at once. */
export interface PlayerScope {
  readonly projectId: string
  readonly botId: string
  readonly playerCeiling: number
}

export interface PlayerInfo {
  readonly node: { readonly id: string }
  readonly channelId: string
  readonly paused: boolean
  readonly positionMs: number
  readonly volume: number
  readonly muted: boolean
  readonly loop: Loop
  readonly current: EncodedTrack | null
  readonly queue: readonly EncodedTrack[]
  /** What an internet radio last said it plays; null where nothing is said. */
  readonly streamTitle: string | null
  /** The 30 digits by which members verify the call's end-to-end encryption; null where there is none. */
  readonly privacyCode: string | null
  /** Why nobody can hear it; null where everybody can. */
  readonly silenced: Silence | null
  /** Filters of the sound; a preset is spelled out beside its name. */
  readonly filters: Filters
}

/** Something that sounds over the current track and goes with it. */
export interface MixLayer {
  readonly id: string
  readonly track: EncodedTrack
  /** 0 to 1; the player's volume comes on top. */
  readonly volume: number
  readonly positionMs: number
}

/** What went well and what went wrong with the sound lately. */
export interface PlayerTrace extends Trace {
  readonly node: { readonly id: string }
}

export interface QueueInfo {
  readonly current: Track | null
  readonly queue: readonly Track[]
  readonly loop: Loop
  /** Milliseconds left of the current track and all of the queue; streams count as 0. */
  readonly lengthMs: number
}

export interface PlayRequest {
  /** Exactly one of `query`, `encoded` and `playlist` is given. */
  readonly query?: string
  readonly encoded?: string
  /** Tokens; what cannot be played is passed over when its turn comes. */
  readonly playlist?: readonly string[]
  readonly channelId?: string
  /** The Discord user who asks; where a program does, nobody. */
  readonly requesterId?: string
  /** How the tracks are taken in; everything behind what waits unless told. */
  readonly rules?: QueueRules
}

/** What a guild has agreed on for its members. */
export interface QueueRules {
  /** Members take turns. */
  readonly fair: boolean
  /** Whether a track may wait that waits or plays already. */
  readonly duplicates: boolean
  /** How many tracks of one member may wait; null: any number. */
  readonly mostPerMember: number | null
}

export interface PlayResult {
  readonly track: Track
  readonly position: number
  readonly added: number
}

export interface PlayerPatch {
  readonly paused?: boolean
  readonly volume?: number
  readonly loop?: Loop
  readonly positionMs?: number
  /** Instead of all filters there were; an empty object ends them. */
  readonly filters?: Filters
}

/** A change of the order in which tracks wait. Position 1 is the next one up. */
export type QueueEdit =
  | { readonly type: 'shuffle' | 'clear' }
  | { readonly type: 'remove'; readonly position: number }
  | { readonly type: 'move'; readonly from: number; readonly to: number }

/** A track and the name of the source that found it. */
export type FoundEncodedTrack = EncodedTrack & { readonly source: string }

/** Who asked for what plays and waits; null where a program did. */
export interface Requesters {
  readonly current: string | null
  readonly queue: readonly (string | null)[]
}

/** All that the music routes can do. Every method throws `Fault`s with the codes of `api.md`'s music table. */
export interface PlayerService {
  /** Sources that `search` knows by name. */
  readonly sourceNames: readonly string[]
  search(options: { q: string; limit: number; source?: string }): Promise<readonly FoundEncodedTrack[]>
  play(who: PlayerScope, guildId: string, wish: PlayRequest): Promise<PlayResult>
  skip(who: PlayerScope, guildId: string): Promise<{ track: Track | null }>
  /** Plays the track before the current one, which is next up then. */
  previous(who: PlayerScope, guildId: string): Promise<{ track: Track | null }>
  /** @throws {Fault} `validation_error` for a position that the queue does not have. */
  editQueue(who: PlayerScope, guildId: string, edit: QueueEdit): Promise<QueueInfo>
  requesters(who: PlayerScope, guildId: string): Promise<Requesters>
  /** What plays after the current track, ahead of the queue. */
  nextTrack(who: PlayerScope, guildId: string): Promise<{ track: EncodedTrack | null }>
  /** Null takes it back. @throws {Fault} `conflict` with nothing playing that a track could follow. */
  setNextTrack(who: PlayerScope, guildId: string, encoded: string | null): Promise<{ track: EncodedTrack | null }>
  /** @throws {Fault} `conflict` with nothing playing, or with five layers already. */
  addLayer(who: PlayerScope, guildId: string, wish: { encoded: string; volume: number }): Promise<MixLayer>
  layers(who: PlayerScope, guildId: string): Promise<readonly MixLayer[]>
  /** @throws {Fault} `not_found` for a layer that has ended. */
  changeLayer(who: PlayerScope, guildId: string, layer: { id: string; volume: number }): Promise<MixLayer>
  /** @throws {Fault} `not_found` for a layer that has ended. */
  removeLayer(who: PlayerScope, guildId: string, id: string): Promise<MixLayer>
  mute(who: PlayerScope, guildId: string, muted: boolean): Promise<{ muted: boolean }>
  /** Ends the mute and brings volume back to what it was when the mute began. */
  unmute(who: PlayerScope, guildId: string): Promise<{ muted: boolean }>
  info(who: PlayerScope, guildId: string): Promise<PlayerInfo>
  queue(who: PlayerScope, guildId: string): Promise<QueueInfo>
  patch(who: PlayerScope, guildId: string, patch: PlayerPatch): Promise<PlayerInfo>
  close(who: PlayerScope, guildId: string): Promise<{ closed: true }>
  /** The last ten minutes of the sound. */
  trace(who: PlayerScope, guildId: string): Promise<PlayerTrace>
  /** What the player sends to its channel, as Ogg Opus that goes on until somebody stops. Whether one may, ask before. */
  listen(who: PlayerScope, guildId: string): Promise<Readable>
  players(who: PlayerScope): Promise<readonly ({ guildId: string } & PlayerInfo)[]>
}
