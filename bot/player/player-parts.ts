import type { SegmentCategory } from '../../lib/music/segment-categories.ts'
import type { Logger } from '../../lib/log.ts'
import type { TelemetryHooks } from '../../lib/telemetry-hooks.ts'
import type { Audible, AudioNode, PlayerRef } from '../audio/node/protocol.ts'
import type { JoinPurpose } from '../discord/joins/join-turns.ts'
import type { EventBus } from '../events.ts'
import type { Recommendation } from '../autoplay/song.ts'
import type { ChapterLookup } from '../tracks/chapter-lookup.ts'
import type { Segment } from '../tracks/segments.ts'
import type { AlbumPlace } from '../sources/source.ts'
import type { TrackInfo } from '../tracks/track.ts'
import type { SavedPlayers } from './saved-players.ts'
import type { Clock } from './timers.ts'

export interface QueuedTrack {
  readonly info: TrackInfo
  readonly encoded: string
  /** The Discord user who requested it; null for programs. */
  readonly requesterId: string | null
  /** Why autoplay chose it; omitted for requested tracks. */
  readonly recommendation?: Recommendation
}

/** Something that sounds over the current track. */
export interface Layer {
  readonly id: string
  readonly track: QueuedTrack
  readonly volume: number
}

/** The track that the audio node plays when the current one ends. */
export interface PreparedTrack {
  readonly playId: number
  readonly track: QueuedTrack
  /** The place on its album, once the track was opened. */
  readonly album: AlbumPlace | null
}

export interface EndedTrack {
  readonly track: QueuedTrack
  /** The time of day, as milliseconds since 1970; null if it never began to sound. */
  readonly startedAtMs: number | null
  /** The position that was reached. */
  readonly heardMs: number
  /** `closed`: the player ended, or members went back to the previous track. */
  readonly ended: 'finished' | 'skipped' | 'failed' | 'closed'
}

/** The interface of a player to autoplay. Only `set` throws. */
export interface AutoplayHooks {
  /** Whether the members of the guild turned autoplay on. */
  readonly isOn: boolean
  set(isOn: boolean): Promise<void>
  /** A track may have to be chosen now: called whenever what follows may have changed. */
  onDue(): void
  onTrackEnded(ended: EndedTrack): void
}

/** Crossfade and fades, as the members of the guild set them. */
interface FadeSettings {
  /** Overlap of consecutive tracks in milliseconds. 0 turns crossfade off. */
  readonly crossfadeMs: number
  /** Fade of skip, pause, seek and stop in milliseconds. 0 turns it off. */
  readonly fadeMs: number
  set(fades: { readonly crossfadeMs?: number; readonly fadeMs?: number }): Promise<void>
}

/**
 * Why the bot cannot be heard although it is in the channel: a moderator muted it, it is in the audience of a stage, or it
 * lacks the Speak permission in a voice channel. The music waits meanwhile.
 */
export type Silence = 'serverMute' | 'suppressed' | 'mayNotSpeak'

/** A player's access to video segments that are to be skipped or muted. */
export interface SegmentHooks {
  /** The segment categories that the guild skips; empty means no lookup. */
  readonly categories: readonly SegmentCategory[]
  set(categories: readonly SegmentCategory[]): Promise<void>
  /** Never rejects: what cannot be found out is heard. */
  find(track: TrackInfo): Promise<readonly Segment[]>
}

export interface PlayerRules {
  /** Time that a player stays with nothing to play. */
  readonly idleMs: number
  /** Time that it stays with no human in its channel, playing or not. */
  readonly aloneMs: number
}

/** The dependencies of a player; all of them are injected. */
export interface PlayerParts {
  readonly ref: PlayerRef
  readonly projectId: string
  /** The one that it runs on now; `Player.moveTo` sets another. */
  node: AudioNode
  /**
   * Resolves a track to a playable, with the identity by which the audio node recognises it when its URL changes. `isFresh`
   * as for a source.
   */
  readonly openTrack: (track: QueuedTrack, signal: AbortSignal, isFresh?: boolean) => Promise<Audible>
  readonly events: EventBus
  readonly states: Pick<SavedPlayers, 'assertWritable' | 'save' | 'remove' | 'written'>
  readonly rules: PlayerRules
  /** Whether every track is to be as loud as the others. */
  readonly isLevelled: boolean
  readonly fades: FadeSettings
  readonly clock: Clock
  /** Carries the bot and the guild already. */
  readonly log: Logger
  readonly observer: Pick<TelemetryHooks, 'opened'>
  readonly autoplay: AutoplayHooks
  readonly chaptersOf: ChapterLookup
  readonly segments: SegmentHooks
  /** Humans in a channel of the player's guild at this moment. */
  readonly countListeners: (channelId: string) => number
  /** Whether the bot can reach Discord's gateway: without it no channel can be joined. */
  readonly isBotConnected: () => boolean
  /** Resolves when a join would be sent at once. @throws {Fault} see `JoinTurns.take`. */
  readonly joinTurn: (purpose: JoinPurpose) => Promise<void>
  /** The last moment in the channel. Soon over, and never rejects. */
  readonly beforeLeaving: () => Promise<void>
}
