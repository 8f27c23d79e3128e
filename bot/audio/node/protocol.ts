import type { SoundFilters } from '../ffmpeg/plugin-filters.ts'
import type { Playable } from '../../sources/source.ts'
import type { Segment } from '../../tracks/segments.ts'
import type { MinuteFrames, Trace } from './flight-recorder.ts'
import type { Counters } from './counters.ts'

/** Receives the sent frames of a player, 20 ms each, and null once at the end. */
export type FrameListener = (frames: readonly Uint8Array[] | null) => void

/** A player in an audio thread: one bot in one guild. */
export interface PlayerRef {
  readonly botId: string
  readonly guildId: string
}

export interface JoinOptions extends PlayerRef {
  readonly channelId: string
  /** The project whose share of decoders the player uses; defaults to the bot. */
  readonly projectId?: string
}

/** A player for a bot whose gateway is elsewhere: its voice comes by `connectVoice`, and it exists without voice too. */
export interface OpenPlayerOptions extends PlayerRef {
  /** Project whose decoder shares the player uses. */
  readonly projectId: string
  /** Time without data from a source before `trackStuck`; defaults to 10 s. */
  readonly stuckMs?: number
}

/** Voice state and voice server of a bot, from Discord. */
export interface VoiceCredentials {
  readonly userId: string
  readonly channelId: string
  readonly sessionId: string
  readonly token: string
  /** The host, with or without a port. */
  readonly endpoint: string
}

/** A track that the thread opens. What has an identity is kept: it plays the next time without being decoded. */
export type Audible = Playable & {
  /** Identifies a track of a source; stays the same when its URL changes. */
  readonly identity?: string
  /** Given by the node: how the watchdog of its thread knows the track. */
  readonly mark?: number
}

export interface Sound {
  /** Percent, 0 to 1642, the loudest of Lavalink; 100 is unchanged and needs no transcoding. What gets too loud is clipped. */
  readonly volume: number
  /** Silence frames go out while the position runs on. */
  readonly muted: boolean
  readonly paused: boolean
  /** Defaults to none. Presets are already resolved. */
  readonly filters?: SoundFilters
  /** Every track as loud as the others. */
  readonly isLevelled?: boolean
  /** The fade on pause, resume, seek, stop and leave; defaults to 0. */
  readonly fadeMs?: number
}

export interface PlayOptions extends PlayerRef, Sound {
  /** Chosen by the caller; comes back in every event about this track, so that late events can be recognised. */
  readonly playId: number
  readonly playable: Audible
  readonly positionMs: number
  /** Position at which the track ends early: with that frame, or when a seek leads past it. */
  readonly endMs?: number
}

/** Track that follows the current one gaplessly. */
export interface NextTrack {
  readonly playId: number
  readonly playable: Audible
  /** Joined to the sample at the price of encoding it; else a track that passes through joins at the nearest frame. */
  readonly isSeamless: boolean
  /** Overlap with the end of the previous track, at equal power; defaults to 0. */
  readonly overlapMs?: number
}

/** Something that sounds over the track that plays. */
export interface LayerRequest {
  readonly id: string
  readonly playable: Audible
  /** 0 to 1; the player's own volume comes on top. */
  readonly volume: number
}

export interface LayerPosition {
  readonly id: string
  readonly positionMs: number
}

/** Why the voice connection ended. The close code is Discord's, or null. */
export interface VoiceLoss {
  readonly why: 'kicked' | 'refused' | 'unreachable'
  readonly closeCode: number | null
}

/** Why a track broke off or could not be opened, as Lavalink has it. `exceptionOf` makes one of anything thrown. */
export interface TrackException {
  readonly message: string
  /** `common`: it cannot be played, here or at all; `suspicious`: its source failed; `fault`: a bug of ours. */
  readonly severity: 'common' | 'suspicious' | 'fault'
  /** The first cause in the chain, in one line. */
  readonly cause: string
}

export interface PlayerSnapshot {
  readonly guildId: string
  /** Current play; null if idle. */
  readonly playId: number | null
  readonly positionMs: number
  readonly isConnected: boolean
  /** The last round trip to the voice gateway; null before the first. */
  readonly pingMs: number | null
  /** The last minute; null if it did not play through all of it. */
  readonly frames: MinuteFrames | null
}

/**
 * Events of the thread. `trackStarted` comes with the first frame that goes out, so not while paused.
 * No event of a track follows once `play` or `stop` has been called for its player, nor about a `play` that threw;
 * nothing more about voice once `join` threw or `leave` was called.
 */
export type AudioEvent = PlayerRef &
  (
    | { readonly type: 'gatewayPayload'; readonly payload: unknown }
    | { readonly type: 'trackStarted'; readonly playId: number }
    | {
        readonly type: 'trackEnded'
        readonly playId: number
        readonly reason: 'finished' | 'loadFailed'
        readonly message: string | null
        /** Left out where it finished. */
        readonly exception?: TrackException
        /** The prepared play that sounds already, in the very next frame. */
        readonly followedBy?: number
      }
    /** Every second while playing, and at once on pause, resume and seek. */
    | { readonly type: 'position'; readonly playId: number; readonly positionMs: number }
    /** No frame was ready for `waitedMs`, told each `thresholdMs`; sound continues when the source delivers. */
    | { readonly type: 'trackStuck'; readonly playId: number; readonly waitedMs: number; readonly thresholdMs: number }
    /** Voice was away for a minute from a player that `open` made: its track is given up, as Lavalink does it. */
    | { readonly type: 'trackCleanedUp'; readonly playId: number }
    /** The player skipped a segment. If the segment reaches the end of the track, `trackEnded` follows. */
    | { readonly type: 'segmentSkipped'; readonly playId: number; readonly segment: Segment }
    /** A layer came to its end; those of a track that ends go with it, untold. */
    | { readonly type: 'layerEnded'; readonly playId: number; readonly layerId: string }
    /** An internet radio told what it plays. */
    | { readonly type: 'streamTitle'; readonly playId: number; readonly title: string }
    /** After a join, after each restoration, and when Discord moved us to another channel. */
    | { readonly type: 'voiceReady'; readonly channelId: string }
    /** The connection was lost, or Discord moved us, and it is being restored; frames and position wait. */
    | { readonly type: 'voiceRestoring'; readonly closeCode: number | null }
    /** The player is forgotten, its track with it. */
    | { readonly type: 'voiceLost'; readonly loss: VoiceLoss }
    /**
     * Voice that came by `connectVoice` is gone, and stays so until the next one; track, frames and position wait.
     * Closed by us where the voice server went silent or could not be reached: then the code is 1006.
     */
    | { readonly type: 'voiceClosed'; readonly closeCode: number; readonly reason: string; readonly byRemote: boolean }
    /** The 30 digits that members compare to verify end-to-end encryption; null without encryption. */
    | { readonly type: 'privacyCode'; readonly code: string | null }
  )

/** Each member of a union without some of its fields. */
export type Without<Union, Field extends PropertyKey> = Union extends unknown ? Omit<Union, Field> : never

/** Counters of a thread since its start, with gauges. */
export interface NodeStats extends Readonly<Counters> {
  readonly cacheBytes: number
  readonly cacheEntries: number
  readonly players: number
  /** Restored voice connections by close code; `none` without a code. */
  readonly rejoins: Readonly<Record<string, number>>
  /** 99th percentile of the delay of the thread's timers. */
  readonly lagMs: number
  /** The share of the time that the thread's event loop was busy in the last second or more, 0 to 1. */
  readonly utilization: number
}

export interface PlayerMethods {
  /**
   * Resolves when voice is ready to send there; moves when it is ready elsewhere (the old channel is kept when the new
   * one stays closed). @throws {Fault} `service_unavailable` when Discord never answers.
   */
  join(options: JoinOptions): Promise<void>
  /** Makes the player, without voice. No-op where there is one. */
  open(options: OpenPlayerOptions): Promise<void>
  /**
   * Voice from what Discord told the bot; other values than before connect again, the same where voice is gone, and what
   * plays goes on behind it. Resolves when the voice gateway answered or could not be reached; `voiceReady` or
   * `voiceClosed` tells how it went on. @throws {Fault} if the endpoint is not a voice server of Discord.
   */
  connectVoice(player: PlayerRef, voice: VoiceCredentials): Promise<void>
  /** Leaves and forgets the player, once what plays has faded out. Safe to repeat. */
  leave(player: PlayerRef): Promise<void>
  /**
   * Replaces what plays, which sounds until the first frame of the new track is ready; then it resolves.
   * @throws {Fault} when nothing could be decoded; then nothing plays. `conflict` when another `play` overtook it.
   */
  play(options: PlayOptions): Promise<void>
  /**
   * The track to play when the current one ends; null for none. `trackEnded` says whether it followed.
   * `play` and `stop` forget it.
   */
  prepare(player: PlayerRef, next: NextTrack | null): Promise<void>
  /**
   * Replaces the segments of a play to be skipped. They are in order and do not overlap. Infinity means the end of the track.
   */
  setSegments(player: PlayerRef, playId: number, segments: readonly Segment[]): Promise<void>
  /** Resolves when it is mixed in. @throws {Fault} when it cannot be decoded, `conflict` when nothing plays. */
  addLayer(player: PlayerRef, layer: LayerRequest): Promise<void>
  /** Resolves when it can be heard. No-op for a layer that has ended. */
  setLayer(player: PlayerRef, layerId: string, volume: number): Promise<void>
  removeLayer(player: PlayerRef, layerId: string): Promise<void>
  layers(player: PlayerRef): Promise<readonly LayerPosition[]>
  /** Sets the end of that play; null restores the track's end. No-op once the play is over or past it, as in Lavalink. */
  setEnd(player: PlayerRef, playId: number, endMs: number | null): Promise<void>
  /** Ends what plays, without an event; it may still fade out. */
  stop(player: PlayerRef): Promise<void>
  /**
   * Resolves when it can be heard: at once, but for other filters, which take a moment to prepare. So does another volume
   * while many players of the thread fade.
   */
  setSound(player: PlayerRef, sound: Sound): Promise<void>
  /** Resolves when it plays from there; until then it plays on. What is still being opened opens there. */
  seek(player: PlayerRef, positionMs: number): Promise<void>
  /** The position at this moment, from the frames sent. */
  position(player: PlayerRef): Promise<number>
  /** @throws {Fault} `service_unavailable` when the node does not know it. */
  snapshot(player: PlayerRef): Promise<PlayerSnapshot>
  snapshots(botId: string): Promise<readonly PlayerSnapshot[]>
  stats(): Promise<NodeStats>
  /** The last ten minutes of a player; null when the node does not know it. */
  trace(player: PlayerRef): Promise<Trace | null>
}

/** One value of memory that all threads share. */
export type SharedTime = BigInt64Array<SharedArrayBuffer>

/**
 * The main thread's handle on one audio thread. Methods answer within 10 s, counted from when a thread that slept is up, or
 * throw a `service_unavailable` fault; a thread that died is restarted and `restarted` fires: its players must join and
 * play again.
 */
export interface AudioNode extends PlayerMethods {
  readonly id: string
  /** True as well while it sleeps. */
  readonly isAlive: boolean
  /** Whether its thread ended because it had no players. The next player starts it. */
  readonly isAsleep: boolean
  /** On another machine. Such nodes are chosen before the threads of this one. */
  readonly isRemote: boolean
  /** Whether it stops soon and accepts no players. */
  readonly isDraining: boolean
  /** Number of players over all services that use the node; 0 if only this one does. */
  readonly playerCount: number
  /** Voice payloads of the main gateway, from discord.js. */
  voiceStateUpdate(player: PlayerRef, data: unknown): void
  voiceServerUpdate(player: PlayerRef, data: unknown): void
  /** Whether Discord's limit holds the player's join back: the time that a join may take counts from when it is sent. */
  joinHeld(player: PlayerRef, isHeld: boolean): void
  /**
   * No player of our bots sounds after that moment of `threadsNow` unless this is called again. The thread
   * itself sees to it, since the process may be stopped and go on when another service plays for the bots.
   * @param orUntilMs where another thread may write a later one, while the main thread is busy
   */
  holdUntil(untilMs: number, orUntilMs: SharedTime | null): void
  /** The bot left Discord's gateway for good: its players lose their voice connections. */
  dropBot(botId: string): void
  /**
   * Subscribes to the frames that the player sends. @returns a function that ends the subscription.
   * @throws {Fault} `conflict` when the bot is in no channel there, `service_unavailable` when too many listen.
   */
  listen(player: PlayerRef, listener: FrameListener): Promise<() => void>
  onEvent(listener: (event: AudioEvent) => void): void
  /** @param listener is told which players are gone, where not all of the node are. */
  onRestarted(listener: (lost?: readonly PlayerRef[]) => void): void
  /** Called when it drains or is away for longer than a restart: its players should move. */
  onAway(listener: () => void): void
  close(): Promise<void>
}
