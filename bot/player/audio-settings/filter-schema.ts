import { z } from 'zod'

/** A number within bounds, with messages for callers of the API. */
export function between<S extends z.ZodNumber>(schema: S, least: number, most: number): S {
  return schema.min(least, `Must be at least ${least}.`).max(most, `Must be at most ${most}.`)
}

/** A number within bounds, with Lavalink's default. */
function within(least: number, most: number, usual: number) {
  return between(z.number(), least, most).default(usual)
}

function depth() {
  return within(0, 1, 0.5)
}

function filter<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.strictObject(shape).exactOptional()
}

function described<Shape extends z.ZodRawShape>(description: string, shape: Shape) {
  return filter(shape).meta({ description })
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
    volume: between(z.number(), 0, 5).exactOptional().meta({ description: 'Factor. 1 is unchanged.' }),
    equalizer: z
      .array(
        z.strictObject({
          band: between(z.int(), 0, 14),
          gain: between(z.number(), -0.25, 1),
        }),
      )
      .max(15, 'Must have at most 15 bands.')
      .exactOptional()
      .meta({ description: 'Bands from 25 Hz (0) to 16 kHz (14); a gain of -0.25 mutes a band, 0.25 doubles it.' }),
    karaoke: described('Removes what both channels share, usually the voice.', {
      level: within(0, 1, 1),
      monoLevel: within(0, 1, 1),
      filterBand: within(1, 20_000, 220).meta({ description: 'Hz.' }),
      filterWidth: within(1, 20_000, 100),
    }),
    timescale: described("Positions are those of the original track. Doesn't change the speed of live streams.", {
      speed: within(0.25, 4, 1),
      pitch: within(0.25, 4, 1),
      rate: within(0.25, 4, 1),
    }),
    tremolo: filter({ frequency: within(0.1, 100, 2), depth: depth() }),
    vibrato: filter({ frequency: within(0.1, 14, 2), depth: depth() }),
    rotation: described('Rotates the sound around the listener.', { rotationHz: within(0, 10, 0) }),
    distortion: filter({
      sinOffset: within(-10, 10, 0),
      sinScale: within(-10, 10, 1),
      cosOffset: within(-10, 10, 0),
      cosScale: within(-10, 10, 1),
      tanOffset: within(-10, 10, 0),
      tanScale: within(-10, 10, 1),
      offset: within(-10, 10, 0),
      scale: within(-10, 10, 1),
    }),
    channelMix: filter({
      leftToLeft: within(0, 1, 1),
      leftToRight: within(0, 1, 0),
      rightToLeft: within(0, 1, 0),
      rightToRight: within(0, 1, 1),
    }),
    lowPass: described('Higher values remove more high tones. 1 changes nothing.', { smoothing: within(1, 1000, 20) }),
    highPass: described('Removes low tones, 12 dB per octave.', {
      frequency: within(10, 10_000, 200).meta({ description: 'Hz. Attenuation of 3 dB at this frequency.' }),
    }),
    compressor: described('Reduces the difference between loud and quiet parts.', {
      thresholdDb: within(-60, 0, -18).meta({
        description: 'Decibels of full scale. The filter attenuates louder parts.',
      }),
      ratio: within(1, 20, 4).meta({ description: 'Decibels above the threshold that become one decibel.' }),
      attackMs: within(0.01, 2000, 20),
      releaseMs: within(0.01, 9000, 250),
      gainDb: within(0, 24, 0).meta({ description: 'Gain after compression, in decibels.' }),
    }),
    phaser: described('Sweeps notches through the spectrum.', {
      frequency: within(0.1, 2, 0.5).meta({ description: 'Hz.' }),
      depth: within(0, 0.9, 0.5),
    }),
    echo: described('Repeats the sound with decreasing volume.', {
      delayMs: within(20, 2000, 350),
      decay: within(0, 0.9, 0.4).meta({ description: 'Volume of each echo, relative to the previous one.' }),
    }),
    reverb: described('Adds the reverb of a room.', {
      roomSize: depth().meta({ description: 'Reverberation time: 0.4 s (0) to 4 s (1) for 60 dB.' }),
      damping: depth().meta({ description: 'Higher values absorb more high tones.' }),
      mix: within(0, 1, 0.3).meta({ description: 'Share of the reverb in the sound. 0 is dry, 1 is only reverb.' }),
    }),
    spatial: described('Widens the stereo image without changing the mono mix.', {
      width: within(0, 3, 1.5).meta({ description: '0 is mono, 1 is unchanged.' }),
      depth: depth().meta({ description: 'Also widens what both channels share.' }),
    }),
  })
  .meta({ id: 'Filters' })
