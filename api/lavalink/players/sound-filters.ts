import type { PluginFilter, SoundFilters } from '../../../bot/audio/ffmpeg/plugin-filters.ts'
import type { LavalinkFilters } from '../protocol/filters.ts'

/** Largest factor of the timescale: beyond it, nothing of a sound of 20 Hz to 20 kHz is audible. */
const MOST_SCALE = 10
const NYQUIST_HZ = 24_000
/** More than any of these is the same clipped sound. */
const MOST_FACTOR = 100
/** ffmpeg's tremolo and vibrato know no slower ones, and its rotation no faster ones. */
const LEAST_HZ = 0.1
const MOST_ROTATION_HZ = 100
const MOST_SMOOTHING = 1e6

/** A volume of Lavalink as a percentage of the sound: louder and quieter along its curve, from 0 to 1642. */
export function soundVolume(volume: number): number {
  return volume === 100 ? 100 : 100 * alongCurve(volume)
}

/** The filter follows the same curve, and leaves the sound as it is where it would hardly change. */
function volumeFactor(volume: number): number {
  return Math.abs(1 - volume) < 0.02 ? 1 : alongCurve(100 * volume)
}

function alongCurve(volume: number): number {
  return volume <= 150 ? Math.tan(volume * 0.0079) : (2.4621 * volume) / 150
}

/**
 * A client's filters for the audio node. What no filter could follow (a rate of 1000, a level of a million) is followed
 * as far as that can be heard.
 */
export function soundFiltersOf(filters: LavalinkFilters): SoundFilters {
  const { volume, equalizer, karaoke, timescale, distortion, rotation, channelMix, lowPass } = filters
  const echo = echoOf(filters.pluginFilters?.echo)
  const pluginFilters = pluginFiltersOf(filters)
  return {
    ...(volume !== undefined && { volume: volumeFactor(volume) }),
    ...(equalizer && { equalizer: equalizer.map(({ band, gain }) => ({ band, gain: clamp(gain, -0.25, 1) })) }),
    ...(karaoke && { karaoke: karaokeOf(karaoke) }),
    ...(timescale && { timescale: mapped(timescale, (it) => clamp(it, 1 / MOST_SCALE, MOST_SCALE)) }),
    ...modulated(filters),
    ...(distortion && isDistorting(distortion) && { distortion: mapped(distortion, bounded) }),
    ...(rotation && { rotation: { rotationHz: Math.min(Math.abs(rotation.rotationHz), MOST_ROTATION_HZ) } }),
    ...(channelMix && { channelMix: mapped(channelMix, bounded) }),
    ...(lowPass && { lowPass: { smoothing: clamp(lowPass.smoothing, 1, MOST_SMOOTHING) } }),
    ...(echo && { echo }),
    ...(pluginFilters.length > 0 && { pluginFilters }),
  }
}

function karaokeOf({ level, monoLevel, filterBand, filterWidth }: NonNullable<LavalinkFilters['karaoke']>) {
  return {
    level: bounded(level),
    monoLevel: bounded(monoLevel),
    filterBand: clamp(filterBand, 0, NYQUIST_HZ),
    filterWidth: clamp(filterWidth, 0, NYQUIST_HZ),
  }
}

/** A frequency or a depth of 0 is off. */
function modulated({ tremolo, vibrato }: LavalinkFilters): Pick<SoundFilters, 'tremolo' | 'vibrato'> {
  const of = (options: typeof tremolo) =>
    options && options.depth > 0 && options.frequency > 0
      ? { frequency: clamp(options.frequency, LEAST_HZ, NYQUIST_HZ / 2), depth: options.depth }
      : null
  const [trembling, vibrating] = [of(tremolo), of(vibrato)]
  return { ...(trembling && { tremolo: trembling }), ...(vibrating && { vibrato: vibrating }) }
}

/** Lavalink leaves one at its defaults out. */
function isDistorting(options: NonNullable<LavalinkFilters['distortion']>): boolean {
  return Object.entries(options).some(([name, value]) => value !== (name.endsWith('cale') ? 1 : 0))
}

function pluginFiltersOf({ pluginFilters = {} }: LavalinkFilters): readonly PluginFilter[] {
  return [
    ...passOf('highPass', pluginFilters['high-pass']),
    ...passOf('lowPass', pluginFilters['low-pass']),
    ...normalizationOf(pluginFilters.normalization),
  ]
}

function passOf(kind: 'highPass' | 'lowPass', options: unknown): PluginFilter[] {
  const frequency = Math.trunc(numberOf(options, 'cutoffFrequency') ?? 0)
  if (frequency <= 0) return []
  const boost = clamp(numberOf(options, 'boostFactor') ?? 1, 0, MOST_FACTOR)
  return [{ kind, frequency: Math.min(frequency, NYQUIST_HZ - 1), boost }]
}

function normalizationOf(options: unknown): PluginFilter[] {
  const maxAmplitude = numberOf(options, 'maxAmplitude') ?? 0
  if (maxAmplitude <= 0) return []
  const adaptive = fieldOf(options, 'adaptive') ?? true
  return [{ kind: 'normalization', maxAmplitude: clamp(maxAmplitude, 0.001, 1), persists: adaptive === true }]
}

function echoOf(options: unknown): SoundFilters['echo'] | null {
  const seconds = numberOf(options, 'echoLength') ?? 0
  const decay = numberOf(options, 'decay') ?? 0
  return seconds > 0 && decay > 0 ? { delayMs: clamp(seconds * 1000, 20, 2000), decay: Math.min(decay, 0.9) } : null
}

/** Plug-ins take what they can read, and do nothing about the rest. */
function numberOf(options: unknown, name: string): number | null {
  const value = fieldOf(options, name)
  const read = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof read === 'number' && Number.isFinite(read) ? read : null
}

function fieldOf(options: unknown, name: string): unknown {
  const isFields = typeof options === 'object' && options !== null && Object.hasOwn(options, name)
  return isFields ? (options as Record<string, unknown>)[name] : undefined
}

function mapped<T extends object>(options: T, of: (value: number) => number): T {
  return Object.fromEntries(Object.entries(options).map(([name, value]) => [name, of(Number(value))])) as T
}

function bounded(value: number): number {
  return clamp(value, -MOST_FACTOR, MOST_FACTOR)
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, value))
}
