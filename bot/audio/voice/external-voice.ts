import type { GatewayVoiceStateUpdateDispatchData } from 'discord-api-types/v10'
import type { PlayerRef, VoiceCredentials } from '../node/protocol.ts'
import type { FrameOutlet } from '../playback/track-player-options.ts'
import { backOff, isRetriedAlone } from './close-codes.ts'
import { VoiceLink } from './voice-link.ts'
import { VOICE_TIMINGS, type VoiceTimings } from './voice-timings.ts'

/** Retries with the same credentials, as in Lavalink's library. */
const MAX_ATTEMPTS = 3
/** Close code of RFC 6455 for a connection that ended without a close frame. */
const ABNORMAL_CLOSURE = 1006
const NORMAL_CLOSURE = 1000

export interface VoiceClosure {
  readonly closeCode: number
  readonly reason: string
  readonly byRemote: boolean
}

interface ExternalVoiceEvents {
  ready(channelId: string): void
  closed(closure: VoiceClosure): void
  privacyCode(code: string | null): void
  error(error: unknown): void
}

/**
 * Voice of a bot whose gateway is elsewhere. It asks Discord for nothing and joins nothing: with each loss it tries the
 * credentials it has again where that can help, and otherwise waits for others. Meanwhile the track waits, too, for as
 * long as a move takes; then it runs on unheard, as in Lavalink.
 */
export class ExternalVoice implements FrameOutlet {
  readonly #player: PlayerRef
  readonly #events: ExternalVoiceEvents
  readonly #timings: VoiceTimings
  #phase: 'new' | 'connecting' | 'ready' | 'closed' = 'new'
  #credentials: VoiceCredentials | null = null
  #link: VoiceLink | null = null
  /** Failures since the connection was last stable. */
  #failures = 0
  #closedAtMs = 0
  #timer: NodeJS.Timeout | undefined
  #stableTimer: NodeJS.Timeout | undefined
  #answered: PromiseWithResolvers<void> | null = null

  constructor(player: PlayerRef, events: ExternalVoiceEvents, timings: Partial<VoiceTimings> = {}) {
    this.#player = player
    this.#events = events
    this.#timings = { ...VOICE_TIMINGS, ...timings }
  }

  get isSendable(): boolean {
    return this.isUnheard || (this.#phase === 'ready' && this.#link !== null && this.#link.isSendable)
  }

  /** Voice is gone, and nothing came in its place in the time that a move takes. */
  get isUnheard(): boolean {
    return this.#phase === 'closed' && performance.now() - this.#closedAtMs > this.#timings.moveMs
  }

  /** No credentials have come yet. */
  get isNew(): boolean {
    return this.#phase === 'new'
  }

  get blockedBy(): string {
    if (this.isNew) return 'there was no voice connection yet'
    return this.#phase === 'ready' ? 'the end-to-end encryption was exchanging keys' : 'voice was away'
  }

  get isConnected(): boolean {
    return this.#link?.isOpen ?? false
  }

  get pingMs(): number | null {
    return this.#link?.pingMs ?? null
  }

  send(frame: Buffer): void {
    if (this.#phase === 'ready') this.#link?.send(frame)
  }

  stopSpeaking(): void {
    this.#link?.stopSpeaking()
  }

  /** Resolves when the voice gateway answered, or is unreachable. */
  async connect(credentials: VoiceCredentials): Promise<void> {
    const isSame = this.#credentials !== null && isEqual(this.#credentials, credentials)
    if (!isSame || this.#link === null) this.#begin(credentials)
    await this.#answered?.promise
  }

  /** Ends it without a word. */
  leave(): void {
    this.#phase = 'closed'
    this.#drop()
  }

  #begin(credentials: VoiceCredentials): void {
    const wasOpen = this.isConnected
    this.#drop()
    if (wasOpen) this.#events.closed({ closeCode: NORMAL_CLOSURE, reason: '', byRemote: false })
    this.#credentials = credentials
    this.#phase = 'connecting'
    this.#failures = 0
    this.#answered = Promise.withResolvers()
    this.#link = this.#connect(credentials)
    this.#attempt()
  }

  #connect({ channelId }: VoiceCredentials): VoiceLink {
    // Every event of a link that was replaced is late.
    const current = (run: () => void) => () => this.#link === link && run()
    const link: VoiceLink = new VoiceLink(
      { ...this.#player, channelId },
      {
        // Joins are for the bot itself to ask for.
        payload: () => undefined,
        opened: current(() => this.#answered?.resolve()),
        ready: current(() => this.#onReady()),
        connecting: (closeCode) => this.#link === link && this.#onConnecting(closeCode),
        closed: (closeCode, reason) => this.#link === link && this.#onClosed(closeCode, reason),
        serverGone: () => undefined,
        privacyCode: (code) => this.#link === link && this.#events.privacyCode(code),
        error: (error) => this.#events.error(error),
      },
    )
    return link
  }

  /** Passes Discord's credentials to the link, which connects on each call. */
  #attempt(): void {
    const { guildId } = this.#player
    const { userId, channelId, sessionId, token, endpoint } = this.#credentials!
    const state = { guild_id: guildId, channel_id: channelId, user_id: userId, session_id: sessionId }
    this.#phase = 'connecting'
    this.#arm(this.#timings.attemptMs, () => this.#onSilence())
    this.#link?.onStateUpdate(state as GatewayVoiceStateUpdateDispatchData)
    this.#link?.onServerUpdate({ guild_id: guildId, token, endpoint })
  }

  #onReady(): void {
    this.#phase = 'ready'
    clearTimeout(this.#timer)
    clearTimeout(this.#stableTimer)
    this.#stableTimer = setTimeout(() => (this.#failures = 0), this.#timings.stableMs)
    this.#events.ready(this.#credentials!.channelId)
  }

  /** The library resumes the session; a server that hangs up over and over is left in the end. */
  #onConnecting(closeCode: number | null): void {
    if (this.#phase !== 'ready') return
    this.#phase = 'connecting'
    clearTimeout(this.#stableTimer)
    if (++this.#failures > MAX_ATTEMPTS) this.#close(closeCode ?? ABNORMAL_CLOSURE, '')
    else this.#arm(this.#timings.attemptMs, () => this.#onSilence())
  }

  #onClosed(closeCode: number, reason: string): void {
    clearTimeout(this.#stableTimer)
    if (!isRetriedAlone(closeCode) || ++this.#failures > MAX_ATTEMPTS) return this.#close(closeCode, reason)
    this.#phase = 'connecting'
    this.#arm(backOff(this.#failures - 1, this.#timings.backOffMs), () => this.#attempt())
  }

  #onSilence(): void {
    this.#onClosed(ABNORMAL_CLOSURE, "The voice server didn't respond.")
  }

  #close(closeCode: number, reason: string): void {
    this.#phase = 'closed'
    this.#closedAtMs = performance.now()
    this.#drop()
    this.#events.closed({ closeCode, reason, byRemote: closeCode !== ABNORMAL_CLOSURE })
  }

  #drop(): void {
    clearTimeout(this.#timer)
    clearTimeout(this.#stableTimer)
    const link = this.#link
    this.#link = null
    link?.destroy(false)
    this.#answered?.resolve()
  }

  #arm(afterMs: number, run: () => void): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(run, afterMs)
  }
}

function isEqual(one: VoiceCredentials, other: VoiceCredentials): boolean {
  return (['channelId', 'sessionId', 'token', 'endpoint'] as const).every((name) => one[name] === other[name])
}
