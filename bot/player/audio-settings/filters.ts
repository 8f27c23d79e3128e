/** Filters of the sound, in Lavalink v4's JSON form. What is left out does nothing. */
export interface Filters {
  /** A named set; what stands beside it comes on top, filter by filter. */
  readonly preset?: Preset
  /** A factor, 0 to 5. */
  readonly volume?: number
  /** Band 0 to 14; gain -0.25 (gone) to 1, where 0.25 is twice as loud. */
  readonly equalizer?: readonly { readonly band: number; readonly gain: number }[]
  readonly karaoke?: {
    readonly level: number
    readonly monoLevel: number
    readonly filterBand: number
    readonly filterWidth: number
  }
  readonly timescale?: { readonly speed: number; readonly pitch: number; readonly rate: number }
  readonly tremolo?: { readonly frequency: number; readonly depth: number }
  readonly vibrato?: { readonly frequency: number; readonly depth: number }
  readonly rotation?: { readonly rotationHz: number }
  readonly distortion?: {
    readonly sinOffset: number
    readonly sinScale: number
    readonly cosOffset: number
    readonly cosScale: number
    readonly tanOffset: number
    readonly tanScale: number
    readonly offset: number
    readonly scale: number
  }
  readonly channelMix?: {
    readonly leftToLeft: number
    readonly leftToRight: number
    readonly rightToLeft: number
    readonly rightToRight: number
  }
  readonly lowPass?: { readonly smoothing: number }
}

export const PRESET_NAMES = ['bassboost', 'nightcore', 'vaporwave', '8d', 'soft'] as const
export type Preset = (typeof PRESET_NAMES)[number]

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
