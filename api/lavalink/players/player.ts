import type { AudioEvent, AudioNode, PlayerRef, PlayerSnapshot, Sound } from '../../../bot/audio/node/protocol.ts'
import { waitAtMost, type Clock } from '../../../bot/player/timers.ts'
import type { SoundFilters } from '../../../bot/audio/ffmpeg/plugin-filters.ts'
import type { Segment } from '../../../bot/tracks/segments.ts'
import { Fault } from '../../../lib/errors.ts'
import type { Logger } from '../../../lib/log.ts'
import type { LavalinkFilters } from '../protocol/filters.ts'
import type { Message } from '../protocol/messages.ts'
import type { PlayerObject, LavalinkPlayerState, VoiceState } from '../protocol/player.ts'
import type { MarkedPlayer, TrackMarks } from '../plugins/track-marks.ts'
import type { TrackService } from '../tracks/track-service.ts'
import type { GivenTrack } from './given-track.ts'
import { Playback, type EventFacts } from './playback.ts'
import type { PlayerIntent } from './player-intent.ts'
import { soundFiltersOf, soundVolume } from './sound-filters.ts'

/** Time that the answer to new voice values waits for the connection. */
const VOICE_PATIENCE_MS = 4000

/** Before a client has told of one. */
const NO_VOICE: VoiceState = { token: '', endpoint: '', sessionId: '', channelId: null }

/** Owner of a player. */
interface PlayerOwner extends PlayerRef {
  readonly projectId: string
  /** ID of the bot at Discord. */
  readonly userId: string
}

export interface PlayerParts {
  readonly owner: PlayerOwner
  readonly node: AudioNode
  readonly tracks: TrackService
  readonly clock: Clock
  readonly log: Logger
  readonly send: (message: Message) => void
  /** Plug-in events for its tracks; null where its client chose none. */
  readonly marks: () => TrackMarks | null
}

/** One player of a client's bot: what its client asked for, over the audio node. It knows no queue. */
export class LavalinkPlayer implements MarkedPlayer {
  readonly ref: PlayerRef
  readonly node: AudioNode
  readonly #parts: PlayerParts
  readonly #playback: Playback
  readonly #closing = new AbortController()
  /** Until it wakes nothing is heard or told of it. */
  #isDormant = true
  #volume = 100
  #isPaused = false
  #filters: LavalinkFilters = {}
  #audioFilters: SoundFilters = {}
  #voice = NO_VOICE
  #isConnected = false
  #pingMs = -1
  #frames: PlayerSnapshot['frames'] = null

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

  get playing(): MarkedPlayer['playing'] {
    return this.#playback.playing
  }

  get positionMs(): number {
    return this.#playback.positionMs
  }

  get tempo(): number {
    return this.#playback.tempo
  }

  setSegments(segments: readonly Segment[]): void {
    this.#playback.setSegments(segments)
  }

  /** The last minute, where it played through all of it. */
  get frames(): PlayerSnapshot['frames'] {
    return this.isPlaying ? this.#frames : null
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
   * @param given the track that it names
   * @throws {Fault} where the voice endpoint is not one of Discord
   */
  async change(intent: PlayerIntent, given: GivenTrack | null, noReplace: boolean): Promise<void> {
    const { track, voice } = intent
    const isKept = noReplace && this.hasTrack
    const connecting = voice && this.#connect(voice)
    this.#setSound(intent, track.is === 'unchanged')
    if (track.is === 'unchanged') this.#moveIn(intent)
    else if (!isKept) this.#replaceTrack(given, intent)
    await connecting
  }

  /** Joins the players of its session and starts to emit events. */
  wake(): void {
    if (!this.#isDormant) return
    this.#isDormant = false
    this.#playback.announce()
    this.#open()
  }

  /** Tells where it is, if it has a track or its voice has changed. */
  tellState(): void {
    this.#send({ op: 'playerUpdate', guildId: this.ref.guildId, state: this.#state })
  }

  /** Handles an event of the audio node for this player. */
  hear(event: AudioEvent): void {
    if (this.#closing.signal.aborted) return
    if (event.type === 'voiceReady') {
      this.#isConnected = true
      this.tellState()
    } else if (event.type === 'voiceClosed') {
      const { closeCode: code, reason, byRemote } = event
      this.#isConnected = false
      this.#emit({ type: 'WebSocketClosedEvent', code, reason, byRemote })
      this.tellState()
    } else if (this.#playback.hear(event)) this.#mark(event)
  }

  #mark(event: AudioEvent): void {
    const marks = this.#parts.marks()
    if (event.type === 'position' || event.type === 'trackStarted') marks?.onPosition()
    else if (event.type === 'segmentSkipped') marks?.onSkipped(event.segment)
  }

  /** Updates the state from a requested snapshot of the audio node. */
  refresh({ playId, positionMs, isConnected, pingMs, frames }: PlayerSnapshot): void {
    this.#isConnected = isConnected
    this.#pingMs = isConnected ? (pingMs ?? -1) : -1
    this.#frames = frames
    this.#playback.measure(playId, positionMs)
  }

  /** The audio thread is a new one: the player comes back where it was. */
  recover(): void {
    if (this.#isDormant || this.#closing.signal.aborted) return
    this.#playback.interrupt()
    this.#isConnected = false
    this.#open()
    // If Discord no longer accepts them, the client is notified and sends others.
    if (this.#voice !== NO_VOICE) this.#connect(this.#voice).catch(() => undefined)
  }

  /** Ends what plays and leaves. */
  async destroy(): Promise<void> {
    if (this.#closing.signal.aborted) return
    this.#playback.stop('stopped')
    this.#closing.abort(new Fault('not_found', 'Player not found'))
    this.#playback.close()
    const { node, ref } = this
    if (this.#isDormant || !node.isAlive) return
    const { log } = this.#parts
    await node.leave(ref).catch((err: unknown) => log.warn({ guildId: ref.guildId, err }, 'voice channel not left'))
  }

  get #sound(): Sound {
    return { volume: soundVolume(this.#volume), muted: false, paused: this.#isPaused, filters: this.#audioFilters }
  }

  get #state(): LavalinkPlayerState {
    const time = this.#parts.clock.dateMs()
    return { time, position: this.#playback.positionMs, connected: this.#isConnected, ping: this.#pingMs }
  }

  #emit(event: EventFacts): void {
    this.#send({ op: 'event', guildId: this.ref.guildId, ...event })
    if (!this.#isDormant && (event.type === 'TrackStartEvent' || event.type === 'TrackEndEvent')) {
      this.#parts.marks()?.onTrack(this)
    }
  }

  #send(message: Message): void {
    if (!this.#isDormant) this.#parts.send(message)
  }

  #setSound({ volume, filters, paused }: PlayerIntent, isTrackKept: boolean): void {
    if (volume !== undefined) this.#volume = volume
    if (filters !== undefined) {
      this.#filters = filters
      this.#audioFilters = soundFiltersOf(filters)
    }
    // A new track brings its own pause.
    const isPauseMeant = paused !== undefined && isTrackKept
    if (isPauseMeant) this.#isPaused = paused
    if (volume === undefined && filters === undefined && !isPauseMeant) return
    this.#playback.renewSound()
    if (filters !== undefined) this.tellState()
  }

  /** Applies a request without a track to the one that plays. */
  #moveIn({ userData, positionMs, endMs }: PlayerIntent): void {
    if (userData !== undefined) this.#playback.setUserData(userData)
    if (positionMs !== undefined) this.#playback.seek(positionMs)
    if (endMs !== undefined) this.#playback.setEnd(endMs)
  }

  #replaceTrack(given: GivenTrack | null, { paused = false, userData, positionMs, endMs }: PlayerIntent): void {
    this.#isPaused = paused
    if (!given) return this.#playback.stop('stopped')
    const track = { ...given.track, userData: userData ?? given.track.userData }
    this.#playback.play({
      track,
      info: given.info,
      positionMs: positionMs ?? given.track.info.position,
      endMs: endMs ?? null,
    })
  }

  /** Makes the player in the audio node. */
  #open(): void {
    const { node, ref } = this
    const { owner, log } = this.#parts
    const { projectId } = owner
    node
      .open({ ...ref, projectId })
      .catch((err: unknown) => log.debug({ guildId: ref.guildId, err }, 'player not opened'))
    this.#playback.begin()
  }

  /** Resolves when Discord's voice server answered, or has had the time to. @throws {Fault} for an endpoint that is none */
  async #connect(voice: VoiceState): Promise<void> {
    const before = this.#voice
    this.#voice = voice
    const { node, ref } = this
    const { owner, clock, log } = this.#parts
    const { token, endpoint, sessionId, channelId } = voice
    const credentials = { userId: owner.userId, channelId: channelId ?? '', sessionId, token, endpoint }
    let fault: unknown = null
    const connecting = node.connectVoice(ref, credentials).then(
      async () => this.refresh(await node.snapshot(ref)),
      (err: unknown) => (fault = err),
    )
    await waitAtMost(
      clock,
      VOICE_PATIENCE_MS,
      connecting.catch((err: unknown) => log.debug({ guildId: ref.guildId, err }, 'player not read')),
    )
    if (!(fault instanceof Fault) || fault.code === 'service_unavailable') return
    this.#voice = before
    throw fault
  }
}
