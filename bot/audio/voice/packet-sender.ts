import { createCipheriv, createSecretKey, type KeyObject } from 'node:crypto'
import type { NetworkingReadyState } from '@discordjs/voice'
import { SAMPLES_PER_FRAME, SILENCE } from '../containers/opus.ts'
import { sendDatagram } from './udp-socket.ts'

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
 * Sends frames as packets of a session that the library opened: with its counters, keys and end-to-end session, but
 * one buffer a packet. The library's own way imports the key and copies the packet three times for each.
 */
export class PacketSender {
  readonly #nonce = Buffer.alloc(NONCE_BYTES)
  #rawKey: Uint8Array | null = null
  #key: KeyObject | null = null

  /**
   * @returns false if nothing was sent, since the session is encrypted otherwise: the library can.
   * @throws {Error} if the frame could not be encrypted end to end.
   */
  send({ connectionData, dave, udp }: NetworkingReadyState, frame: Buffer): boolean {
    if (connectionData.encryptionMode !== GCM) return false
    const session = dave && dave.protocolVersion !== 0 ? dave.session : undefined
    const isEncrypted = session?.ready && !isSilence(frame)
    sendDatagram(udp, this.#seal(connectionData, isEncrypted ? session.encryptOpus(frame) : frame))
    return true
  }

  #seal(data: ConnectionData, opus: Buffer): Buffer {
    const packet = Buffer.allocUnsafe(HEADER_BYTES + opus.length + TAG_BYTES + COUNTER_BYTES)
    packet[0] = RTP_VERSION
    packet[1] = RTP_OPUS
    packet.writeUInt16BE(data.sequence, 2)
    packet.writeUInt32BE(data.timestamp, 4)
    packet.writeUInt32BE(data.ssrc, 8)
    data.nonce = (data.nonce + 1) >>> 0
    this.#nonce.writeUInt32BE(data.nonce, 0)
    const cipher = createCipheriv('aes-256-gcm', this.#keyOf(data), this.#nonce)
    cipher.setAAD(packet.subarray(0, HEADER_BYTES))
    packet.set(cipher.update(opus), HEADER_BYTES)
    cipher.final()
    const tagAt = HEADER_BYTES + opus.length
    packet.set(cipher.getAuthTag(), tagAt)
    packet.set(this.#nonce.subarray(0, COUNTER_BYTES), tagAt + TAG_BYTES)
    data.packetsPlayed++
    data.sequence = (data.sequence + 1) & 0xffff
    data.timestamp = (data.timestamp + SAMPLES_PER_FRAME) >>> 0
    return packet
  }

  /** The library replaces keys; a raw one would be imported again for each packet. */
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
