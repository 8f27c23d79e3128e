/** 20 ms of digital silence, as Discord's clients send it; it is never end-to-end encrypted. */
export const SILENCE_FRAME = Buffer.of(0xf8, 0xff, 0xfe)

/** All of Opus in Ogg and RTP counts at this rate (RFC 7845 4, RFC 7587 4.1). */
export const SAMPLES_PER_SECOND = 48_000
const LONGEST_PACKET_SAMPLES = 5760

/** Frame lengths in samples by the configuration number in the first byte (RFC 6716 3.1, table 2). */
const SILK_SAMPLES = [480, 960, 1920, 2880]
const HYBRID_SAMPLES = [480, 960]
const CELT_SAMPLES = [120, 240, 480, 960]

/** Duration of a packet in samples of 48 kHz; null if it is no Opus packet. */
export function opusSamples(packet: Buffer): number | null {
  const toc = packet[0]
  if (toc === undefined) return null
  const frames = frameCount(packet, toc & 3)
  const samples = frames === null ? null : frames * frameSamples(toc >> 3)
  return samples !== null && samples > 0 && samples <= LONGEST_PACKET_SAMPLES ? samples : null
}

function frameSamples(configuration: number): number {
  const lengths = configuration < 12 ? SILK_SAMPLES : configuration < 16 ? HYBRID_SAMPLES : CELT_SAMPLES
  return lengths[configuration % lengths.length] ?? 0
}

/** RFC 6716 3.2: one frame, two of equal or unequal size, or a count in the second byte. */
function frameCount(packet: Buffer, code: number): number | null {
  if (code === 0) return 1
  if (code < 3) return 2
  const second = packet[1]
  return second === undefined ? null : second & 0x3f
}

/** A silent packet of 120, 240, 480 or 960 samples: full-band CELT, mono, one frame, configurations 28 to 31. */
export function silencePacket(samples: number): Buffer {
  return Buffer.of((28 + Math.max(0, CELT_SAMPLES.indexOf(samples))) << 3, 0xff, 0xfe)
}

/** Lengthens a packet with padding that decoders skip (RFC 6716 3.2.5). Only packets of one frame can be. */
export function padPacket(packet: Buffer, bytes: number): Buffer {
  const toc = packet[0]
  if (toc === undefined || (toc & 3) !== 0) return packet
  // Two bytes of head instead of one, then the length of the padding: 255 stands for 254 bytes and more to come.
  const room = bytes - packet.length - 1
  const full = Math.floor((room - 1) / CONTINUED_PADDING)
  const rest = room - full * CONTINUED_PADDING - 1
  if (room < 1) return packet
  const head = Buffer.of(toc | 3, ONE_PADDED_FRAME, ...Array<number>(full).fill(255), rest)
  return Buffer.concat([head, packet.subarray(1), Buffer.alloc(full * (CONTINUED_PADDING - 1) + rest)])
}

const ONE_PADDED_FRAME = 0x41
const CONTINUED_PADDING = 255
