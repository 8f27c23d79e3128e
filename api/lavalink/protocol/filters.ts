import { z } from 'zod'

/** Accepts quoted numbers, like Lavalink's parser. */
const finite = z.preprocess(
  (value) => (typeof value === 'string' && value.trim() !== '' ? Number(value) : value),
  z.number(),
)

function within(least: number, most: number, usual: number) {
  return finite
    .pipe(z.number().min(least, `Must be at least ${least}.`).max(most, `Must be at most ${most}.`))
    .default(usual)
}

function any(usual: number) {
  return finite.default(usual)
}

function positive() {
  return finite.pipe(z.number().positive('Must be greater than 0.')).default(1)
}

/** Null is off, like what is left out, and is answered so. */
function orOff<T extends z.ZodType>(schema: T) {
  return schema.nullish().transform((value) => value ?? undefined)
}

const BAND_COUNT = 15
/** The last word on a band counts, so that lists may be longer than there are bands. */
const MAX_BANDS = 100

const Band = z.object({
  band: finite.pipe(
    z
      .int()
      .min(0, 'Must be at least 0.')
      .max(BAND_COUNT - 1, `Must be at most ${BAND_COUNT - 1}.`),
  ),
  gain: any(1),
})

/** The plug-in filters that play here, by their names in LavaDSPX. Others are ignored, as Lavalink ignores them. */
const PLUGIN_FILTERS = ['high-pass', 'low-pass', 'normalization', 'echo'] as const

type PluginFilterName = (typeof PLUGIN_FILTERS)[number]

const pluginFilters = z.record(z.string(), z.unknown()).transform((all) => {
  const known = PLUGIN_FILTERS.filter((name) => Object.hasOwn(all, name)).map((name) => [name, all[name]])
  return known.length === 0 ? undefined : (Object.fromEntries(known) as Partial<Record<PluginFilterName, unknown>>)
})

/**
 * All of Lavalink's filters, with its defaults. Refused are values of the wrong type, and those at which a track breaks
 * in Lavalink; what is not known is ignored.
 */
export const filtersSchema = z
  .object({
    volume: orOff(finite.pipe(z.number().min(0, 'Must be at least 0.').max(5, 'Must be at most 5.'))),
    equalizer: orOff(z.array(Band).max(MAX_BANDS, `At most ${MAX_BANDS} bands.`)),
    karaoke: orOff(z.object({ level: any(1), monoLevel: any(1), filterBand: any(220), filterWidth: any(100) })),
    timescale: orOff(z.object({ speed: positive(), pitch: positive(), rate: positive() })),
    tremolo: orOff(z.object({ frequency: within(0, 1e6, 2), depth: within(0, 1, 0.5) })),
    vibrato: orOff(z.object({ frequency: within(0, 14, 2), depth: within(0, 1, 0.5) })),
    distortion: orOff(
      z.object({
        sinOffset: any(0),
        sinScale: any(1),
        cosOffset: any(0),
        cosScale: any(1),
        tanOffset: any(0),
        tanScale: any(1),
        offset: any(0),
        scale: any(1),
      }),
    ),
    rotation: orOff(z.object({ rotationHz: any(0) })),
    channelMix: orOff(z.object({ leftToLeft: any(1), leftToRight: any(0), rightToLeft: any(0), rightToRight: any(1) })),
    lowPass: orOff(z.object({ smoothing: any(20) })),
    pluginFilters: orOff(pluginFilters),
  })
  .transform((all): LavalinkFilters =>
    Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)),
  )

/** Filters in the answer of `GET`: those that were set, with their defaults spelled out. */
export interface LavalinkFilters {
  readonly volume?: number
  readonly equalizer?: readonly { readonly band: number; readonly gain: number }[]
  readonly karaoke?: Values<'level' | 'monoLevel' | 'filterBand' | 'filterWidth'>
  readonly timescale?: Values<'speed' | 'pitch' | 'rate'>
  readonly tremolo?: Values<'frequency' | 'depth'>
  readonly vibrato?: Values<'frequency' | 'depth'>
  readonly distortion?: Values<
    'sinOffset' | 'sinScale' | 'cosOffset' | 'cosScale' | 'tanOffset' | 'tanScale' | 'offset' | 'scale'
  >
  readonly rotation?: Values<'rotationHz'>
  readonly channelMix?: Values<'leftToLeft' | 'leftToRight' | 'rightToLeft' | 'rightToRight'>
  readonly lowPass?: Values<'smoothing'>
  readonly pluginFilters?: Partial<Record<PluginFilterName, unknown>>
}

type Values<Name extends string> = { readonly [Field in Name]: number }
