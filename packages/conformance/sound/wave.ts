/** The sound of a generated file at a time, each side from -1 to 1. */
export type Shape = (seconds: number) => readonly [left: number, right: number]

const WAVE_RATE = 48_000
const CHANNELS = 2
const FRAME_BYTES = 2 * CHANNELS
export const HEADER_BYTES = 44
export const BYTES_PER_SECOND = WAVE_RATE * FRAME_BYTES

const sine = (hz: number, seconds: number) => Math.sin(2 * Math.PI * hz * seconds)
const LEVEL = 0.5

/** One steady tone on both sides. */
export const tone =
  (hz: number): Shape =>
  (seconds) => {
    const value = LEVEL * sine(hz, seconds)
    return [value, value]
  }

export const LEFT_HZ = 440
export const RIGHT_HZ = 1250

/** A tone of its own on each side. */
export const stereo: Shape = (seconds) => [LEVEL * sine(LEFT_HZ, seconds), LEVEL * sine(RIGHT_HZ, seconds)]

export const CHORD_HZ = [100, 1000, 8000] as const

/** Three tones far apart, equally loud, on both sides. */
export const chord: Shape = (seconds) => {
  const value = 0.2 * CHORD_HZ.reduce<number>((sum, hz) => sum + sine(hz, seconds), 0)
  return [value, value]
}

const STAIR_SECONDS = 0.5
const LOWEST_HZ = 400
const STAIR_HZ = 30

/** Each half second has a frequency of its own, 30 Hz above the one before, so that a listener hears the position. */
export const stairs: Shape = (seconds) => {
  const value = LEVEL * sine(LOWEST_HZ + STAIR_HZ * Math.floor(seconds / STAIR_SECONDS), seconds)
  return [value, value]
}

/** The position of a frequency in the stairs: the middle of its half second. */
export const stairSeconds = (hz: number): number =>
  Math.round((hz - LOWEST_HZ) / STAIR_HZ) * STAIR_SECONDS + STAIR_SECONDS / 2

/** A WAV file: 16 bits, stereo, 48 kHz. */
export function wave(shape: Shape, seconds: number): Buffer {
  const frames = Math.round(seconds * WAVE_RATE)
  const file = Buffer.alloc(HEADER_BYTES + frames * FRAME_BYTES)
  file.write('RIFF')
  file.writeUInt32LE(file.length - 8, 4)
  file.write('WAVEfmt ', 8)
  file.writeUInt32LE(16, 16)
  file.writeUInt16LE(1, 20)
  file.writeUInt16LE(CHANNELS, 22)
  file.writeUInt32LE(WAVE_RATE, 24)
  file.writeUInt32LE(BYTES_PER_SECOND, 28)
  file.writeUInt16LE(FRAME_BYTES, 32)
  file.writeUInt16LE(16, 34)
  file.write('data', 36)
  file.writeUInt32LE(frames * FRAME_BYTES, 40)
  for (let frame = 0; frame < frames; frame++) {
    const [left, right] = shape(frame / WAVE_RATE)
    file.writeInt16LE(Math.round(left * 32_767), HEADER_BYTES + frame * FRAME_BYTES)
    file.writeInt16LE(Math.round(right * 32_767), HEADER_BYTES + frame * FRAME_BYTES + 2)
  }
  return file
}
