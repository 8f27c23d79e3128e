import { randomBytes } from 'node:crypto'
import type { VoiceOpcodes } from 'discord-api-types/voice/v8'
import { WebSocket } from 'ws'
import { uint16, uint8 } from './mls/writer.ts'
import { createOutbox, type Outbox } from './outbox.ts'
import { SECRET_KEY_BYTES, type TransportMode } from './udp/cipher.ts'
import type { Relay } from './udp/relay.ts'

/** Identity of a client, sent with op 0 and confirmed by the gateway side. */
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
export class Session {
  readonly identity: Identity
  readonly ssrc: number
  /** Flags of the last op 5; 0 is silent. */
  speaking = 0
  /** Op 4 was sent: from here on the client takes binary messages. */
  isDescribed = false
  socket: WebSocket | null = null
  /** Runs while the socket is lost and may come back. */
  resumeTimer: NodeJS.Timeout | undefined
  #mode: TransportMode | null = null
  readonly #outbox: Outbox = createOutbox()
  readonly #relay: Relay

  constructor(identity: Identity, ssrc: number, relay: Relay) {
    this.identity = identity
    this.ssrc = ssrc
    this.#relay = relay
  }

  get userId(): string {
    return this.identity.userId
  }

  get guildId(): string {
    return this.identity.guildId
  }

  /** From op 1 on. */
  get mode(): TransportMode | null {
    return this.#mode
  }

  /** Makes the transport key that op 4 tells the client; resolves when it is in use. */
  async chooseMode(mode: TransportMode): Promise<Buffer> {
    const key = randomBytes(SECRET_KEY_BYTES)
    this.#mode = mode
    await this.#relay.setKey(this.ssrc, mode, key)
    return key
  }

  /** The others know by op 5 whose packets these are. */
  announced(): void {
    this.#relay.announced(this.ssrc)
  }

  /** Op 5 said that the user stops speaking: the pause that follows is theirs. */
  endUtterance(): void {
    this.#relay.endUtterance(this.ssrc)
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

  /** Messages that a resuming client has missed, or null if they are not known any more. */
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
