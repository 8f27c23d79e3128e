import { once } from 'node:events'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { pino, type Logger } from 'pino'
import { WebSocketServer } from 'ws'
import { isResumable, serveConnection, type Admission, type Applicant } from './connection.ts'
import type { DaveRule } from './dave/encryption.ts'
import { createRegistry, type Registry } from './registry.ts'
import { DISCORD_TIMING, type VoiceTiming } from './timing.ts'
import { TRANSPORT_MODES, type TransportMode } from './udp/cipher.ts'
import type { UdpFaults } from './udp/faults.ts'
import type { PacketReport } from './udp/packet-meter.ts'
import { startRelay, type Relay } from './udp/relay.ts'

export type { Applicant } from './connection.ts'
export type { DaveRule } from './dave/encryption.ts'
export type { UdpFaults } from './udp/faults.ts'
export type { PacketReport } from './udp/packet-meter.ts'

export interface VoiceServerOptions {
  /** PEM. Voice is always TLS: clients dial `wss://`. */
  readonly certificate: { readonly key: string; readonly cert: string }
  /** Called on op 0: the channel to join, or the code to close with (4004 bad token, 4006 unknown session, …). */
  readonly admit: (applicant: Applicant) => Admission
  /** A user's voice session ended without the gateway side having asked for it: the client is gone. */
  readonly onLeft?: (who: { readonly guildId: string; readonly userId: string; readonly sessionId: string }) => void
  /** Whether others hear a user's packets; everyone is heard by default. Asked again on `refresh`. */
  readonly isHeard?: (who: { readonly guildId: string; readonly userId: string }) => boolean
  /** Whether a user is sent the packets of others; everyone by default. Asked again on `refresh`. */
  readonly canHear?: (who: { readonly guildId: string; readonly userId: string }) => boolean
  readonly timing?: Partial<VoiceTiming>
  /** The transport modes that op 2 offers, in this order; both by default. */
  readonly modes?: readonly TransportMode[]
  readonly log?: Logger
  /** Fixed result of each random draw of the network faults, 0 to 1; random by default. */
  readonly fixedChance?: number
}

/** Cheap to read, as often as a page is drawn. */
interface VoiceActivity {
  readonly packets: number
  readonly transport: TransportMode | null
  readonly endToEnd: boolean
}

/** Discord's voice servers: gateway v8 over TLS, audio over UDP, DAVE; on the loopback interface alone. */
export interface VoiceServer {
  /** `localhost:PORT`, for VOICE_SERVER_UPDATE. */
  readonly endpoint: string
  /**
   * Takes effect at once: channels go down to version 0 or up to 1. `required` refuses with 4017 who comes without
   * from now on; who is in stays.
   */
  setDave(rule: DaveRule): void
  /**
   * The gateway side says that a user left a channel or moved: the session ends and its socket closes with the code
   * (4014, 4022, …); with null the socket is cut without a word.
   */
  remove(guildId: string, userId: string, closeCode: number | null): void
  /** Closes a socket with a code, or cuts TCP. After 4015, codes below 4000 and `drop` the session can be resumed. */
  closeSocket(guildId: string, userId: string, how: number | 'drop'): boolean
  /** Sends anything as if it were ours, numbered: for tests of how clients bear it. False if no one is there. */
  send(guildId: string, userId: string, op: number, d: unknown): boolean
  sendBinary(guildId: string, userId: string, op: number, payload: Buffer): boolean
  /** Sets the faults of a guild; null for all guilds that have none of their own; `{}` ends them. */
  setFaults(guildId: string | null, faults: UdpFaults): void
  /** The faults that were set for a guild itself. */
  faults(guildId: string): UdpFaults
  dave(): DaveRule
  /** A user was muted or deafened, or that ended: `isHeard` and `canHear` are asked again. */
  refresh(guildId: string, userId: string): void
  /** Audio transport of each user with a voice session, and the packets received since the last reset. */
  activity(guildId: string): Promise<ReadonlyMap<string, VoiceActivity>>
  /** UDP traffic of a user's client since the last reset, across sessions. */
  packets(guildId: string, userId: string, options?: { readonly reset?: boolean }): Promise<PacketReport>
  /** Whether the user has a voice session that is ready for audio. */
  isConnected(guildId: string, userId: string): boolean
  close(): Promise<void>
}

/** The longest message of a client: a commit and welcome for a large channel. */
const MESSAGE_BYTES_MAX = 256 * 1024
/** Each piece costs memory beside its bytes. */
const PIECES = { maxFragments: 64, maxBufferedChunks: 1024 }
const LOOPBACK = '127.0.0.1'

export async function startVoiceServer(options: VoiceServerOptions): Promise<VoiceServer> {
  const timing = { ...DISCORD_TIMING, ...options.timing }
  const log = options.log ?? pino({ level: 'silent' })
  let rule: DaveRule = { version: 1, required: false }
  const faults = new Map<string, UdpFaults>()
  const relay = await startRelay(options.fixedChance)
  const { onLeft = () => undefined, isHeard = () => true, canHear = () => true } = options
  const registry = createRegistry({ relay, rule, timing, log, onLeft, isHeard, canHear })
  const https = createServer({ key: options.certificate.key, cert: options.certificate.cert })
  const sockets = new WebSocketServer({ server: https, maxPayload: MESSAGE_BYTES_MAX, ...PIECES })
  const modes = options.modes ?? TRANSPORT_MODES
  const context = { registry, udp: relay, modes, timing, log, rule: () => rule, admit: options.admit }
  sockets.on('connection', (socket) => serveConnection(context, socket))
  https.listen(0, LOOPBACK)
  await once(https, 'listening')

  return {
    endpoint: `localhost:${(https.address() as AddressInfo).port}`,
    setDave(next) {
      rule = next
      registry.setRule(next)
    },
    ...createHandles(registry, relay),
    setFaults(guildId, next) {
      if (guildId !== null) faults.set(guildId, next)
      relay.setFaults(guildId, next)
    },
    faults: (guildId) => faults.get(guildId) ?? {},
    dave: () => rule,
    async close() {
      registry.close()
      await Promise.all([closeServer(https, sockets), relay.close()])
    },
  }
}

/** Operations on one user's session from outside. */
function createHandles(
  registry: Registry,
  relay: Relay,
): Pick<
  VoiceServer,
  'remove' | 'closeSocket' | 'send' | 'sendBinary' | 'refresh' | 'activity' | 'packets' | 'isConnected'
> {
  return {
    remove(guildId, userId, closeCode) {
      const session = registry.find(guildId, userId)
      if (session) registry.end(session, closeCode ?? 'cut')
    },
    closeSocket(guildId, userId, how) {
      const session = registry.find(guildId, userId)
      if (!session?.socket) return false
      if (how === 'drop') session.socket.terminate()
      else if (isResumable(how)) session.socket.close(how)
      else registry.end(session, how)
      return true
    },
    send(guildId, userId, op, d) {
      const session = registry.find(guildId, userId)
      session?.send(op, d)
      return Boolean(session)
    },
    sendBinary(guildId, userId, op, payload) {
      const session = registry.find(guildId, userId)
      session?.sendBinary(op, payload)
      return Boolean(session)
    },
    refresh: (guildId, userId) => registry.refresh(guildId, userId),
    async activity(guildId) {
      const activities = new Map<string, VoiceActivity>()
      for (const [userId, packets] of await relay.counts(guildId)) {
        const session = registry.find(guildId, userId)
        if (!session?.isDescribed) continue
        const endToEnd = registry.channelOf(session).encryption.covers(userId)
        activities.set(userId, { packets, transport: session.mode, endToEnd })
      }
      return activities
    },
    packets: (guildId, userId, { reset = false } = {}) => relay.report(guildId, userId, reset),
    isConnected: (guildId, userId) => registry.find(guildId, userId)?.isDescribed ?? false,
  }
}

async function closeServer(https: Server, sockets: WebSocketServer): Promise<void> {
  const closed = once(https, 'close')
  for (const socket of sockets.clients) socket.terminate()
  sockets.close()
  https.close()
  https.closeAllConnections()
  await closed
}
