import { spectrum } from './spectrum.ts'

export const RATE = 48_000

/** Decoded stereo sound, 48 kHz, samples from -1 to 1. */
export interface Sound {
  readonly left: Float32Array
  readonly right: Float32Array
}

const secondsOf = ({ left }: Sound): number => left.length / RATE

/** The root mean square below which nothing is heard: -54 dB. */
export const SILENT = 0.002

export function rms(samples: Float32Array): number {
  let sum = 0
  for (const sample of samples) sum += sample * sample
  return Math.sqrt(sum / Math.max(1, samples.length))
}

/** The level of the two sides together. */
export const loudness = ({ left, right }: Sound): number => Math.hypot(rms(left), rms(right)) / Math.SQRT2

/** The level of `a` above `b`, in decibels. */
export const decibels = (a: number, b: number): number => 20 * Math.log10(Math.max(a, 1e-9) / Math.max(b, 1e-9))

/** The amplitude of one frequency in a signal (Goertzel's algorithm, with a Hann window): 1 is a full-scale sine. */
export function amplitude(samples: Float32Array, hz: number): number {
  const factor = 2 * Math.cos((2 * Math.PI * hz) / RATE)
  let last = 0
  let beforeLast = 0
  for (const [i, sample] of samples.entries()) {
    const window = 1 - Math.cos((2 * Math.PI * i) / samples.length)
    const now = sample * window + factor * last - beforeLast
    beforeLast = last
    last = now
  }
  const power = last * last + beforeLast * beforeLast - factor * last * beforeLast
  return (2 * Math.sqrt(Math.max(0, power))) / samples.length
}

/** The loudest frequency above `from`, to about 1 Hz; null where nothing is heard. */
export function pitch(samples: Float32Array, from = 80): number | null {
  if (rms(samples) < SILENT) return null
  const { levels, binHz } = spectrum(samples, RATE)
  let best = Math.ceil(from / binHz)
  for (let bin = best; bin < levels.length - 1; bin++) if ((levels[bin] ?? 0) > (levels[best] ?? 0)) best = bin
  // A parabola through the logarithms of three bins: its top is the frequency.
  const [before, top, after] = [best - 1, best, best + 1].map((bin) => Math.log(Math.max(levels[bin] ?? 0, 1e-12)))
  if (before === undefined || top === undefined || after === undefined) return best * binHz
  const bend = before - 2 * top + after
  return (best + (bend === 0 ? 0 : (0.5 * (before - after)) / bend)) * binHz
}

function slice({ left, right }: Sound, fromSeconds: number, toSeconds: number): Sound {
  const [from, to] = [Math.round(fromSeconds * RATE), Math.round(toSeconds * RATE)]
  return { left: left.subarray(from, to), right: right.subarray(from, to) }
}

/** Consecutive windows of a sound. */
export function windows(sound: Sound, seconds: number): Sound[] {
  const count = Math.floor(secondsOf(sound) / seconds)
  return Array.from({ length: count }, (_, i) => slice(sound, i * seconds, (i + 1) * seconds))
}
