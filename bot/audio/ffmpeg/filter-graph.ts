import { EQUALIZER_HZ, type Filters, tempoOf } from '../../player/audio-settings/filters.ts'
import type { Playable } from '../../sources/source.ts'
import { ownEffects, number } from './effects.ts'
import { pluginEffects, type SoundFilters } from './plugin-filters.ts'
import { CLIP, RATE } from './sample-format.ts'

/** The effects on a source. Changing them opens a second source, which takes over between two frames. */
export interface FilterGraph {
  /** An ffmpeg filter graph with one input and one output; empty if nothing is to be done. */
  readonly graph: string
  /** Seconds of the track that pass per second. */
  readonly tempo: number
  /** The volume in it, in percent; defaults to 100. */
  readonly volume?: number
  /** Whether it is made as loud as other tracks, where that is known of it. */
  readonly isLevelled?: boolean
  /** Layers over the track, after its filters. */
  readonly layers?: readonly LayerInput[]
}

/** A layer at the moment at which the source starts. */
export interface LayerInput {
  readonly id: string
  readonly playable: Playable
  readonly gain: number
  readonly fromSamples: number
  readonly delaySamples: number
}

/** Whether two sources sound alike, wherever they begin. */
export function isSameFilterGraph(one: FilterGraph, other: FilterGraph): boolean {
  const isLevelled = one.isLevelled === true
  return one.graph === other.graph && isLevelled === (other.isLevelled === true) && namesOf(one) === namesOf(other)
}

function namesOf({ layers = [] }: FilterGraph): string {
  return layers.map(({ id, gain }) => `${id} ${gain}`).join()
}

export const PLAIN: FilterGraph = { graph: '', tempo: 1 }

/** ffmpeg's `apulsator` knows no slower one. */
const LEAST_ROTATION_HZ = 0.01
/** The longest delay of a vibrato in samples: in Lavaplayer, and in ffmpeg at full depth. */
const VIBRATO_DELAY = { lavaplayer: 96, ffmpeg: 239 }
/** Filters reckon with floating-point stereo at our rate. Mono is doubled at its level, not 3 dB below it. */
export const COMMON_GROUND = `aresample=${RATE},aformat=sample_fmts=fltp:channel_layouts=stereo|mono,pan=stereo|FL=FL+FC|FR=FR+FC`

export function isLive(playable: Playable): boolean {
  return playable.kind !== 'file' && playable.isStream
}

/** Volume from which samples are clipped at full scale, as Lavalink does: an encoder would pass them on. */
export const CLIPPED_FROM_PERCENT = 200

/** @param volume percent. `timescale` does not change the speed of a live stream. */
export function filterGraphOf(volume: number, filters: SoundFilters, isLive: boolean): FilterGraph {
  const { timescale } = filters
  const paced: SoundFilters =
    isLive && timescale
      ? { ...filters, timescale: { speed: 1, pitch: timescale.pitch * timescale.rate, rate: 1 } }
      : filters
  const effects = effectsOf(paced)
  const clip = volume > CLIPPED_FROM_PERCENT ? [CLIP] : []
  const level = volume === 100 ? [] : [`volume=${number(volume / 100)}`, ...clip]
  const graph = (effects.length === 0 ? level : [COMMON_GROUND, ...effects, ...level]).join(',')
  return { graph, tempo: tempoOf(paced), ...(volume !== 100 && { volume }) }
}

/**
 * Effects in Lavalink's order, which lists them from last to first, followed by our own. The volume comes early to make room
 * for boosts. Effects without any impact are left out so that frames can pass through.
 */
function effectsOf(filters: SoundFilters): string[] {
  return [
    ...pluginEffects(filters.pluginFilters),
    ...lowPass(filters.lowPass),
    ...channelMix(filters.channelMix),
    ...rotation(filters.rotation),
    ...distortion(filters.distortion),
    ...volume(filters.volume),
    ...vibrato(filters.vibrato),
    ...tremolo(filters.tremolo),
    ...timescale(filters.timescale),
    ...karaoke(filters.karaoke),
    ...equalizer(filters.equalizer),
    ...ownEffects(filters),
  ]
}

function volume(factor: Filters['volume'] = 1): string[] {
  return factor === 1 ? [] : [`volume=${number(factor)}`]
}

/** Takes away what both sides share, but for the low voices of the middle, which are added again. */
function karaoke(options: Filters['karaoke']): string[] {
  if (!options) return []
  const { level, monoLevel, filterBand, filterWidth } = options
  const c = Math.exp((-2 * Math.PI * filterWidth) / RATE)
  const b = ((-4 * c) / (1 + c)) * Math.cos((2 * Math.PI * filterBand) / RATE)
  const a = Math.sqrt(Math.max(0, 1 - (b * b) / (4 * c))) * (1 - c)
  const half = number(0.5 * level * monoLevel)
  const sides = `pan=stereo|FL=FL-${number(level)}*FR|FR=FR-${number(level)}*FL`
  const middle = `pan=stereo|FL=${half}*FL+${half}*FR|FR=${half}*FL+${half}*FR`
  const resonance = `biquad=b0=${number(a)}:b1=0:b2=0:a0=1:a1=${number(b)}:a2=${number(c)}`
  return [
    `asplit[karaoke1][karaoke2];[karaoke1]${sides}[karaoke3];[karaoke2]${middle},${resonance}[karaoke4];` +
      '[karaoke3][karaoke4]amix=inputs=2:normalize=0',
  ]
}

/** Splits behind a resampler do not choose channels by themselves. */
const STEREO = 'aformat=channel_layouts=stereo'

/** Played at another rate, which changes pitch and tempo alike; the tempo is then set right without the pitch. */
function timescale(options: Filters['timescale']): string[] {
  if (!options) return []
  const { speed, pitch, rate } = options
  const resampling = pitch * rate
  const resampled = resampling === 1 ? [] : [`asetrate=${Math.round(RATE * resampling)}`, `aresample=${RATE}`, STEREO]
  return [...resampled, ...stretched(speed / pitch)]
}

/** Splits the tempo into steps of at most an octave: beyond that, `atempo` skips sound instead of blending it. */
function stretched(tempo: number): string[] {
  if (tempo === 1) return []
  const steps = Math.ceil(Math.abs(Math.log2(tempo)) - 1e-9) || 1
  return Array.from({ length: steps }, () => `atempo=${number(tempo ** (1 / steps))}`)
}

function tremolo(options: Filters['tremolo']): string[] {
  return options ? [`tremolo=f=${number(options.frequency)}:d=${number(options.depth)}`] : []
}

function vibrato(options: Filters['vibrato']): string[] {
  if (!options) return []
  const depth = (options.depth * VIBRATO_DELAY.lavaplayer) / VIBRATO_DELAY.ffmpeg
  return [`vibrato=f=${number(options.frequency)}:d=${number(depth)}`]
}

function distortion(options: Filters['distortion']): string[] {
  if (!options) return []
  const parts = (['sin', 'cos', 'tan'] as const).map(
    (name) => `(${number(options[`${name}Offset`])}+${name}(val(ch)*${number(options[`${name}Scale`])}))`,
  )
  const { offset, scale } = options
  return [`aeval=exprs='clip(${number(offset)}+${number(scale)}*${parts.join('*')}\\,-1\\,1)':c=same`]
}

/** The sides grow louder and quieter in turns. */
function rotation(options: Filters['rotation']): string[] {
  const hz = options?.rotationHz ?? 0
  return hz === 0 ? [] : [`apulsator=hz=${number(Math.max(LEAST_ROTATION_HZ, hz))}:offset_l=0:offset_r=0.5`]
}

function channelMix(options: Filters['channelMix']): string[] {
  if (!options) return []
  const { leftToLeft, leftToRight, rightToLeft, rightToRight } = options
  if (leftToLeft === 1 && rightToRight === 1 && leftToRight === 0 && rightToLeft === 0) return []
  const mix =
    `pan=stereo|FL=${number(leftToLeft)}*FL+${number(rightToLeft)}*FR` +
    `|FR=${number(leftToRight)}*FL+${number(rightToRight)}*FR`
  const isLouder =
    Math.abs(leftToLeft) + Math.abs(rightToLeft) > 1 || Math.abs(leftToRight) + Math.abs(rightToRight) > 1
  return isLouder ? [mix, CLIP] : [mix]
}

/** Each sample comes nearer to the next by that part of the way. */
function lowPass(options: Filters['lowPass']): string[] {
  const smoothing = options?.smoothing ?? 1
  if (smoothing <= 1) return []
  const step = 1 / smoothing
  return [`biquad=b0=${number(step)}:b1=0:b2=0:a0=1:a1=${number(step - 1)}:a2=0`]
}

export function isPlain({ graph, layers }: FilterGraph): boolean {
  return graph === '' && !layers
}

/** A gain of 0.25 adds a band once more. */
const GAIN_SCALE = 4
/** Bands are 3 dB down a third of an octave below their frequency. */
const LOWER_EDGE = 1 / Math.cbrt(2)

/**
 * Adds each band of the sound to the sound itself by its gain, in parallel, as Lavaplayer does: bands that overlap add up
 * instead of multiplying.
 */
function equalizer(bands: Filters['equalizer'] = []): string[] {
  // The last word on a band counts.
  const gains = new Map(bands.map(({ band, gain }) => [band, gain]))
  const added = Array.from(gains).filter(([, gain]) => gain !== 0)
  if (added.length === 0) return []
  const count = added.length + 1
  const split = added.map(([band]) => `[split${band}]`).join('')
  const joined = added.map(([band]) => `[band${band}]`).join('')
  const filters = added.map(
    ([band, gain]) => `[split${band}]${bandPass(EQUALIZER_HZ[band]!, GAIN_SCALE * gain)}[band${band}];`,
  )
  const sum = `asplit=${count}[dry]${split};${filters.join('')}[dry]${joined}amix=inputs=${count}:normalize=0`
  return added.some(([, gain]) => gain > 0) ? [sum, CLIP] : [sum]
}

function bandPass(hz: number, gain: number): string {
  const center = (2 * Math.PI * hz) / RATE
  const edge = center * LOWER_EDGE
  const width = (Math.cos(edge) - Math.cos(center)) / Math.sin(edge)
  const b0 = (gain * width) / (1 + width)
  const a1 = (-2 * Math.cos(center)) / (1 + width)
  const a2 = (1 - width) / (1 + width)
  return `biquad=b0=${number(b0)}:b1=0:b2=${number(-b0)}:a0=1:a1=${number(a1)}:a2=${number(a2)}`
}
