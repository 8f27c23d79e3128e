import { z } from 'zod'

/** A number within bounds, with Lavalink's default. */
function within(least: number, most: number, usual: number) {
  return z.number().min(least, `Must be at least ${least}.`).max(most, `Must be at most ${most}.`).default(usual)
}

function depth() {
  return within(0, 1, 0.5)
}

export const PRESET_NAMES = [
  'bassboost',
  'treble',
  'nightcore',
  'vaporwave',
  'chipmunk',
  'deep',
  'karaoke',
  '8d',
  'wide',
  'hall',
  'cathedral',
  'echo',
  'phaser',
  'tremolo',
  'vibrato',
  'soft',
  'underwater',
  'telephone',
  'night',
] as const

/** As Lavalink v4 has them, and from `highPass` on our own. Strict: a filter that does not exist would otherwise be missed by ear only. */
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
          band: z.int().min(0, 'Must be at least 0.').max(14, 'Must be at most 14.'),
          gain: z.number().min(-0.25, 'Must be at least -0.25.').max(1, 'Must be at most 1.'),
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
    highPass: z
      .strictObject({ frequency: within(10, 10_000, 200).meta({ description: 'Hz; 3 dB down there.' }) })
      .exactOptional()
      .meta({ description: 'Takes low tones away, 12 dB an octave.' }),
    compressor: z
      .strictObject({
        thresholdDb: within(-60, 0, -18).meta({
          description: 'Decibels of full scale; what is louder is turned down.',
        }),
        ratio: within(1, 20, 4).meta({ description: 'So many decibels above the threshold become one.' }),
        attackMs: within(0.01, 2000, 20),
        releaseMs: within(0.01, 9000, 250),
        gainDb: within(0, 24, 0).meta({ description: 'Added to all of it afterwards.' }),
      })
      .exactOptional()
      .meta({ description: 'Brings loud and quiet parts closer together.' }),
    phaser: z
      .strictObject({ frequency: within(0.1, 2, 0.5).meta({ description: 'Hz.' }), depth: within(0, 0.9, 0.5) })
      .exactOptional()
      .meta({ description: 'Notches that sweep through the sound.' }),
    echo: z
      .strictObject({
        delayMs: within(20, 2000, 350),
        decay: within(0, 0.9, 0.4).meta({ description: 'How loud each echo is, held against the one before.' }),
      })
      .exactOptional()
      .meta({ description: 'The sound comes again and again, ever quieter.' }),
    reverb: z
      .strictObject({
        roomSize: depth().meta({ description: 'It falls by 60 dB in 0.4 s (0) to 4 s (1).' }),
        damping: depth().meta({ description: 'The higher, the duller the walls.' }),
        mix: within(0, 1, 0.3).meta({ description: 'The part of the room in the sound; 0 is dry, 1 the room alone.' }),
      })
      .exactOptional()
      .meta({ description: 'The sound of a room.' }),
    spatial: z
      .strictObject({
        width: within(0, 3, 1.5).meta({ description: '0 is mono, 1 unchanged.' }),
        depth: depth().meta({ description: 'Widens what is the same on both sides, too.' }),
      })
      .exactOptional()
      .meta({ description: 'Widens the stereo image; what both sides add up to in mono stays the same.' }),
  })
  .meta({ id: 'Filters' })
