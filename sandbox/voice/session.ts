import { randomBytes } from 'node:crypto'
import type { VoiceOpcodes } from 'discord-api-types/voice/v8'
import { WebSocket } from 'ws'
import { uint16, uint8 } from './mls/writer.ts'
import { createOutbox, type Outbox } from './outbox.ts'
import { createTransportCipher, SECRET_KEY_BYTES, type TransportCipher, type TransportMode } from './udp/cipher.ts'
import type { PacketMeter } from './udp/packet-meter.ts'
import type { UdpPeer } from './udp/relay.ts'

/** Who a client is, as op 0 told and the gateway side confirmed. */
export interface Identity {
  readonly guildId: string
  readonly channelId: string
  readonly userId: string
  readonly sessionId: string
  readonly token: string
  /** The highest DAVE version that the client speaks; 0 is none. */
  readonly maxDaveVersion: number
}

/** One user in one voice channel, from op 0 until the user leaves; sockets come and go under it (op 7). */
export class Session implements UdpPeer {
  readonly identity: Identity
  readonly ssrc: number
  readonly meter: PacketMeter
  /** What op 5 said last; 0 is silent. */
  speaking = 0
  /** Op 4 was sent: from here on the client takes binary messages. */
  isDescribed = false
  address: UdpPeer['address'] = null
  socket: WebSocket | null = null
  /** Runs while the socket is lost and may come back. */
  resumeTimer: NodeJS.Timeout | undefined
  #cipher: TransportCipher | null = null
  readonly #outbox: Outbox = createOutbox()
  readonly #listeners: (session: Session) => Iterable<Session>

  constructor(
    identity: Identity,
    udp: {
      readonly ssrc: number
      readonly meter: PacketMeter
      readonly listeners: (session: Session) => Iterable<Session>
    },
  ) {
    this.identity = identity
    this.ssrc = udp.ssrc
    this.meter = udp.meter
    this.#listeners = udp.listeners
  }

  get userId(): string {
    return this.identity.userId
  }

  get guildId(): string {
    return this.identity.guildId
  }

  get cipher(): TransportCipher | null {
    return this.#cipher
  }

  listeners(): Iterable<Session> {
    return this.#listeners(this)
  }

  /** Makes the transport key that op 4 tells the client. */
  chooseMode(mode: TransportMode): Buffer {
    const key = randomBytes(SECRET_KEY_BYTES)
    this.#cipher = createTransportCipher(mode, key)
    return key
  }

  /** A numbered JSON message; kept for a resume where no socket is there. */
  send(op: VoiceOpcodes, d: unknown): void {
    this.#write(this.#outbox.add((seq) => JSON.stringify({ op, d, seq })))
  }

  /** `u16 sequence ‖ u8 op ‖ payload`, numbered together with the JSON messages. */
  sendBinary(op: VoiceOpcodes, payload: Buffer): void {
    this.#write(this.#outbox.add((seq) => Buffer.concat([uint16(seq), uint8(op), payload])))
  }

  /** Heartbeat answers and the like carry no number. */
  sendUnnumbered(op: VoiceOpcodes, d: unknown): void {
    this.#write(JSON.stringify({ op, d }))
  }

  acknowledge(sequence: number): void {
    this.#outbox.acknowledge(sequence)
  }

  /** What a resuming client has missed, or null if that is not known any more. */
  missedSince(sequence: number): readonly (string | Buffer)[] | null {
    return this.#outbox.since(sequence)
  }

  replay(messages: readonly (string | Buffer)[]): void {
    for (const message of messages) this.#write(message)
  }

  #write(message: string | Buffer): void {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(message)
  }
}
