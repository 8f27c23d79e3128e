/** RTP (RFC 3550 5.1) as Discord voice carries it: version 2, payload type 120, Opus at a clock of 48 kHz. */
const FIXED_HEADER_BYTES = 12
const EXTENSION_HEADER_BYTES = 4
const OPUS_PAYLOAD_TYPE = 120

export const SAMPLES_PER_MS = 48

export interface RtpHeader {
  readonly sequence: number
  /** In samples. */
  readonly timestamp: number
  readonly ssrc: number
  /**
   * Length of the part that the `rtpsize` modes authenticate but leave readable: the fixed header, the contributing
   * sources and the four bytes that announce an extension.
   */
  readonly clearBytes: number
  /** The extension's body: encrypted with the payload, in front of it. */
  readonly extensionBytes: number
  readonly hasPadding: boolean
}

/** The header of an audio packet, or null for anything else (keep-alives, RTCP, other payloads, cut packets). */
export function readRtpHeader(packet: Buffer): RtpHeader | null {
  if (packet.length < FIXED_HEADER_BYTES) return null
  const flags = packet.readUInt8(0)
  if (flags >> 6 !== 2 || (packet.readUInt8(1) & 0x7f) !== OPUS_PAYLOAD_TYPE) return null
  const hasExtension = (flags & 0x10) !== 0
  const sources = FIXED_HEADER_BYTES + 4 * (flags & 0x0f)
  const clearBytes = sources + (hasExtension ? EXTENSION_HEADER_BYTES : 0)
  if (packet.length < clearBytes) return null
  return {
    sequence: packet.readUInt16BE(2),
    timestamp: packet.readUInt32BE(4),
    ssrc: packet.readUInt32BE(8),
    clearBytes,
    extensionBytes: hasExtension ? 4 * packet.readUInt16BE(sources + 2) : 0,
    hasPadding: (flags & 0x20) !== 0,
  }
}

export function writeRtpHeader(fields: { sequence: number; timestamp: number; ssrc: number }): Buffer {
  const header = Buffer.allocUnsafe(FIXED_HEADER_BYTES)
  header.writeUInt8(2 << 6, 0)
  header.writeUInt8(OPUS_PAYLOAD_TYPE, 1)
  header.writeUInt16BE(fields.sequence & 0xffff, 2)
  header.writeUInt32BE(fields.timestamp >>> 0, 4)
  header.writeUInt32BE(fields.ssrc, 8)
  return header
}

/** Returns a decrypted payload without the extension's body and the padding; null if they do not fit. */
export function stripPayload(header: RtpHeader, payload: Buffer): Buffer | null {
  const padding = header.hasPadding ? (payload.at(-1) ?? 0) : 0
  if (header.extensionBytes + padding > payload.length) return null
  return payload.subarray(header.extensionBytes, payload.length - padding)
}
