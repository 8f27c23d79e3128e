import type { Filters } from '../../player/audio-settings/filters.ts'

/** Echoes that are 40 dB down are not heard any more. */
const INAUDIBLE = 0.01
const MOST_ECHOES = 40
/** Reverb times of an echo chamber without walls and of a cathedral. */
const SHORTEST_REVERB_SECONDS = 0.4
const LONGEST_REVERB_SECONDS = 4
/** Reflections of each stage, and how long it is; the stages multiply them to more than listeners can tell apart. */
const DIFFUSERS = [
  { taps: 7, ms: 13 },
  { taps: 7, ms: 41 },
] as const
const TAIL_TAPS = 24
/** `aecho` clips: it works on so little of the sound that all reflections together have room. */
const HEADROOM = 0.05
/** Delay of the side signal behind the mid signal: too short to be heard as an echo. */
const SPATIAL_DELAY_MS = 14

/** The effects that Lavalink v4 does not have. One whose values do nothing is left out. */
export function ownEffects(filters: Filters): string[] {
  return [
    ...highPass(filters.highPass),
    ...compressor(filters.compressor),
    ...phaser(filters.phaser),
    ...echo(filters.echo),
    ...reverb(filters.reverb),
    ...spatial(filters.spatial),
  ]
}

/** 12 dB an octave below the frequency, which is 3 dB down itself. */
function highPass(options: Filters['highPass']): string[] {
  return options ? [`highpass=f=${number(options.frequency)}`] : []
}

function compressor(options: Filters['compressor']): string[] {
  if (!options || options.ratio === 1) return options ? louder(options.gainDb) : []
  const { thresholdDb, ratio, attackMs, releaseMs, gainDb } = options
  const curve = `threshold=${number(10 ** (thresholdDb / 20))}:ratio=${number(ratio)}:knee=1:detection=rms`
  return [`acompressor=${curve}:attack=${number(attackMs)}:release=${number(releaseMs)}`, ...louder(gainDb)]
}

function louder(gainDb: number): string[] {
  return gainDb === 0 ? [] : [`volume=${number(gainDb)}dB`]
}

/** Feedback adds peaks and notches of equal power, so the total power is unchanged. */
function phaser(options: Filters['phaser']): string[] {
  if (!options || options.depth === 0) return []
  const { frequency, depth } = options
  const before = Math.sqrt(1 - depth ** 2)
  return [
    `aphaser=in_gain=${number(before)}:out_gain=1:delay=3:decay=${number(depth)}:speed=${number(frequency)}:type=s`,
  ]
}

/** Each echo is quieter than the previous one by the same factor. */
function echo(options: Filters['echo']): string[] {
  if (!options || options.decay === 0) return []
  const { delayMs, decay } = options
  const count = Math.min(Math.ceil(Math.log(INAUDIBLE) / Math.log(decay)), MOST_ECHOES)
  const taps = Array.from({ length: count }, (_, i) => ({ ms: delayMs * (i + 1), gain: decay ** (i + 1) }))
  return [`volume=${HEADROOM}`, reflections(taps, 1), `volume=${1 / HEADROOM}`]
}

/**
 * The sound as it is, and beside it a diffuse tail that falls by 60 dB in a time which goes with the size of the room.
 * Each side has a tail of its own, half of it turned round, so that neither low tones nor the middle pile up.
 */
function reverb(options: Filters['reverb']): string[] {
  if (!options || options.mix === 0) return []
  const { roomSize, damping, mix } = options
  const seconds = SHORTEST_REVERB_SECONDS * (LONGEST_REVERB_SECONDS / SHORTEST_REVERB_SECONDS) ** roomSize
  const random = seeded(1)
  const diffused = DIFFUSERS.map(({ taps, ms }) => reflections(scattered(taps, ms, Infinity, random)))
  const dull = `lowpass=f=${number(16_000 * (1500 / 16_000) ** damping)}:p=1`
  const tails = ['rl', 'rm', 'rr', 'rs'].map(
    (name) => `[${name}]${reflections(scattered(TAIL_TAPS, seconds * 1000, seconds, random))}[${name}2]`,
  )
  // Two tails of the same power add up to 3 dB more.
  const wet = number((mix * Math.SQRT1_2) / HEADROOM)
  const dry = number(1 - mix)
  const sides = `FL=${dry}*c0+${wet}*c2-${wet}*c4|FR=${dry}*c1+${wet}*c7-${wet}*c9`
  return [
    `asplit[rdry][rwet];[rwet]${[`volume=${HEADROOM}`, ...diffused, dull].join(',')},asplit=4[rl][rm][rr][rs];${tails.join(';')};` +
      `[rdry][rl2][rm2][rr2][rs2]amerge=inputs=5,pan=stereo|${sides}`,
  ]
}

interface Reflection {
  readonly ms: number
  readonly gain: number
}

/** At random times, one in each of as many spans of the same length; together as loud as what comes in. */
function scattered(count: number, ms: number, seconds: number, random: () => number): readonly Reflection[] {
  const taps = Array.from({ length: count }, (_, i) => {
    const at = ((i + random()) / count) * ms
    return { ms: Math.max(at, 0.1), gain: 10 ** ((-3 * at) / 1000 / seconds) }
  })
  const power = taps.reduce((sum, { gain }) => sum + gain ** 2, 0)
  return taps.map(({ ms: at, gain }) => ({ ms: at, gain: gain / Math.sqrt(power) }))
}

function reflections(taps: readonly Reflection[], direct = 0): string {
  const delays = taps.map(({ ms }) => number(ms)).join('|')
  const gains = taps.map(({ gain }) => number(gain)).join('|')
  return `aecho=in_gain=${direct}:out_gain=1:delays=${delays}:decays=${gains}`
}

/** Numbers from 0 up to 1 that look random and are always the same (a linear congruential generator). */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

/** Amplifies the side signal and adds a delayed mid signal to it; the mono sum stays the same. */
function spatial(options: Filters['spatial']): string[] {
  if (!options || (options.width === 1 && options.depth === 0)) return []
  const same = number((1 + options.width) / 2)
  const other = number((1 - options.width) / 2)
  const half = number(options.depth / 2)
  const wide = `pan=stereo|FL=${same}*FL+${other}*FR|FR=${other}*FL+${same}*FR`
  const later = `pan=stereo|FL=${half}*FL+${half}*FR|FR=-${half}*FL-${half}*FR,adelay=delays=${SPATIAL_DELAY_MS}:all=1`
  return [
    `asplit[wide1][wide2];[wide1]${wide}[wide3];[wide2]${later}[wide4];[wide3][wide4]amix=inputs=2:normalize=0:duration=first`,
  ]
}

/** A number as ffmpeg reads it: never with an exponent. */
export function number(value: number): string {
  const digits = value.toFixed(12)
  let end = digits.length
  while (digits[end - 1] === '0') end -= 1
  return digits.slice(0, digits[end - 1] === '.' ? end - 1 : end)
}
