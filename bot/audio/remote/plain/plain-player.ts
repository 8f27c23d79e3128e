import { Fault } from '../../../../lib/errors.ts'
import { monotonicNow } from '../../../../lib/clock.ts'
import type { AudioEvent, PlayerRef, PlayerSnapshot, TrackException } from '../../node/protocol.ts'
import { silence } from '../../voice/close-codes.ts'
import type { PlainMessage } from './plain-client.ts'

/** A channel that is full or closed gets no answer at all. */
const JOIN_MS = 10_000
/** Discord's own word that the bot was moved or disconnected; the gateway says which. */
const MOVED = 4014

type EventOf<E> = E extends unknown ? Omit<E, keyof PlayerRef> : never

export interface PlainPlayerParts {
  readonly ref: PlayerRef
  readonly emit: (event: AudioEvent) => void
  readonly sendVoice: (voice: object) => Promise<unknown>
}

/** A player on a plain Lavalink node: what Discord told of its voice, and where its track is. */
export class PlainPlayer {
  readonly #parts: PlainPlayerParts
  #voice: { token?: string; endpoint?: string; sessionId?: string; channelId?: string } = {}
  #joining: PromiseWithResolvers<void> | null = null
  #playId: number | null = null
  #positionMs = 0
  #measuredMs = 0
  #isPaused = false
  #isConnected = false
  #pingMs: number | null = null
  #exception: TrackException | null = null

  constructor(parts: PlainPlayerParts) {
    this.#parts = parts
  }

  get positionMs(): number {
    const isRunning = this.#playId !== null && !this.#isPaused && this.#isConnected
    return Math.round(this.#positionMs + (isRunning ? monotonicNow() - this.#measuredMs : 0))
  }

  get snapshot(): PlayerSnapshot {
    const { guildId } = this.#parts.ref
    const facts = { isConnected: this.#isConnected, pingMs: this.#pingMs, frames: null }
    return { guildId, playId: this.#playId, positionMs: this.positionMs, ...facts }
  }

  /** Resolves when the node is connected to the channel. @throws {Fault} `service_unavailable` if it never is. */
  async join(channelId: string): Promise<void> {
    const joining = Promise.withResolvers<void>()
    this.#joining = joining
    this.#voice = {}
    this.moveTo(channelId)
    const late = setTimeout(() => joining.reject(silence()), JOIN_MS)
    try {
      await joining.promise
    } finally {
      clearTimeout(late)
      this.#joining = null
    }
  }

  /** Asks Discord's gateway for a channel; null leaves. */
  moveTo(channelId: string | null): void {
    const d = { guild_id: this.#parts.ref.guildId, channel_id: channelId, self_mute: false, self_deaf: true }
    this.#emit({ type: 'gatewayPayload', payload: { op: 4, d } })
  }

  onStateUpdate(data: { readonly channel_id: string | null; readonly session_id: string }): void {
    if (data.channel_id === null) {
      if (this.#joining) return
      this.#isConnected = false
      return this.#emit({ type: 'voiceLost', loss: { why: 'kicked', closeCode: null } })
    }
    const isMoved = this.#voice.channelId !== undefined && this.#voice.channelId !== data.channel_id
    Object.assign(this.#voice, { sessionId: data.session_id, channelId: data.channel_id })
    if (isMoved && !this.#joining) this.#emit({ type: 'voiceReady', channelId: data.channel_id })
    this.#sendVoice()
  }

  onServerUpdate({ token, endpoint }: { readonly token: string; readonly endpoint: string | null }): void {
    if (endpoint === null) return
    Object.assign(this.#voice, { token, endpoint })
    this.#sendVoice()
  }

  began(playId: number, positionMs: number, isPaused: boolean): void {
    this.#exception = null
    this.#playId = playId
    this.#isPaused = isPaused
    this.measure(positionMs)
  }

  ended(): void {
    this.#playId = null
  }

  measure(positionMs: number): void {
    this.#positionMs = positionMs
    this.#measuredMs = monotonicNow()
  }

  pause(isPaused: boolean): void {
    this.measure(this.positionMs)
    this.#isPaused = isPaused
  }

  onMessage(message: PlainMessage): void {
    if (message.op === 'playerUpdate') return this.#onUpdate(message.state)
    switch (message.type) {
      case 'TrackStartEvent':
        if (message.track.userData?.playId === this.#playId && this.#playId !== null) {
          this.#emit({ type: 'trackStarted', playId: this.#playId })
        }
        return
      case 'TrackExceptionEvent': {
        const { message: text, severity, cause } = message.exception
        this.#exception = { message: text ?? cause, severity, cause }
        return
      }
      case 'TrackEndEvent':
        return this.#onEnd(message.track.userData?.playId, message.reason)
      case 'TrackStuckEvent': {
        const { thresholdMs } = message
        if (this.#playId !== null) {
          this.#emit({ type: 'trackStuck', playId: this.#playId, waitedMs: thresholdMs, thresholdMs })
        }
        return
      }
      case 'WebSocketClosedEvent':
        this.#onVoiceClosed(message.code)
    }
  }

  #onUpdate({ position, connected, ping }: { position: number; connected: boolean; ping: number }): void {
    this.#isConnected = connected
    this.#pingMs = ping < 0 ? null : ping
    if (connected) this.#joining?.resolve()
    if (this.#playId === null) return
    this.measure(position)
    this.#emit({ type: 'position', playId: this.#playId, positionMs: position })
  }

  #onEnd(playId: number | undefined, reason: string): void {
    if (playId === undefined || playId !== this.#playId || reason === 'stopped' || reason === 'replaced') return
    this.#playId = null
    const exception = this.#exception
    if (reason === 'finished' && !exception) {
      return this.#emit({ type: 'trackEnded', playId, reason: 'finished', message: null })
    }
    const message = exception?.message ?? `The audio node ended the track: ${reason}.`
    this.#emit({ type: 'trackEnded', playId, reason: 'loadFailed', message, ...(exception && { exception }) })
  }

  #onVoiceClosed(closeCode: number): void {
    this.#isConnected = false
    const { channelId } = this.#voice
    if (closeCode === MOVED || channelId === undefined) return
    this.#emit({ type: 'voiceRestoring', closeCode })
    this.#voice = {}
    this.moveTo(channelId)
  }

  #sendVoice(): void {
    const { token, endpoint, sessionId, channelId } = this.#voice
    if (!token || !endpoint || !sessionId || !channelId) return
    this.#parts.sendVoice({ token, endpoint, sessionId, channelId }).catch((error: unknown) => {
      const fault = new Fault('upstream_failed', 'The audio node could not join.', { cause: error })
      this.#joining?.reject(error instanceof Fault ? error : fault)
    })
  }

  #emit(event: EventOf<AudioEvent>): void {
    this.#parts.emit({ ...this.#parts.ref, ...event })
  }
}
