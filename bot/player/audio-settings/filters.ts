import type { z } from 'zod'
import type { FilterSchema } from './filter-schema.ts'

/** Filters of the sound, in Lavalink v4's JSON form. What is left out does nothing. */
export type Filters = Readonly<z.output<typeof FilterSchema>>

type Preset = NonNullable<Filters['preset']>

export const NO_FILTERS: Filters = {}

function bands(...gains: readonly number[]) {
  return gains.map((gain, band) => ({ band, gain }))
}

/** Boosts are turned down by as much, so that loud tracks do not clip. */
const PRESETS: Readonly<Record<Preset, Filters>> = {
  bassboost: { volume: 0.6, equalizer: bands(0.2, 0.2, 0.2, 0.15, 0.1, 0.05) },
  nightcore: { timescale: { speed: 1, pitch: 1, rate: 1.2 } },
  vaporwave: { timescale: { speed: 1, pitch: 1, rate: 0.85 } },
  '8d': { rotation: { rotationHz: 0.2 } },
  soft: { lowPass: { smoothing: 8 } },
}

/** With what the preset does spelled out. */
export function spelledOut(filters: Filters): Filters {
  return filters.preset === undefined ? filters : { ...PRESETS[filters.preset], ...filters }
}

/** How fast a track runs under these filters: 2 is twice as fast. */
export function tempoOf({ timescale }: Filters): number {
  return timescale ? timescale.speed * timescale.rate : 1
}
