import { z } from 'zod'

/** A number within bounds, with Lavalink's default. */
function within(least: number, most: number, usual: number) {
  return z.number().min(least, `The least is ${least}.`).max(most, `The most is ${most}.`).default(usual)
}

function depth() {
  return within(0, 1, 0.5)
}

export const PRESET_NAMES = ['bassboost', 'nightcore', 'vaporwave', '8d', 'soft'] as const

/** As Lavalink v4 has them. Strict: a filter that does not exist would otherwise be missed by ear only. */
export const FilterSchema = z
  .strictObject({
    preset: z
      .enum(PRESET_NAMES)
      .exactOptional()
      .meta({ description: 'A named set of filters; those given beside it take the place of its own.' }),
    volume: within(0, 5, 1).unwrap().exactOptional().meta({ description: 'A factor; 1 is unchanged.' }),
    equalizer: z
      .array(
        z.strictObject({
          band: z.int().min(0, 'The least is 0.').max(14, 'The most is 14.'),
          gain: z.number().min(-0.25, 'The least is -0.25.').max(1, 'The most is 1.'),
        }),
      )
      .max(15, 'There are 15 bands.')
      .exactOptional()
      .meta({ description: 'Bands from 25 Hz (0) to 16 kHz (14); a gain of -0.25 mutes a band, 0.25 doubles it.' }),
    karaoke: z
      .strictObject({
        level: within(0, 1, 1),
        monoLevel: within(0, 1, 1),
        filterBand: within(1, 20_000, 220).meta({ description: 'Hz.' }),
        filterWidth: within(1, 20_000, 100),
      })
      .exactOptional()
      .meta({ description: 'Takes away what both sides share, usually the voice.' }),
    timescale: z
      .strictObject({ speed: within(0.25, 4, 1), pitch: within(0.25, 4, 1), rate: within(0.25, 4, 1) })
      .exactOptional()
      .meta({ description: 'Positions stay those of the track. A live stream keeps its speed.' }),
    tremolo: z.strictObject({ frequency: within(0.1, 100, 2), depth: depth() }).exactOptional(),
    vibrato: z.strictObject({ frequency: within(0.1, 14, 2), depth: depth() }).exactOptional(),
    rotation: z
      .strictObject({ rotationHz: within(0, 10, 0) })
      .exactOptional()
      .meta({ description: 'The sound goes round the listener.' }),
    distortion: z
      .strictObject({
        sinOffset: within(-10, 10, 0),
        sinScale: within(-10, 10, 1),
        cosOffset: within(-10, 10, 0),
        cosScale: within(-10, 10, 1),
        tanOffset: within(-10, 10, 0),
        tanScale: within(-10, 10, 1),
        offset: within(-10, 10, 0),
        scale: within(-10, 10, 1),
      })
      .exactOptional(),
    channelMix: z
      .strictObject({
        leftToLeft: within(0, 1, 1),
        leftToRight: within(0, 1, 0),
        rightToLeft: within(0, 1, 0),
        rightToRight: within(0, 1, 1),
      })
      .exactOptional(),
    lowPass: z
      .strictObject({ smoothing: within(1, 1000, 20) })
      .exactOptional()
      .meta({ description: 'Higher is duller; 1 does nothing.' }),
  })
  .meta({ id: 'Filters' })
