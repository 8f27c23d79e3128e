import type { z } from 'zod'
import type { FilterSchema } from './filter-schema.ts'

/** Filters of the sound, in Lavalink v4's JSON form. What is left out does nothing. */
export type Filters = Readonly<z.output<typeof FilterSchema>>

type Preset = NonNullable<Filters['preset']>

export const NO_FILTERS: Filters = {}

function bands(...gains: readonly number[]) {
  return gains.map((gain, band) => ({ band, gain }))
}

/** `semitones` up, at the same pace. */
function transposed(semitones: number) {
  return { speed: 1, pitch: 2 ** (semitones / 12), rate: 1 }
}

/** The centres of the equalizer's bands, by their numbers. */
export const EQUALIZER_HZ = [25, 40, 63, 100, 160, 250, 400, 630, 1000, 1600, 2500, 4000, 6300, 10_000, 16_000]

/** Boosts are turned down by as much, so that loud tracks do not clip. */
const PRESETS: Readonly<Record<Preset, Filters>> = {
  bassboost: { volume: 0.46, equalizer: bands(0.2, 0.2, 0.2, 0.15, 0.1, 0.05) },
  treble: { volume: 0.54, equalizer: bands(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0.05, 0.1, 0.15, 0.15, 0.15) },
  nightcore: { timescale: { speed: 1, pitch: 1, rate: 1.2 } },
  vaporwave: { timescale: { speed: 1, pitch: 1, rate: 0.85 } },
  chipmunk: { timescale: transposed(7) },
  deep: { timescale: transposed(-5) },
  karaoke: { karaoke: { level: 1, monoLevel: 1, filterBand: 220, filterWidth: 100 } },
  '8d': { rotation: { rotationHz: 0.2 } },
  wide: { volume: 0.8, spatial: { width: 1.7, depth: 0.5 } },
  hall: { reverb: { roomSize: 0.5, damping: 0.5, mix: 0.35 } },
  cathedral: { volume: 0.8, reverb: { roomSize: 0.9, damping: 0.4, mix: 0.5 } },
  echo: { volume: 0.7, echo: { delayMs: 350, decay: 0.4 } },
  phaser: { volume: 0.7, phaser: { frequency: 0.5, depth: 0.7 } },
  tremolo: { tremolo: { frequency: 4, depth: 0.6 } },
  vibrato: { vibrato: { frequency: 5, depth: 0.4 } },
  soft: { lowPass: { smoothing: 8 } },
  underwater: { volume: 1.5, lowPass: { smoothing: 40 }, reverb: { roomSize: 0.2, damping: 0.9, mix: 0.3 } },
  telephone: { volume: 1.6, highPass: { frequency: 500 }, lowPass: { smoothing: 5 } },
  night: { compressor: { thresholdDb: -30, ratio: 6, attackMs: 10, releaseMs: 400, gainDb: 9 } },
}

/** Replaces a preset by the filters that it stands for. */
export function spelledOut(filters: Filters): Filters {
  return filters.preset === undefined ? filters : { ...PRESETS[filters.preset], ...filters }
}

/** Speed of a track under these filters: 2 is twice as fast. */
export function tempoOf({ timescale }: Filters): number {
  return timescale ? timescale.speed * timescale.rate : 1
}
