import { createRequire } from 'node:module'
import { createCipheriv, createSecretKey, type KeyObject } from 'node:crypto'
import type { DAVESession, NetworkingReadyState, VoiceWebSocket } from '@discordjs/voice'
import { VoiceOpcodes, type VoiceReceivePayload } from 'discord-api-types/voice/v8'
import { SAMPLES_PER_FRAME, SILENCE } from '../containers/opus.ts'
import { sendDatagram, targetOf, type UdpTarget } from '../../../lib/patches/voice-udp.ts'

const RTP_VERSION = 0x80
const RTP_OPUS = 120
const HEADER_BYTES = 12
const TAG_BYTES = 16
/** Only the counter of a nonce travels; the other bytes are zero. */
const COUNTER_BYTES = 4
const OVERHEAD_BYTES = HEADER_BYTES + TAG_BYTES + COUNTER_BYTES
const GCM_NONCE_BYTES = 12
const GCM = 'aead_aes256_gcm_rtpsize'
const XCHACHA = 'aead_xchacha20_poly1305_rtpsize'

type ConnectionData = NetworkingReadyState['connectionData']
type DaveSession = NonNullable<DAVESession['session']>

/**
 * Prefers XChaCha20 where libsodium is there: AES-GCM of `node:crypto` makes four objects for each packet, which costs
 * several times as much. The library takes the first mode offered that it knows; Discord's servers always offer both.
 */
export function preferXChaCha(socket: VoiceWebSocket): void {
  if (!sodium) return
  socket.prependListener('packet', (packet: VoiceReceivePayload) => {
    if (packet.op !== VoiceOpcodes.Ready) return
    const { modes } = packet.d
    const at = modes.findIndex((mode: string) => mode === XCHACHA)
    if (at > 0) modes.unshift(...modes.splice(at, 1))
  })
}

/**
 * Sends frames as packets of a session that the library opened: with its counters, keys and end-to-end session, but
 * without its copies and the objects that it makes for each. It holds what it found in the session, since the look-up
 * costs as much as sealing: for as long as nothing is heard from the voice server.
 */
export class PacketSender {
  readonly #data: ConnectionData
  readonly #target: UdpTarget
  /** Null while frames are not encrypted end to end. */
  readonly #session: DaveSession | null
  readonly #nonce: Buffer
  #key: KeyObject | null = null

  constructor({ connectionData, dave, udp }: NetworkingReadyState) {
    this.#data = connectionData
    this.#target = targetOf(udp)
    const session = dave && dave.protocolVersion !== 0 ? dave.session : undefined
    this.#session = session?.ready ? session : null
    this.#nonce = Buffer.alloc(connectionData.encryptionMode === GCM ? GCM_NONCE_BYTES : XCHACHA_NONCE_BYTES)
  }

  get isSpeaking(): boolean {
    return this.#data.speaking
  }

  /**
   * @returns false if nothing was sent, since the session is encrypted otherwise: the library can.
   * @throws {Error} if the frame could not be encrypted end to end.
   */
  send(frame: Buffer): boolean {
    const data = this.#data
    const isXChaCha = sodium !== null && data.encryptionMode === XCHACHA
    if (!isXChaCha && data.encryptionMode !== GCM) return false
    const opus = this.#session && !isSilence(frame) ? this.#session.encryptOpus(frame) : frame
    data.nonce = (data.nonce + 1) >>> 0
    this.#nonce.writeUInt32BE(data.nonce, 0)
    const packet = Buffer.allocUnsafe(OVERHEAD_BYTES + opus.length)
    writeHeader(packet, data)
    if (isXChaCha) this.#sealXChaCha(packet, opus)
    else this.#sealGcm(packet, opus)
    packet.set(this.#nonce.subarray(0, COUNTER_BYTES), packet.length - COUNTER_BYTES)
    sendDatagram(this.#target, packet)
    data.packetsPlayed++
    data.sequence = (data.sequence + 1) & 0xffff
    data.timestamp = (data.timestamp + SAMPLES_PER_FRAME) >>> 0
    return true
  }

  #sealXChaCha(packet: Buffer, opus: Buffer): void {
    const sealed = packet.subarray(HEADER_BYTES, -COUNTER_BYTES)
    const header = packet.subarray(0, HEADER_BYTES)
    sodium?.crypto_aead_xchacha20poly1305_ietf_encrypt(sealed, opus, header, null, this.#nonce, this.#data.secretKey)
  }

  #sealGcm(packet: Buffer, opus: Buffer): void {
    // A raw key would be imported again for each packet.
    this.#key ??= createSecretKey(this.#data.secretKey)
    const cipher = createCipheriv('aes-256-gcm', this.#key, this.#nonce)
    cipher.setAAD(packet.subarray(0, HEADER_BYTES))
    packet.set(cipher.update(opus), HEADER_BYTES)
    cipher.final()
    packet.set(cipher.getAuthTag(), HEADER_BYTES + opus.length)
  }
}

function writeHeader(packet: Buffer, { sequence, timestamp, ssrc }: ConnectionData): void {
  packet[0] = RTP_VERSION
  packet[1] = RTP_OPUS
  packet.writeUInt16BE(sequence, 2)
  packet.writeUInt32BE(timestamp, 4)
  packet.writeUInt32BE(ssrc, 8)
}

/** Silence travels in clear within the transport's encryption, as all clients expect it. */
function isSilence(frame: Buffer): boolean {
  return frame.length === SILENCE.length && frame.equals(SILENCE)
}

const XCHACHA_NONCE_BYTES = 24

/** The part of sodium-native that seals packets: it has no types of its own. */
interface Sodium {
  /** Writes ciphertext and tag to `sealed`. */
  crypto_aead_xchacha20poly1305_ietf_encrypt(
    sealed: Uint8Array,
    text: Uint8Array,
    authenticated: Uint8Array,
    unused: null,
    nonce: Uint8Array,
    key: Uint8Array,
  ): number
}

/**
 * libsodium; null where its build does not load, as on musl. The package has a name of its own here: @discordjs/voice would take
 * `sodium-native` up, and reads its sizes in a way that gives `undefined`.
 */
const sodium = load()

function load(): Sodium | null {
  try {
    const require = createRequire(import.meta.url)
    return require('voice-sodium') as Sodium
  } catch {
    return null
  }
}
