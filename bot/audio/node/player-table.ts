import { monotonicNow, threadsNow } from '../../../lib/clock.ts'
import { Fault } from '../../../lib/errors.ts'
import { guildKey } from '../../guild-key.ts'
import { withOpenDeadline } from '../input/open-deadline.ts'
import type { FrameOpener } from '../input/open-frames.ts'
import type { OpusCodecs } from '../mixing/opus-codecs.ts'
import type { FrameClock } from '../playback/frame-clock.ts'
import { FrameTee } from '../playback/frame-tee.ts'
import type { TrackPlayerEvent } from '../playback/track-player-options.ts'
import { paceOpening } from '../playback/opening/open-throttle.ts'
import { TrackPlayer } from '../playback/track-player.ts'
import { ExternalVoice, type VoiceClosure } from '../voice/external-voice.ts'
import { Voice } from '../voice/voice-session.ts'
import { VOICE_TIMINGS } from '../voice/voice-timings.ts'
import { markOpening, type TrackMarks } from '../watchdog/track-marks.ts'
import type { Counters } from './counters.ts'
import { FlightRecorder } from './flight-recorder.ts'
import { log, send, type Line } from './line-log.ts'
import type {
  AudioEvent,
  JoinOptions,
  OpenPlayerOptions,
  PlayerRef,
  PlayOptions,
  SharedTime,
  VoiceLoss,
  Without,
} from './protocol.ts'
import { describe, type ThreadSetup } from './rpc.ts'

export interface PlayerMeans {
  readonly line: Line
  readonly setup: ThreadSetup
  readonly clock: FrameClock
  readonly opener: FrameOpener
  /** Null if they cannot be had: nothing fades then. */
  readonly codecs: OpusCodecs | null
  /** Present if the engine has a thread to itself. */
  readonly marks: TrackMarks | undefined
  readonly counts: Counters
  /** Connections that had to be restored, by the close code of Discord. */
  readonly rejoins: Map<string, number>
}

export interface ThreadPlayer {
  readonly ref: PlayerRef
  readonly voice: Voice | ExternalVoice
  readonly trackPlayer: TrackPlayer
  readonly tee: FrameTee
  readonly recorder: FlightRecorder
}

/** The players of an audio thread, by bot and guild. */
export class PlayerTable {
  readonly #means: PlayerMeans
  readonly #players = new Map<string, ThreadPlayer>()
  #heldUntilMs = Infinity
  #orHeldUntilMs: SharedTime | null = null

  constructor(means: PlayerMeans) {
    this.#means = means
  }

  get size(): number {
    return this.#players.size
  }

  find(ref: PlayerRef): ThreadPlayer | null {
    return this.#players.get(guildKey(ref)) ?? null
  }

  /** @throws {Fault} in a thread that took the place of another: the service brings its players back one by one. */
  get(ref: PlayerRef): ThreadPlayer {
    const player = this.find(ref)
    if (player) return player
    const message = 'The bot is rejoining its voice channel. Try again in a moment.'
    throw new Fault('service_unavailable', message, { retryAfterMs: 1000 })
  }

  ofBot(botId: string): readonly ThreadPlayer[] {
    return Array.from(this.#players.values()).filter(({ ref }) => ref.botId === botId)
  }

  /** The player of one of our bots, which joins by itself. */
  ensure({ botId, guildId, projectId = botId }: JoinOptions): ThreadPlayer & { readonly voice: Voice } {
    const ref = { botId, guildId }
    const existing = this.find(ref)
    if (!existing) return this.#create({ ref, projectId }, (tell) => this.#ownVoice(ref, tell))
    const { voice } = existing
    if (voice instanceof Voice) return { ...existing, voice }
    throw new Fault('conflict', "This player uses an external voice connection, so it can't join a channel.")
  }

  /** Makes the player of a bot whose gateway is elsewhere. No-op where there is one. */
  open({ botId, guildId, ...options }: OpenPlayerOptions): void {
    const ref = { botId, guildId }
    if (!this.find(ref)) this.#create({ ref, ...options }, (tell) => this.#externalVoice(ref, tell))
  }

  /** @throws {Fault} if the player joins by itself, or there is none. */
  getExternal(ref: PlayerRef): ExternalVoice {
    const { voice } = this.get(ref)
    if (voice instanceof ExternalVoice) return voice
    throw new Fault('conflict', 'This player has its own voice connection, so it accepts no external one.')
  }

  /** Plays a track. A player without voice gives up after a while, as in Lavalink. */
  async play(options: PlayOptions): Promise<void> {
    const { trackPlayer, voice, ref } = this.get(options)
    await trackPlayer.play(options)
    if (voice instanceof Voice || !voice.isNew) return
    const { playId } = options
    const cleanUp = () => {
      if (!voice.isNew || trackPlayer.playId !== playId || this.find(ref)?.trackPlayer !== trackPlayer) return
      void trackPlayer.stop()
      this.#means.line.tell({ ...ref, type: 'trackCleanedUp', playId })
    }
    setTimeout(cleanUp, this.#means.setup.voice?.cleanupMs ?? VOICE_TIMINGS.cleanupMs).unref()
  }

  /** Stops, leaves and forgets; the sound before the voice, so that no frame goes nowhere. */
  forget(ref: PlayerRef): void {
    const player = this.find(ref)
    if (!player) return
    this.#players.delete(guildKey(ref))
    player.trackPlayer.close()
    player.tee.close()
    player.voice.leave()
  }

  forgetAll(): void {
    for (const { ref } of this.#players.values()) this.forget(ref)
  }

  /** Nothing of our bots sounds from that moment on, until it is moved: by `threadsNow`. */
  holdUntil(untilMs: number, orUntilMs: SharedTime | null): void {
    this.#heldUntilMs = untilMs
    this.#orHeldUntilMs = orUntilMs
  }

  #isHeld(): boolean {
    if (this.#heldUntilMs === Infinity) return true
    const orUntilMs = this.#orHeldUntilMs === null ? 0 : Number(Atomics.load(this.#orHeldUntilMs, 0))
    return threadsNow() < Math.max(this.#heldUntilMs, orUntilMs)
  }

  /** The gateway of this bot is gone for good. */
  dropBot(botId: string): void {
    for (const { ref, voice } of this.ofBot(botId)) {
      if (voice instanceof Voice) voice.drop()
      else this.forget(ref)
    }
  }

  #create<V extends Voice | ExternalVoice>(
    { ref, projectId, stuckMs }: { ref: PlayerRef; projectId: string; stuckMs?: number },
    voiceOf: (tell: Telling) => V,
  ): ThreadPlayer & { readonly voice: V } {
    const { line, clock, counts, codecs, marks } = this.#means
    const emit: Telling['emit'] = (event) => line.tell({ ...ref, ...event })
    const recorder = new FlightRecorder(monotonicNow)
    const voice = voiceOf({ emit, recorder })
    const unmarked = this.#means.opener.forProject(projectId)
    const opener = marks ? markOpening(unmarked, marks) : unmarked
    const onTrouble = (text: string) => recorder.note({ kind: 'source', text })
    const open = withOpenDeadline((track, request, signal) => opener.open(track, { ...request, onTrouble }, signal))
    const tee = new FrameTee(voice, (batch) => send(line, { kind: 'sound', player: ref, batch }))
    const means = { outlet: tee, clock, codecs, counts, recorder, emit, prefetch: opener.prefetch }
    // External bots send requests without a rate limit.
    const own = { ...means, open: voice instanceof Voice ? open : paceOpening(open) }
    const trackPlayer = new TrackPlayer(stuckMs === undefined ? own : { ...own, stuckMs })
    const player = { ref, voice, trackPlayer, tee, recorder }
    this.#players.set(guildKey(ref), player)
    codecs?.prepareFor(this.#players.size)
    return player
  }

  #ownVoice(ref: PlayerRef, tell: Telling): Voice {
    const { emit, recorder } = tell
    const events = {
      ...this.#sharedEvents(ref, tell),
      payload: (payload: unknown) => emit({ type: 'gatewayPayload', payload }),
      restoring: (closeCode: number | null) => {
        this.#countLoss(closeCode)
        const why =
          closeCode === null
            ? 'Discord moved the connection to another server'
            : `Discord closed it with code ${closeCode}`
        recorder.note({ kind: 'voice', text: `restoring the voice connection: ${why}`, closeCode })
        emit({ type: 'voiceRestoring', closeCode })
      },
      lost: (loss: VoiceLoss) => {
        this.forget(ref)
        emit({ type: 'voiceLost', loss })
      },
    }
    const isHeld = (): boolean => this.#isHeld()
    const { voice: timings = {} } = this.#means.setup
    return new Voice(ref, events, { timings, isHeld })
  }

  #externalVoice(ref: PlayerRef, tell: Telling): ExternalVoice {
    const { emit, recorder } = tell
    const events = {
      ...this.#sharedEvents(ref, tell),
      closed: ({ closeCode, reason, byRemote }: VoiceClosure) => {
        this.#countLoss(closeCode)
        const text = `the voice connection was closed ${byRemote ? 'by Discord' : 'by us'} with ${closeCode}`
        recorder.note({ kind: 'voice', text, closeCode })
        emit({ type: 'voiceClosed', closeCode, reason, byRemote })
      },
    }
    return new ExternalVoice(ref, events, this.#means.setup.voice)
  }

  #sharedEvents(ref: PlayerRef, { emit, recorder }: Telling) {
    let isIn = false
    return {
      ready: (channelId: string) => {
        if (!isIn) this.#means.counts.joins++
        recorder.note({ kind: 'voice', text: `${isIn ? 'voice ready again' : 'joined'} in channel ${channelId}` })
        isIn = true
        emit({ type: 'voiceReady', channelId })
      },
      privacyCode: (code: string | null) => {
        const text = code === null ? "the call isn't end-to-end encrypted" : 'new keys for end-to-end encryption'
        recorder.note({ kind: 'encryption', text })
        emit({ type: 'privacyCode', code })
      },
      error: (err: unknown) =>
        log(this.#means.line, 'debug', { ...ref, err: describe(err) }, 'voice connection warning'),
    }
  }

  #countLoss(closeCode: number | null): void {
    const code = closeCode === null ? 'none' : String(closeCode)
    this.#means.rejoins.set(code, (this.#means.rejoins.get(code) ?? 0) + 1)
  }
}

interface Telling {
  readonly emit: (event: TrackPlayerEvent | VoiceNews) => void
  readonly recorder: FlightRecorder
}

type VoiceNews = Without<
  Extract<
    AudioEvent,
    { type: 'gatewayPayload' | 'voiceReady' | 'voiceRestoring' | 'voiceLost' | 'voiceClosed' | 'privacyCode' }
  >,
  keyof PlayerRef
>
