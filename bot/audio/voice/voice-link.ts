import {
  NetworkingStatusCode,
  VoiceConnectionStatus,
  type VoiceConnection,
  joinVoiceChannel,
  VoiceConnectionDisconnectReason,
  type DiscordGatewayAdapterLibraryMethods,
  type Networking,
  type VoiceConnectionState,
  type VoiceWebSocket,
} from '@discordjs/voice'
import { performance } from 'node:perf_hooks'
import type { GatewayVoiceServerUpdateDispatchData, GatewayVoiceStateUpdateDispatchData } from 'discord-api-types/v10'
import { EncryptionHold } from './encryption-hold.ts'
import type { JoinOptions } from '../node/protocol.ts'
import { PacketSender, preferXChaCha } from './packet-sender.ts'

/** A voice server named so shortly before our channel changed was named for the new channel. */
const PAIR_MS = 1000
/** After half a second of frames that could not be encrypted, the end-to-end session is recreated. */
const MAX_UNSENT_FRAMES = 25

const OPEN_STATES: ReadonlySet<NetworkingStatusCode> = new Set([
  NetworkingStatusCode.Identifying,
  NetworkingStatusCode.UdpHandshaking,
  NetworkingStatusCode.SelectingProtocol,
  NetworkingStatusCode.Ready,
])

/** Events of the connection, as the policy names them. */
interface LinkEvents {
  payload(payload: unknown): void
  opened?(): void
  ready(): void
  /** The library resumes the session, or follows to another voice server. */
  connecting(closeCode: number | null): void
  closed(closeCode: number, reason: string): void
  serverGone(): void
  privacyCode(code: string | null): void
  error(error: unknown): void
}

/**
 * One VoiceConnection of @discordjs/voice, reduced to what matters. The library would ask to join again at once and
 * without end after most closes; here it asks when `join` is called and only then.
 */
export class VoiceLink {
  readonly #events: LinkEvents
  readonly #hold = new EncryptionHold(() => performance.now())
  readonly #connection: VoiceConnection
  #library: DiscordGatewayAdapterLibraryMethods | null = null
  #mayAsk = true
  #closeCode: number | null = null
  #closeReason = ''
  #stateChannelId: string | null = null
  #server: { data: GatewayVoiceServerUpdateDispatchData; atMs: number } | null = null
  #privacyCode: string | null = null
  #unsentFrames = 0
  /** Cached until the connection emits anything: looking both up for each frame took a tenth of its cost. */
  #packets: PacketSender | null = null
  #isSettled = false

  constructor({ botId, guildId, channelId }: JoinOptions, events: LinkEvents) {
    this.#events = events
    this.#connection = joinVoiceChannel({
      group: botId,
      guildId,
      channelId,
      selfDeaf: true,
      selfMute: false,
      adapterCreator: (library) => {
        this.#library = library
        return { sendPayload: (payload: VoicePayload) => this.#sendPayload(payload), destroy: () => undefined }
      },
    })
    // Without a listener an error would end the thread; what follows from it comes as a close.
    this.#connection.on('error', (error) => events.error(error))
    this.#connection.on('stateChange', (before, after) => this.#onState(before, after))
    this.#connection.on('transitioned', () => {
      this.#forgetState()
      this.#hold.onTransition()
      this.#tellPrivacyCode()
    })
  }

  /** The channel Discord last said we are in. */
  get channelId(): string | null {
    return this.#stateChannelId
  }

  get isSendable(): boolean {
    if (this.#isSettled) return true
    const state = readyState(this.#connection)
    if (!state) return false
    const { connectedClients } = state.connectionData
    const others = connectedClients.size - (connectedClients.has(state.connectionOptions.userId) ? 1 : 0)
    // Only what holds them back passes with time.
    this.#isSettled = !this.#hold.isHolding({ dave: state.dave, others })
    return this.#isSettled
  }

  /** Whether the socket to the voice gateway is open. */
  get isOpen(): boolean {
    const { state } = this.#connection
    return 'networking' in state && OPEN_STATES.has(state.networking.state.code)
  }

  /** The last round trip to the voice gateway; null before the first. */
  get pingMs(): number | null {
    return this.#connection.ping.ws ?? null
  }

  /** Asks Discord to be let into the channel, or into it again with a new session. */
  join(channelId: string): void {
    this.#mayAsk = true
    this.#connection.rejoin({ channelId, selfDeaf: true, selfMute: false })
    this.#mayAsk = false
  }

  /** The channel asked for is out of reach: later joins are for the one we are in. */
  stay(): void {
    if (this.#stateChannelId !== null) this.#connection.joinConfig.channelId = this.#stateChannelId
  }

  send(frame: Buffer): void {
    const packets = (this.#packets ??= this.#findSender())
    if (!packets) return
    try {
      if (!packets.isSpeaking) this.#connection.setSpeaking(true)
      if (!packets.send(frame)) this.#connection.playOpusPacket(frame)
      this.#unsentFrames = 0
    } catch (error) {
      this.#forgetState()
      this.#events.error(error)
      if (++this.#unsentFrames % MAX_UNSENT_FRAMES !== 0) return
      const dave = readyState(this.#connection)?.dave
      dave?.recoverFromInvalidTransition(dave.lastTransitionId ?? 0)
    }
  }

  stopSpeaking(): void {
    this.#connection.setSpeaking(false)
  }

  /**
   * The library takes the two halves of a join in one order only: our state, then the server. Discord may send them
   * in either, so that a server that came first is given again.
   */
  onStateUpdate(data: GatewayVoiceStateUpdateDispatchData): void {
    const isFirst = this.#stateChannelId === null
    const isMoved = data.channel_id !== this.#stateChannelId
    this.#stateChannelId = data.channel_id
    this.#library?.onVoiceStateUpdate(data)
    const server = this.#server
    const isPaired = server !== null && (isFirst || performance.now() - server.atMs < PAIR_MS)
    if (isMoved && isPaired) this.#library?.onVoiceServerUpdate(server.data)
  }

  onServerUpdate(data: GatewayVoiceServerUpdateDispatchData): void {
    this.#server = { data, atMs: performance.now() }
    this.#library?.onVoiceServerUpdate(data)
  }

  /** Ends it for good; `leave` leaves the channel too. */
  destroy(leave: boolean): void {
    if (this.#connection.state.status !== VoiceConnectionStatus.Destroyed) this.#connection.destroy(leave)
  }

  #findSender(): PacketSender | null {
    const state = readyState(this.#connection)
    return state && new PacketSender(state)
  }

  #forgetState(): void {
    this.#packets = null
    this.#isSettled = false
  }

  #sendPayload(payload: VoicePayload): boolean {
    const isJoin = payload.d.channel_id !== null
    if (isJoin && !this.#mayAsk) return true
    if (isJoin) this.#mayAsk = false
    this.#events.payload(payload)
    return true
  }

  #onState(before: VoiceConnectionState, after: VoiceConnectionState): void {
    this.#forgetState()
    const old = 'networking' in before ? before.networking : null
    const networking = 'networking' in after ? after.networking : null
    if (networking && networking !== old) this.#watch(networking)
    if (after.status === before.status) return
    if (after.status === VoiceConnectionStatus.Ready) this.#onReady()
    else if (after.status === VoiceConnectionStatus.Connecting)
      this.#events.connecting(networking === old ? this.#closeCode : null)
    else if (
      after.status === VoiceConnectionStatus.Disconnected &&
      after.reason === VoiceConnectionDisconnectReason.EndpointRemoved
    ) {
      this.#events.serverGone()
    }
    if (before.status === VoiceConnectionStatus.Ready) this.#tellPrivacyCode()
  }

  #onReady(): void {
    this.#closeCode = null
    this.#events.ready()
    this.#tellPrivacyCode()
  }

  #watch(networking: Networking): void {
    this.#forgetState()
    this.#hold.reset()
    const { state } = networking
    if ('ws' in state) this.#watchSocket(state.ws)
    networking.on('stateChange', (before, after) => {
      this.#forgetState()
      if ('ws' in after && (!('ws' in before) || before.ws !== after.ws)) this.#watchSocket(after.ws)
      if (before.code === NetworkingStatusCode.OpeningWs && OPEN_STATES.has(after.code)) this.#events.opened?.()
    })
    // First the library changes its own state, then the policy decides.
    networking.on('close', (code) => setImmediate(() => this.#onClosed(networking, code)))
  }

  #onClosed(networking: Networking, code: number): void {
    const { state } = this.#connection
    if ('networking' in state && state.networking === networking) this.#events.closed(code, this.#closeReason)
  }

  #watchSocket(socket: VoiceWebSocket): void {
    preferXChaCha(socket)
    // Keys, and who is in the channel, change by what the voice server says alone.
    const forgetState = () => this.#forgetState()
    socket.prependListener('packet', forgetState)
    socket.prependListener('binary', forgetState)
    // Nothing else reports a resumed close.
    socket.prependListener('close', ({ code, reason }: { code: number; reason: string }) => {
      this.#closeCode = code
      this.#closeReason = reason
    })
  }

  #tellPrivacyCode(): void {
    const code = this.#connection.voicePrivacyCode ?? null
    if (code === this.#privacyCode) return
    this.#privacyCode = code
    this.#events.privacyCode(code)
  }
}

interface VoicePayload {
  readonly d: { readonly channel_id: string | null }
}

/** A networking that can send, or null. */
function readyState(connection: VoiceConnection | null) {
  if (!connection || connection.state.status !== VoiceConnectionStatus.Ready) return null
  const { state } = connection.state.networking
  return state.code === NetworkingStatusCode.Ready ? state : null
}
