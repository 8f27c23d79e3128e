import { createCipheriv, createSecretKey, type KeyObject } from 'node:crypto'
import type { NetworkingReadyState } from '@discordjs/voice'
import { SAMPLES_PER_FRAME, SILENCE } from '../containers/opus.ts'
import { connectUdp, type DatagramSocket } from './udp-socket.ts'

const RTP_VERSION = 0x80
const RTP_OPUS = 120
const HEADER_BYTES = 12
const TAG_BYTES = 16
/** Of the nonce only the counter travels; the other eight bytes are zero. */
const COUNTER_BYTES = 4
const NONCE_BYTES = 12
const GCM = 'aead_aes256_gcm_rtpsize'

type ConnectionData = NetworkingReadyState['connectionData']

/**
 * Sends frames as packets of a voice session that the library opened: its counters, keys and end-to-end session, but one
 * buffer a packet, on a socket that is connected. The library's own way copies each packet three times and looks up the
 * address of the server for each. Once for each session; keys and sockets are compared with each packet, since the
 * library replaces them.
 */
export class PacketSender {
  readonly #header = Buffer.alloc(HEADER_BYTES)
  readonly #nonce = Buffer.alloc(NONCE_BYTES)
  #rawKey: Uint8Array | null = null
  #key: KeyObject | null = null
  #udp: NetworkingReadyState['udp'] | null = null
  #socket: DatagramSocket | null = null

  /** The session is ready, or was resumed: perhaps over another network than before. */
  onReady({ udp }: NetworkingReadyState): void {
    this.#udp = udp
    this.#socket = connectUdp(udp)
  }

  /**
   * Whether the packet was sent here; the library sends what is encrypted otherwise.
   * @throws {Error} when it could not be encrypted.
   */
  send(state: NetworkingReadyState, frame: Buffer): boolean {
    const { connectionData: data, dave } = state
    if (data.encryptionMode !== GCM) return false
    const session = dave && dave.protocolVersion !== 0 ? dave.session : undefined
    const opus = session?.ready && !isSilence(frame) ? session.encryptOpus(frame) : frame
    const packet = this.#seal(data, opus)
    if (this.#udp === state.udp && this.#socket?.isConnected) this.#socket.send(packet)
    else state.udp.send(packet)
    return true
  }

  /** A packet of its own, since the socket may keep it until the network takes it. */
  #seal(data: ConnectionData, opus: Buffer): Buffer {
    const header = this.#header
    header[0] = RTP_VERSION
    header[1] = RTP_OPUS
    header.writeUInt16BE(data.sequence, 2)
    header.writeUInt32BE(data.timestamp, 4)
    header.writeUInt32BE(data.ssrc, 8)
    data.nonce = (data.nonce + 1) >>> 0
    this.#nonce.writeUInt32BE(data.nonce, 0)
    const cipher = createCipheriv('aes-256-gcm', this.#keyOf(data), this.#nonce)
    cipher.setAAD(header)
    const sealed = cipher.update(opus)
    cipher.final()
    const length = HEADER_BYTES + sealed.length
    const packet = Buffer.allocUnsafe(length + TAG_BYTES + COUNTER_BYTES)
    packet.set(header, 0)
    packet.set(sealed, HEADER_BYTES)
    packet.set(cipher.getAuthTag(), length)
    packet.writeUInt32BE(data.nonce, length + TAG_BYTES)
    data.packetsPlayed++
    data.sequence = (data.sequence + 1) & 0xffff
    data.timestamp = (data.timestamp + SAMPLES_PER_FRAME) >>> 0
    return packet
  }

  /** A raw key would be imported again for each packet. */
  #keyOf({ secretKey }: ConnectionData): KeyObject {
    if (this.#key && this.#rawKey === secretKey) return this.#key
    this.#rawKey = secretKey
    this.#key = createSecretKey(secretKey)
    return this.#key
  }
}

/** Silence travels in clear within the transport's encryption, as all clients expect it. */
function isSilence(frame: Buffer): boolean {
  return frame.length === SILENCE.length && frame.equals(SILENCE)
}
