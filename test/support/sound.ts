import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createDecoder } from 'libopus-wasm'

const RATE = 48_000

/** Decoded stereo sound, 48 kHz, samples from -1 to 1. */
export interface Sound {
  readonly left: Float32Array
  readonly right: Float32Array
  readonly seconds: number
}

/**
 * Decodes anything that ffmpeg reads: a file, a URL, or bytes.
 * @param seconds how much to read at most; an endless stream needs it.
 */
export async function decode(from: string | Buffer, seconds?: number): Promise<Sound> {
  const input = typeof from === 'string' ? from : 'pipe:0'
  const bound = seconds === undefined ? [] : ['-t', String(seconds)]
  const format = ['-f', 'f32le', '-ac', '2', '-ar', String(RATE), 'pipe:1']
  const ffmpeg = spawn('ffmpeg', ['-v', 'error', '-nostdin', '-i', input, ...bound, ...format])
  const chunks: Buffer[] = []
  let complaint = ''
  ffmpeg.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
  ffmpeg.stderr.on('data', (chunk: Buffer) => (complaint += chunk.toString()))
  // ffmpeg may have read enough before all was written.
  ffmpeg.stdin.on('error', () => {})
  ffmpeg.stdin.end(typeof from === 'string' ? undefined : from)
  const [code] = await once(ffmpeg, 'close')
  if (code !== 0) throw new Error(`ffmpeg could not decode ${input}: ${complaint}`)
  return deinterleave(Buffer.concat(chunks))
}

/** Samples until a listener's decoder has settled after a start, as in the header of Ogg Opus: 80 ms. */
const PRE_SKIP = 3840

/** Decodes Opus frames of stereo in the order they were sent, without the first 80 ms. No process is started for it. */
export async function decodeFrames(frames: readonly Uint8Array[]): Promise<Sound> {
  using decoder = await createDecoder({ sampleRate: RATE, channels: 2 })
  const parts = frames.map((frame) => decoder.decodeFloat(frame))
  const bytes = Buffer.concat(parts.map((part) => Buffer.from(part.buffer, part.byteOffset, part.byteLength)))
  return deinterleave(bytes.subarray(PRE_SKIP * 8))
}

function deinterleave(bytes: Buffer): Sound {
  const frames = Math.floor(bytes.length / 8)
  const left = new Float32Array(frames)
  const right = new Float32Array(frames)
  for (let i = 0; i < frames; i++) {
    left[i] = bytes.readFloatLE(i * 8)
    right[i] = bytes.readFloatLE(i * 8 + 4)
  }
  return { left, right, seconds: frames / RATE }
}

/** The amplitude of one frequency in a signal (Goertzel's algorithm): 1 is a full-scale sine. */
export function amplitude(samples: Float32Array, hz: number): number {
  const factor = 2 * Math.cos((2 * Math.PI * hz) / RATE)
  let last = 0
  let beforeLast = 0
  for (const sample of samples) {
    const now = sample + factor * last - beforeLast
    beforeLast = last
    last = now
  }
  const power = last * last + beforeLast * beforeLast - factor * last * beforeLast
  return (2 * Math.sqrt(Math.max(0, power))) / samples.length
}

/**
 * Deviation of a signal from nothing but these tones, at the worst sample: the rest when each is predicted from the
 * samples before, which a click cannot be, however quiet.
 */
export function predictionResidual(samples: Float32Array, tonesHz: readonly number[]): number {
  // (1 - 2 cos w z + z²) for each tone, multiplied out.
  let factors = [1]
  for (const hz of tonesHz) {
    const own = [1, -2 * Math.cos((2 * Math.PI * hz) / RATE), 1]
    const product = Array.from({ length: factors.length + 2 }, () => 0)
    for (const [i, a] of factors.entries()) for (const [j, b] of own.entries()) product[i + j]! += a * b
    factors = product
  }
  let worst = 0
  for (let n = factors.length - 1; n < samples.length; n++) {
    const error = factors.reduce((sum, factor, back) => sum + factor * samples[n - back]!, 0)
    worst = Math.max(worst, Math.abs(error))
  }
  return worst
}

/** Level of `a` relative to `b`, in decibels. */
export function decibels(a: number, b: number): number {
  return 20 * Math.log10(a / b)
}

/** The longest run, in milliseconds, in which neither side rises above `threshold`. */
export function longestSilenceMs({ left, right }: Sound, threshold = 0.001): number {
  let longest = 0
  let run = 0
  for (let i = 0; i < left.length; i++) {
    const isSilent = Math.abs(left[i]!) < threshold && Math.abs(right[i]!) < threshold
    run = isSilent ? run + 1 : 0
    longest = Math.max(longest, run)
  }
  return (longest / RATE) * 1000
}

/** A part of a sound, in seconds. */
export function slice(sound: Sound, from: number, to: number): Sound {
  const cut = (side: Float32Array) => side.subarray(Math.round(from * RATE), Math.round(to * RATE))
  const left = cut(sound.left)
  return { left, right: cut(sound.right), seconds: left.length / RATE }
}

/**
 * Tries again, three times at most: what else runs on this machine may hold sound up for a moment, but not each time.
 * @throws what the last try threw.
 */
export async function heardAtBest(attempt: () => Promise<void>): Promise<void> {
  for (let triesLeft = 2; ; triesLeft--) {
    try {
      return await attempt()
    } catch (error) {
      if (triesLeft === 0) throw error
    }
  }
}
