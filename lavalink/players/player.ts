import type { AudioEvent, AudioNode, PlayerRef, Sound } from '../../bot/audio/node/protocol.ts'
import { waitAtMost, type Clock } from '../../bot/player/timers.ts'
import type { Filters } from '../../bot/player/audio-settings/filters.ts'
import { isDeepStrictEqual } from 'node:util'
import type { TrackInfo } from '../../bot/tracks/track.ts'
import { abortable } from '../../lib/deadline.ts'
import { Fault } from '../../lib/errors.ts'
import type { Logger } from '../../lib/log.ts'
import type { NodeCaller } from '../http/node-keys.ts'
import { toFilters, type LavalinkFilters } from '../protocol/filters.ts'
import type { Message } from '../protocol/messages.ts'
import type { PlayerObject, PlayerState, VoiceState } from '../protocol/player.ts'
import type { TrackObject } from '../protocol/track.ts'
import type { TrackService } from '../tracks/track-service.ts'
import { Playback, type EventFacts } from './playback.ts'
import type { PlayerIntent, WantedTrack } from './player-intent.ts'
import { connectVoice, NO_VOICE, type VoiceOwner } from './voice.ts'

/** How long the answer to new voice values waits for the connection. */
const VOICE_PATIENCE_MS = 4000
/** Until a track that is named in words is found. */
const RESOLVE_TIMEOUT_MS = 30_000
/** Discord's close code for a bot that was taken out of its channel. */
const DISCONNECTED = 4014

export interface PlayerParts {
  readonly owner: VoiceOwner
  readonly caller: NodeCaller
  readonly node: AudioNode
  readonly tracks: TrackService
  readonly clock: Clock
  readonly log: Logger
  readonly send: (message: Message) => void
}

/** One player of somebody else's bot: what its client asked for, over the audio node. It knows no queue. */
export class LavalinkPlayer {
  readonly ref: PlayerRef
  readonly node: AudioNode
  readonly #parts: PlayerParts
  readonly #playback: Playback
  readonly #closing = new AbortController()
  #volume = 100
  #isPaused = false
  #filters: LavalinkFilters = {}
  #audioFilters: Filters = {}
  #voice = NO_VOICE
  #isConnected = false
  /** While a voice connection is being made. */
  #connecting: PromiseWithResolvers<void> | null = null

  constructor(parts: PlayerParts) {
    const { botId, guildId, projectId } = parts.owner
    this.ref = { botId, guildId }
    this.node = parts.node
    this.#parts = parts
    this.#playback = new Playback({
      ...parts,
      ref: this.ref,
      projectId,
      sound: () => this.#sound,
      emit: (event) => this.#emit(event),
      onChange: () => this.tellState(),
    })
  }

  get hasTrack(): boolean {
    return this.#playback.hasTrack
  }

  get isPlaying(): boolean {
    return this.hasTrack && !this.#isPaused
  }

  toObject(): PlayerObject {
    return {
      guildId: this.ref.guildId,
      track: this.#playback.track,
      volume: this.#volume,
      paused: this.#isPaused,
      state: this.#state,
      voice: this.#voice,
      filters: this.#filters,
    }
  }

  /**
   * Does what a `PATCH` asks: voice and settings first, then the track.
   * @throws {Fault} `bad_request` for a track that is none; `not_found` when it was destroyed meanwhile
   */
  async change(intent: PlayerIntent, noReplace: boolean): Promise<void> {
    const { track } = intent
    const given = await this.#find(track)
    this.#closing.signal.throwIfAborted()
    const isKept = track.is === 'unchanged' || (noReplace && this.hasTrack)
    if (intent.voice) this.#connect(intent.voice)
    this.#setSound(intent, track.is === 'unchanged')
    if (track.is === 'unchanged') this.#moveIn(intent)
    else if (!isKept) this.#replaceTrack(given, intent)
    if (intent.voice && this.#connecting) {
      await waitAtMost(this.#parts.clock, VOICE_PATIENCE_MS, this.#connecting.promise)
    }
  }

  /** Tells where it is, if it has a track or its voice has changed. */
  tellState(): void {
    this.#parts.send({ op: 'playerUpdate', guildId: this.ref.guildId, state: this.#state })
  }

  /** What the audio node tells of this player. */
  hear(event: AudioEvent): void {
    if (this.#closing.signal.aborted) return
    if (event.type === 'voiceReady') this.#onVoice()
    else if (event.type === 'voiceLost') this.#onVoiceLost(event.loss.closeCode)
    else this.#playback.hear(event)
  }

  /** The audio thread is a new one: the player comes back where it was. */
  recover(): void {
    this.#playback.interrupt()
    this.#isConnected = false
    if (this.#voice !== NO_VOICE) this.#connect(this.#voice)
  }

  /** Ends what plays and leaves. */
  async destroy(): Promise<void> {
    if (this.#closing.signal.aborted) return
    this.#playback.stop('stopped')
    this.#closing.abort(new Fault('not_found', 'Player not found'))
    this.#playback.close()
    this.#settleVoice()
    const { node, ref } = this
    await node.leave(ref).catch((err: unknown) => this.#parts.log.warn({ ...ref, err }, 'voice channel not left'))
  }

  get #sound(): Sound {
    return { volume: this.#volume, muted: false, paused: this.#isPaused, filters: this.#audioFilters }
  }

  get #state(): PlayerState {
    const time = this.#parts.clock.dateMs()
    return { time, position: this.#playback.positionMs, connected: this.#isConnected, ping: -1 }
  }

  #emit(event: EventFacts): void {
    this.#parts.send({ op: 'event', guildId: this.ref.guildId, ...event })
  }

  /** The track that is named. A search may take a while, in which the rest of the player goes on. */
  async #find(wanted: WantedTrack): Promise<GivenTrack | null> {
    const { tracks, caller } = this.#parts
    if (wanted.is === 'encoded') return { track: tracks.decode(wanted.encoded), info: tracks.read(wanted.encoded) }
    if (wanted.is !== 'identifier') return null
    const signal = AbortSignal.any([this.#closing.signal, AbortSignal.timeout(RESOLVE_TIMEOUT_MS)])
    const info = await abortable(tracks.resolve(wanted.identifier, caller, signal), signal)
    return { track: tracks.encode(info), info }
  }

  #setSound({ volume, filters, paused }: PlayerIntent, isTrackKept: boolean): void {
    if (volume !== undefined) this.#volume = volume
    if (filters !== undefined) {
      this.#filters = filters
      this.#audioFilters = toFilters(filters)
    }
    // A new track brings its own pause.
    const isPauseMeant = paused !== undefined && isTrackKept
    if (isPauseMeant) this.#isPaused = paused
    if (volume === undefined && filters === undefined && !isPauseMeant) return
    this.#playback.renewSound()
    if (filters !== undefined) this.tellState()
  }

  /** What a request without a track says of the one that plays. */
  #moveIn({ userData, positionMs, endMs }: PlayerIntent): void {
    if (userData !== undefined) this.#playback.setUserData(userData)
    if (positionMs !== undefined) this.#playback.seek(positionMs)
    if (endMs !== undefined) this.#playback.setEnd(endMs)
  }

  #replaceTrack(given: GivenTrack | null, { paused = false, userData, positionMs, endMs }: PlayerIntent): void {
    this.#isPaused = paused
    if (!given) return this.#playback.stop('stopped')
    const track = { ...given.track, userData: userData ?? given.track.userData }
    this.#playback.play({ track, info: given.info, positionMs: positionMs ?? 0, endMs: endMs ?? null })
  }

  #connect(voice: VoiceState): void {
    const isSame = isDeepStrictEqual(voice, this.#voice)
    if (isSame && (this.#isConnected || this.#connecting)) return
    this.#voice = voice
    this.#connecting ??= Promise.withResolvers<void>()
    const { node, owner, log } = this.#parts
    connectVoice(node, owner, voice).catch((err: unknown) => {
      log.info({ ...this.ref, err }, 'voice not connected')
      if (this.#voice === voice && !this.#isConnected) this.#onVoiceLost(null)
    })
    this.#playback.begin()
  }

  #onVoice(): void {
    this.#isConnected = true
    this.#settleVoice()
    this.tellState()
  }

  #onVoiceLost(closeCode: number | null): void {
    this.#isConnected = false
    this.#playback.interrupt()
    this.#settleVoice()
    if (this.#closing.signal.aborted) return
    const code = closeCode ?? DISCONNECTED
    this.#emit({ type: 'WebSocketClosedEvent', code, reason: '', byRemote: true })
    this.tellState()
  }

  #settleVoice(): void {
    this.#connecting?.resolve()
    this.#connecting = null
  }
}

interface GivenTrack {
  readonly track: TrackObject
  readonly info: TrackInfo
}
