import { WebSocket } from 'ws'
import { boundMessage } from '../../../lib/buffers.ts'
import { Fault } from '../../../lib/errors.ts'
import type { Logger } from '../../../lib/log.ts'
import { FrameListeners } from '../playback/frame-listeners.ts'
import type {
  Audible,
  AudioEvent,
  AudioNode,
  FrameListener,
  LayerRequest,
  NextTrack,
  PlayerRef,
  PlayOptions,
} from '../node/protocol.ts'
import { EventListeners } from '../node/event-listeners.ts'
import { PendingCalls, unpackFault, withRemoteMethods, type AudioMethods } from '../node/rpc.ts'
import { TIMINGS } from '../node/timings.ts'
import { AUDIO_PATH, BEAT_MS, FromNode, MAX_LINK_MESSAGE_BYTES, MAX_MISSED_BEATS } from './link-protocol.ts'

/** The first wait after a failure, which doubles with each further one up to the last. */
const FIRST_RETRY_MS = 250
const LAST_RETRY_MS = 5000

interface RemoteNodeOptions {
  readonly id: string
  /** `http://host:port` of the node. */
  readonly url: string
  readonly password: string
  readonly log: Logger
  /** A track as another machine can open it. @param from the address by which the node sees this machine. */
  readonly toRemote: (track: Audible, from: string) => Audible
}

/**
 * Our audio node on another machine. Its players end with the connection, and play on where the registry moves them.
 * Resolves after the first attempt to reach it.
 */
export async function createRemoteNode(options: RemoteNodeOptions): Promise<AudioNode> {
  const node = new RemoteNode(options)
  await node.tried
  return withRemoteMethods<RemoteNode, AudioMethods>(node, (name, args) => node.call(name, args))
}

class RemoteNode {
  readonly id: string
  readonly isRemote = true
  readonly isAsleep = false
  readonly #log: Logger
  readonly #events: EventListeners
  readonly #restartListeners: ((lost?: readonly PlayerRef[]) => void)[] = []
  readonly #awayListeners: (() => void)[] = []
  readonly #options: RemoteNodeOptions
  readonly #calls = new PendingCalls(() => false)
  readonly #listeners = new FrameListeners()
  #retry: NodeJS.Timeout | undefined
  #failures = 0
  #isClosed = false
  #socket: WebSocket | null = null
  #beat: NodeJS.Timeout | undefined
  #missedBeats = 0
  #isDraining = false
  readonly #tried = Promise.withResolvers<void>()
  /** All players of the node at its last beat, and how many calls have added one since. */
  #players = 0
  #localAddress = '127.0.0.1'

  constructor(options: RemoteNodeOptions) {
    this.id = options.id
    this.#options = options
    this.#log = options.log.child({ nodeId: options.id })
    this.#events = new EventListeners(this.#log)
    this.#connect()
  }

  get isAlive(): boolean {
    return this.#socket?.readyState === WebSocket.OPEN
  }

  get isDraining(): boolean {
    return this.#isDraining
  }

  /** Number of players over all services that use the node. */
  get playerCount(): number {
    return this.#players
  }

  onEvent(listener: (event: AudioEvent) => void): void {
    this.#events.add(listener)
  }

  onRestarted(listener: (lost?: readonly PlayerRef[]) => void): void {
    this.#restartListeners.push(listener)
  }

  onAway(listener: () => void): void {
    this.#awayListeners.push(listener)
  }

  /** No-op: the node has its own clock, and its players go silent with this service's connection. */
  holdUntil(): void {}

  async join(options: Parameters<AudioMethods['join']>[0]): Promise<void> {
    this.#players++
    await this.call('join', [options])
  }

  async leave(player: PlayerRef): Promise<void> {
    // A node that is away has left every channel.
    if (this.isAlive) await this.call('leave', [player])
  }

  async stop(player: PlayerRef): Promise<void> {
    if (this.isAlive) await this.call('stop', [player])
  }

  async play(options: PlayOptions): Promise<void> {
    await this.call('play', [{ ...options, playable: this.#toRemote(options.playable) }])
  }

  async prepare(player: PlayerRef, next: NextTrack | null): Promise<void> {
    await this.call('prepare', [player, next && { ...next, playable: this.#toRemote(next.playable) }])
  }

  async addLayer(player: PlayerRef, layer: LayerRequest): Promise<void> {
    await this.call('addLayer', [player, { ...layer, playable: this.#toRemote(layer.playable) }])
  }

  listen(player: PlayerRef, listener: FrameListener): Promise<() => void> {
    return this.#listeners.add(player, listener, (isOpen) => this.call('tee', [player, isOpen]))
  }

  voiceStateUpdate(player: PlayerRef, data: unknown): void {
    this.#send({ kind: 'call', id: null, name: 'voiceStateUpdate', args: [player, data] })
  }

  voiceServerUpdate(player: PlayerRef, data: unknown): void {
    this.#send({ kind: 'call', id: null, name: 'voiceServerUpdate', args: [player, data] })
  }

  joinHeld(player: PlayerRef, isHeld: boolean): void {
    this.#send({ kind: 'call', id: null, name: 'joinHeld', args: [player, isHeld] })
  }

  dropBot(botId: string): void {
    this.#send({ kind: 'call', id: null, name: 'dropBot', args: [botId] })
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#retry)
    const socket = this.#socket
    this.#disconnect()
    socket?.close(1000)
  }

  /** @throws {Fault} `service_unavailable` while the node is away or silent. */
  call(name: keyof AudioMethods, args: readonly unknown[]): Promise<unknown> {
    if (!this.isAlive) return Promise.reject(this.#away())
    return this.#calls.make((id) => this.#send({ kind: 'call', id, name, args }), TIMINGS.callMs)
  }

  #toRemote(track: Audible): Audible {
    return this.#options.toRemote(track, this.#localAddress)
  }

  /** Resolves when it is connected, or cannot be reached now; it goes on trying. */
  get tried(): Promise<void> {
    return this.#tried.promise
  }

  #connect(): void {
    const { url, password } = this.#options
    const address = new URL(AUDIO_PATH, url.replace(/^http/, 'ws'))
    const socket = new WebSocket(address, {
      headers: { authorization: password },
      handshakeTimeout: MAX_MISSED_BEATS * BEAT_MS,
      ...boundMessage(MAX_LINK_MESSAGE_BYTES),
      perMessageDeflate: false,
    })
    this.#socket = socket
    socket.on('upgrade', ({ socket: wire }) => (this.#localAddress = wire.localAddress ?? this.#localAddress))
    socket.on('open', () => this.#onOpen(socket))
    socket.on('message', (data: Buffer) => {
      try {
        this.#receive(FromNode.parse(JSON.parse(data.toString())))
      } catch (err) {
        this.#log.warn({ err }, 'audio node sent a malformed message')
        socket.terminate()
      }
    })
    socket.on('error', (err) => this.#log.debug({ err }, 'audio node not reached'))
    socket.on('close', (code) => this.#onClose(socket, code))
  }

  #onOpen(socket: WebSocket): void {
    if (this.#socket !== socket) return
    this.#log.info({ url: this.#options.url }, 'audio node connected')
    this.#missedBeats = 0
    this.#isDraining = false
    this.#failures = 0
    this.#tried.resolve()
    this.#beat = setInterval(() => this.#onBeat(socket), BEAT_MS)
    this.#emitRestarted()
  }

  #onBeat(socket: WebSocket): void {
    if (++this.#missedBeats > MAX_MISSED_BEATS) socket.terminate()
    else this.#send({ kind: 'beat' })
  }

  #onClose(socket: WebSocket, code: number): void {
    if (this.#socket !== socket) return
    const wasAlive = this.#beat !== undefined
    this.#disconnect()
    if (!this.#isClosed) {
      const delayMs = Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 2 ** this.#failures++)
      this.#retry = setTimeout(() => this.#connect(), delayMs).unref()
    }
    this.#tried.resolve()
    if (!wasAlive) return
    this.#log.warn({ code }, 'audio node lost')
    this.#emitAway()
  }

  #disconnect(): void {
    this.#socket = null
    clearInterval(this.#beat)
    this.#beat = undefined
    this.#players = 0
    this.#listeners.endAll()
    this.#calls.rejectAll(this.#away())
  }

  #receive(message: FromNode): void {
    this.#missedBeats = 0
    switch (message.kind) {
      case 'beat':
        this.#players = message.players
        return
      case 'answer':
        return this.#calls.settle(message.id)?.resolve(message.value)
      case 'refusal':
        return this.#calls.settle(message.id)?.reject(unpackFault(message.fault))
      case 'event':
        return this.#events.tell(revived(message.event))
      case 'sound':
        return this.#listeners.onFrames(message.player, decoded(message.frames))
      case 'lost':
        return this.#emitRestarted(message.players)
      case 'draining':
        this.#isDraining = true
        this.#log.info({}, 'audio node drains')
        this.#emitAway()
    }
  }

  /** @param lost the players that ended; left out: all of them may have */
  #emitRestarted(lost?: readonly PlayerRef[]): void {
    for (const listener of this.#restartListeners) listener(lost)
  }

  /** Notifies listeners that the node's players have to move. */
  #emitAway(): void {
    for (const listener of this.#awayListeners) listener()
  }

  #send(message: object): void {
    if (this.isAlive) this.#socket?.send(JSON.stringify(message))
  }

  #away(): Fault {
    const message = `The audio node ${this.id} isn't connected. Try again in a moment.`
    return new Fault('service_unavailable', message, { retryAfterMs: 1000 })
  }
}

function decoded(frames: readonly string[] | null): readonly Uint8Array[] | null {
  return frames && frames.map((frame) => Buffer.from(frame, 'base64'))
}

/** JSON has no Infinity, which is the end of the track: null came instead. */
function revived(event: AudioEvent): AudioEvent {
  if (event.type !== 'segmentSkipped') return event
  const { endMs }: { readonly endMs: number | null } = event.segment
  return { ...event, segment: { ...event.segment, endMs: endMs ?? Infinity } }
}
