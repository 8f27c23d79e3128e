/** The one length of frame that goes out: 20 ms at 48 kHz. */
export const FRAME_MS = 20
export const SAMPLES_PER_MS = 48
export const SAMPLES_PER_FRAME = FRAME_MS * SAMPLES_PER_MS

/** Opus for 20 ms of nothing. Discord's clients know it, and it is never end-to-end encrypted. */
export const SILENCE: Buffer = Buffer.from([0xf8, 0xff, 0xfe])

/** Samples that libopus looks ahead, so that what a packet decodes to lies this much before its nominal time. */
export const LIBOPUS_PRE_SKIP = 312

/** Header of an Opus stream (RFC 7845, section 5.1; WebM's CodecPrivate is the same). */
export interface OpusHead {
  readonly channels: number
  /** 48 kHz samples that a decoder drops at the start. */
  readonly preSkip: number
  /** Q7.8 dB that a player adds; 0 for almost every file. */
  readonly gain: number
  /** 0: one mono or stereo stream. Anything else is several streams in one packet. */
  readonly mapping: number
}

const HEAD_MAGIC = Buffer.from('OpusHead')

export function parseOpusHead(bytes: Buffer): OpusHead | null {
  if (bytes.length < 19 || !bytes.subarray(0, 8).equals(HEAD_MAGIC) || bytes.readUInt8(8) > 15) return null
  return {
    channels: bytes.readUInt8(9),
    preSkip: bytes.readUInt16LE(10),
    gain: bytes.readInt16LE(16),
    mapping: bytes.readUInt8(18),
  }
}

/** Samples at 48 kHz in one frame of each of the 32 configurations of the first byte (RFC 6716, table 2). */
const FRAME_SAMPLES = Array.from({ length: 32 }, (_, config) => {
  if (config < 12) return [480, 960, 1920, 2880][config % 4]!
  if (config < 16) return [480, 960][config % 2]!
  return [120, 240, 480, 960][config % 4]!
})

/** Returns the duration of a packet in 48 kHz samples; 0 if it is not an Opus packet. */
export function packetSamples(packet: Buffer): number {
  const first = packet[0]
  if (first === undefined) return 0
  const code = first & 3
  const second = packet[1]
  if (code === 3 && second === undefined) return 0
  const frames = code === 0 ? 1 : code === 3 ? second! & 0x3f : 2
  const samples = frames * FRAME_SAMPLES[first >> 3]!
  return samples > 5760 ? 0 : samples
}

/** The sample at which the frame of a position begins: frames of a track lie at the same places, however it was opened. */
export function onGrid(positionMs: number): number {
  return Math.round(positionMs / FRAME_MS) * SAMPLES_PER_FRAME
}

/** Takes a container apart as its bytes arrive. */
export interface Demuxer {
  /** Null until the header was read. */
  readonly head: OpusHead | null
  /** Some of the bytes were lost or changed on their way. */
  readonly isDamaged: boolean
  /** Position of the first packet in the stream, in 48 kHz samples; null until there is one. */
  readonly firstSample: number | null
  /** End of the stream, pre-skip included; null until it is reached, or if the container does not state it. */
  readonly endSample: number | null
  /**
   * The Opus packets that these bytes complete. They may lie in `bytes`, or in memory that the next call uses again.
   * @throws {MalformedError} when this is not the container it should be.
   */
  push(bytes: Buffer): readonly Buffer[]
}

/** The bytes are not what they were said to be. The message ends up in sentences for callers. */
export class MalformedError extends Error {
  override readonly name = 'MalformedError'
}
