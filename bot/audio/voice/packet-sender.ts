import { createCipheriv, createSecretKey, type KeyObject } from 'node:crypto'
import type { DAVESession, NetworkingReadyState, VoiceWebSocket } from '@discordjs/voice'
import { VoiceOpcodes, type VoiceReceivePayload } from 'discord-api-types/voice/v8'
import { SAMPLES_PER_FRAME, SILENCE } from '../containers/opus.ts'
import type { FrameRun } from '../playback/track-player-options.ts'
import { PreparedPackets } from './prepared-packets.ts'
import { sendDatagram, targetOf, type UdpTarget } from './udp-socket.ts'
import { HEADER_BYTES, MAX_TEXT_BYTES, OVERHEAD_BYTES, XChaChaSealer } from './xchacha/xchacha.ts'

const RTP_VERSION = 0x80
const RTP_OPUS = 120
const TAG_BYTES = 16
/** Of the nonce only the counter travels; the other bytes are zero. */
const COUNTER_BYTES = 4
const GCM_NONCE_BYTES = 12
const GCM = 'aead_aes256_gcm_rtpsize'
const XCHACHA = 'aead_xchacha20_poly1305_rtpsize'
/** So long after the system kept a packet, packets leave the sealer's memory. */
const CONGESTED_MS = 1000

/** End-to-end encryption adds some 20 bytes. */
const MAX_FRAME_BYTES = MAX_TEXT_BYTES - 64

type ConnectionData = NetworkingReadyState['connectionData']
type DaveSession = NonNullable<DAVESession['session']>

let sealer: XChaChaSealer | null | undefined
let congestedUntilMs = -Infinity

/** One for all players of a thread; null where the processor cannot. */
function sharedSealer(): XChaChaSealer | null {
  if (sealer !== undefined) return sealer
  try {
    sealer = new XChaChaSealer()
  } catch {
    sealer = null
  }
  return sealer
}

/**
 * The library takes the first mode that the server offers and it knows: AES-GCM. Node makes four objects for each packet
 * that it seals so, which costs five times as much as XChaCha20 does in WebAssembly. Discord's servers offer it always.
 */
export function preferXChaCha(socket: VoiceWebSocket): void {
  if (!sharedSealer()) return
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
  readonly #xchacha: XChaChaSealer | null
  readonly #gcmNonce = Buffer.alloc(GCM_NONCE_BYTES)
  #key: KeyObject | null = null
  /** Of the packets that are made ready, one run after the other. */
  #memory: Buffer | null = null

  constructor({ connectionData, dave, udp }: NetworkingReadyState) {
    this.#data = connectionData
    this.#target = targetOf(udp)
    const session = dave && dave.protocolVersion !== 0 ? dave.session : undefined
    this.#session = session?.ready ? session : null
    this.#xchacha = connectionData.encryptionMode === XCHACHA ? sharedSealer() : null
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
    const xchacha = this.#xchacha
    if (xchacha ? frame.length > MAX_FRAME_BYTES : data.encryptionMode !== GCM) return false
    const opus = this.#encrypt(frame)
    data.nonce = (data.nonce + 1) >>> 0
    if (xchacha) sendSealed(this.#target, opus, { xchacha, data })
    else sendDatagram(this.#target, this.#seal(data, opus))
    pass(data, 1)
    return true
  }

  /**
   * Encrypts and seals what is sent next. All of it at once takes half the time, since the code and the keys are in the
   * processor's caches then: between two frames of a player they leave them. What does not go out in the end has used
   * its nonces up, as if the packets had been lost.
   * @param mayGo asked before each packet.
   * @returns null if it cannot: the frames are sent one by one.
   * @throws {Error} if a frame could not be encrypted end to end.
   */
  prepareRun(frames: readonly Buffer[], mayGo: () => boolean): FrameRun | null {
    const xchacha = this.#xchacha
    if (!xchacha || frames.some(({ length }) => length > MAX_FRAME_BYTES)) return null
    const data = this.#data
    const texts = frames.map((frame) => this.#encrypt(frame))
    const bytes = this.#memoryFor(texts.reduce((sum, { length }) => sum + length + OVERHEAD_BYTES, 0))
    let end = 0
    const ends = texts.map((opus, at) => {
      data.nonce = (data.nonce + 1) >>> 0
      const packet = seal(opus, { xchacha, data, at })
      bytes.set(packet, end)
      return (end += packet.length)
    })
    return new PreparedPackets({
      bytes,
      ends,
      target: this.#target,
      mayGo,
      onKept: () => (this.#memory = null),
      onEnd: (sent) => pass(data, sent),
    })
  }

  #encrypt(frame: Buffer): Buffer {
    return this.#session && !isSilence(frame) ? this.#session.encryptOpus(frame) : frame
  }

  #memoryFor(leastBytes: number): Buffer {
    if (!this.#memory || this.#memory.length < leastBytes) this.#memory = Buffer.allocUnsafeSlow(leastBytes * 2)
    return this.#memory
  }

  #seal(data: ConnectionData, opus: Buffer): Buffer {
    const packet = Buffer.allocUnsafe(OVERHEAD_BYTES + opus.length)
    writeHeader(packet, data)
    this.#gcmNonce.writeUInt32BE(data.nonce, 0)
    const cipher = createCipheriv('aes-256-gcm', this.#importedKey, this.#gcmNonce)
    cipher.setAAD(packet.subarray(0, HEADER_BYTES))
    packet.set(cipher.update(opus), HEADER_BYTES)
    cipher.final()
    const tagAt = HEADER_BYTES + opus.length
    packet.set(cipher.getAuthTag(), tagAt)
    packet.set(this.#gcmNonce.subarray(0, COUNTER_BYTES), tagAt + TAG_BYTES)
    return packet
  }

  /** A raw key would be imported again for each packet. */
  get #importedKey(): KeyObject {
    return (this.#key ??= createSecretKey(this.#data.secretKey))
  }
}

interface Sealing {
  readonly xchacha: XChaChaSealer
  readonly data: ConnectionData
  /** How many packets go out before it. */
  readonly at?: number
}

/** @returns memory of the sealer. */
function seal(opus: Buffer, { xchacha, data, at = 0 }: Sealing): Buffer {
  const packet = xchacha.begin(opus.length)
  writeHeader(packet, data, at)
  packet.set(opus, HEADER_BYTES)
  xchacha.seal(data.secretKey, data.nonce)
  return packet
}

/** So many packets went out. */
function pass(data: ConnectionData, packets: number): void {
  data.packetsPlayed += packets
  data.sequence = (data.sequence + packets) & 0xffff
  data.timestamp = (data.timestamp + packets * SAMPLES_PER_FRAME) >>> 0
}

function sendSealed(target: UdpTarget, opus: Buffer, { xchacha, data }: Sealing): void {
  const packet = seal(opus, { xchacha, data })
  const isCopied = congestedUntilMs > 0 && performance.now() < congestedUntilMs
  if (sendDatagram(target, isCopied ? Buffer.from(packet) : packet)) return
  congestedUntilMs = performance.now() + CONGESTED_MS
  if (!isCopied) xchacha.leavePlace()
}

function writeHeader(packet: Buffer, { sequence, timestamp, ssrc }: ConnectionData, at = 0): void {
  packet[0] = RTP_VERSION
  packet[1] = RTP_OPUS
  packet.writeUInt16BE((sequence + at) & 0xffff, 2)
  packet.writeUInt32BE((timestamp + at * SAMPLES_PER_FRAME) >>> 0, 4)
  packet.writeUInt32BE(ssrc, 8)
}

/** Silence travels in clear within the transport's encryption, as all clients expect it. */
function isSilence(frame: Buffer): boolean {
  return frame.length === SILENCE.length && frame.equals(SILENCE)
}
