import type { Filters } from '../../player/audio-settings/filters.ts'
import { number } from './effects.ts'
import { CLIP } from './sample-format.ts'

/** A filter of the LavaDSPX plug-in, which bots of others may ask for besides Lavalink's own. */
export type PluginFilter =
  /** 12 dB an octave beyond the frequency, which is 3 dB down itself; then so much louder. */
  | { readonly kind: 'highPass' | 'lowPass'; readonly frequency: number; readonly boost: number }
  /** Turns down what is above the amplitude: all that follows too, where that persists. */
  | { readonly kind: 'normalization'; readonly maxAmplitude: number; readonly persists: boolean }

/** Our filters, and behind them those of plug-ins in their order. */
export interface SoundFilters extends Filters {
  readonly pluginFilters?: readonly PluginFilter[]
}

/** Longest time that ffmpeg's limiter can remember a peak. */
const LONGEST_RELEASE_MS = 8000
/** A block of LavaDSPX, at the end of which it forgets one. */
const BLOCK_MS = 20

export function pluginEffects(filters: readonly PluginFilter[] = []): string[] {
  return filters.flatMap((filter) => {
    if (filter.kind === 'normalization') return normalization(filter)
    const { kind, frequency, boost } = filter
    // Clipped, as in LavaDSPX.
    const louder = boost === 1 ? [] : [`volume=${number(boost)}`, CLIP]
    return [`${kind.toLowerCase()}=f=${number(frequency)}`, ...louder]
  })
}

/** The limiter works at full scale, and so with any amplitude. */
function normalization({ maxAmplitude, persists }: Extract<PluginFilter, { kind: 'normalization' }>): string[] {
  const release = persists ? LONGEST_RELEASE_MS : BLOCK_MS
  return [
    `volume=${number(1 / maxAmplitude)}`,
    `alimiter=limit=1:level=0:attack=5:release=${release}:latency=1`,
    `volume=${number(maxAmplitude)}`,
  ]
}
