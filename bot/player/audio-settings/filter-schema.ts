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

/** Filters of Lavalink v4, and from `highPass` on our own. Strict: an unknown filter would otherwise be noticed by ear only. */
export const FilterSchema = z
  .strictObject({
    preset: z
      .enum(PRESET_NAMES)
      .exactOptional()
      .meta({ description: 'A named set of filters. Other filters in the request override its filters.' }),
    volume: within(0, 5, 1).unwrap().exactOptional().meta({ description: 'Factor. 1 is unchanged.' }),
    equalizer: z
      .array(
        z.strictObject({
          band: z.int().min(0, 'Must be at least 0.').max(14, 'Must be at most 14.'),
          gain: z.number().min(-0.25, 'Must be at least -0.25.').max(1, 'Must be at most 1.'),
        }),
      )
      .max(15, 'Must have at most 15 bands.')
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
      .meta({ description: 'Removes what both channels share, usually the voice.' }),
    timescale: z
      .strictObject({ speed: within(0.25, 4, 1), pitch: within(0.25, 4, 1), rate: within(0.25, 4, 1) })
      .exactOptional()
      .meta({ description: "Positions are those of the original track. Doesn't change the speed of live streams." }),
    tremolo: z.strictObject({ frequency: within(0.1, 100, 2), depth: depth() }).exactOptional(),
    vibrato: z.strictObject({ frequency: within(0.1, 14, 2), depth: depth() }).exactOptional(),
    rotation: z
      .strictObject({ rotationHz: within(0, 10, 0) })
      .exactOptional()
      .meta({ description: 'Rotates the sound around the listener.' }),
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
      .meta({ description: 'Higher values remove more high tones. 1 changes nothing.' }),
    highPass: z
      .strictObject({
        frequency: within(10, 10_000, 200).meta({ description: 'Hz. Attenuation of 3 dB at this frequency.' }),
      })
      .exactOptional()
      .meta({ description: 'Removes low tones, 12 dB per octave.' }),
    compressor: z
      .strictObject({
        thresholdDb: within(-60, 0, -18).meta({
          description: 'Decibels of full scale. The filter attenuates louder parts.',
        }),
        ratio: within(1, 20, 4).meta({ description: 'Decibels above the threshold that become one decibel.' }),
        attackMs: within(0.01, 2000, 20),
        releaseMs: within(0.01, 9000, 250),
        gainDb: within(0, 24, 0).meta({ description: 'Gain after compression, in decibels.' }),
      })
      .exactOptional()
      .meta({ description: 'Reduces the difference between loud and quiet parts.' }),
    phaser: z
      .strictObject({ frequency: within(0.1, 2, 0.5).meta({ description: 'Hz.' }), depth: within(0, 0.9, 0.5) })
      .exactOptional()
      .meta({ description: 'Sweeps notches through the spectrum.' }),
    echo: z
      .strictObject({
        delayMs: within(20, 2000, 350),
        decay: within(0, 0.9, 0.4).meta({ description: 'Volume of each echo, relative to the previous one.' }),
      })
      .exactOptional()
      .meta({ description: 'Repeats the sound with decreasing volume.' }),
    reverb: z
      .strictObject({
        roomSize: depth().meta({ description: 'Reverberation time: 0.4 s (0) to 4 s (1) for 60 dB.' }),
        damping: depth().meta({ description: 'Higher values absorb more high tones.' }),
        mix: within(0, 1, 0.3).meta({ description: 'Share of the reverb in the sound. 0 is dry, 1 is only reverb.' }),
      })
      .exactOptional()
      .meta({ description: 'Adds the reverb of a room.' }),
    spatial: z
      .strictObject({
        width: within(0, 3, 1.5).meta({ description: '0 is mono, 1 is unchanged.' }),
        depth: depth().meta({ description: 'Also widens what both channels share.' }),
      })
      .exactOptional()
      .meta({ description: 'Widens the stereo image without changing the mono mix.' }),
  })
  .meta({ id: 'Filters' })
