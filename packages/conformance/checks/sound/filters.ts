import { must, type Check } from '../../suite/check.ts'
import { rest } from '../../suite/docs.ts'
import { holds, within } from '../../suite/expect.ts'
import { amplitude, decibels, loudness, pitch, rms, windows, type Sound } from '../../sound/measure.ts'
import { CHORD_HZ, LEFT_HZ, RIGHT_HZ } from '../../sound/wave.ts'
import type { Playing, Stage } from '../../suite/stage.ts'
import { heardSeconds, isSound, isTone } from './heard.ts'

const SETTLE_MS = 700
const PREPARED_MS = 4000

/** A second of a sound without filters, then one with them. */
async function compare(
  stage: Stage,
  shape: string,
  filters: Record<string, unknown>,
  ms = 1000,
): Promise<{ plain: Sound; filtered: Sound; playing: Playing }> {
  const playing = await stage.playing(stage.media.wave(shape, 60))
  const { listener, update } = playing
  await listener.until('sound', isSound)
  await listener.hear(SETTLE_MS)
  const plain = await listener.hear(ms)
  await update({ filters })
  // Servers still play prepared audio for a moment.
  await listener.hear(PREPARED_MS)
  return { plain, filtered: await listener.hear(ms), playing }
}

/** The change of each tone of the chord, in decibels. */
function changes({ plain, filtered }: { plain: Sound; filtered: Sound }): number[] {
  return CHORD_HZ.map((hz) => decibels(amplitude(filtered.left, hz), amplitude(plain.left, hz)))
}

/** The range of what a measure finds in short windows, relative to its mean. */
function swing(sound: Sound, measure: (part: Sound) => number, seconds = 0.03): number {
  const values = windows(sound, seconds).map(measure)
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  return (Math.max(...values) - Math.min(...values)) / mean
}

const pitchOf = (part: Sound) => pitch(part.left, 400) ?? 0
/** The sound beside the tone itself, as a ratio. */
const impurity = (sound: Sound) => rms(sound.left) / (amplitude(sound.left, LEFT_HZ) / Math.SQRT2) - 1

export const FILTER_CHECKS: readonly Check[] = [
  must('filters.volume', rest('filters'), {
    title: 'The filter volume of 0.25 makes the sound 12 dB quieter.',
    async run(stage) {
      const { plain, filtered } = await compare(stage, 'tone-440', { volume: 0.25 })
      within('The change, in dB', decibels(loudness(filtered), loudness(plain)), -15, -9)
    },
  }),
  must('filters.equalizer-cut', rest('equalizer'), {
    title: 'A band of the equalizer with a gain of -0.25 is muted, those beside are not.',
    async run(stage) {
      const found = changes(await compare(stage, 'chord', { equalizer: [{ band: 8, gain: -0.25 }] }))
      const [low = 0, mid = 0, high = 0] = found
      holds('1000 Hz is lower by 6 dB or more than the others.', mid < Math.min(low, high) - 6, '6 dB or more', found)
    },
  }),
  must('filters.equalizer-boost', rest('equalizer'), {
    title: 'A band of the equalizer with a gain of 0.25 is louder.',
    async run(stage) {
      const found = changes(await compare(stage, 'chord', { equalizer: [{ band: 8, gain: 0.25 }] }))
      const [low = 0, mid = 0, high = 0] = found
      holds('1000 Hz is higher by 2 dB or more than the others.', mid > Math.max(low, high) + 2, '2 dB or more', found)
    },
  }),
  must('filters.karaoke', rest('karaoke'), {
    title: 'Karaoke takes away what is the same on both sides.',
    async run(stage) {
      const { plain, filtered } = await compare(stage, 'tone-1000', { karaoke: { level: 1, monoLevel: 1 } })
      within('The change of a tone in the middle, in dB', decibels(loudness(filtered), loudness(plain)), -200, -6)
    },
  }),
  must('filters.timescale-pitch', rest('timescale'), {
    title: 'A pitch of 2 doubles the frequency, and the speed stays.',
    async run(stage) {
      const { playing } = await compare(stage, 'tone-440', { timescale: { pitch: 2 } })
      await playing.listener.until('a tone of 880 Hz', isTone(880, 12))
    },
  }),
  must('filters.timescale-rate', rest('timescale'), {
    title: 'A rate of 1.5 plays faster and higher.',
    async run(stage) {
      const { playing } = await compare(stage, 'tone-440', { timescale: { rate: 1.5 } })
      await playing.listener.until('a tone of 660 Hz', isTone(660, 10))
    },
  }),
  must('filters.timescale-speed', rest('timescale'), {
    title: 'A speed of 2 plays twice as fast in the same pitch.',
    async run(stage) {
      const playing = await stage.playing(stage.media.wave('stairs', 60), { filters: { timescale: { speed: 2 } } })
      await playing.listener.until('sound', isSound)
      await playing.listener.hear(1000)
      const before = await heardSeconds(playing)
      await playing.listener.hear(3000)
      within('Heard in a little over 3 s, in s', (await heardSeconds(playing)) - before, 5, 8)
    },
  }),
  must('filters.timescale-position', rest('timescale'), {
    title: 'At a speed of 2 the position is that of the track, not of the clock.',
    async run(stage) {
      const playing = await stage.playing(stage.media.wave('stairs', 60), { filters: { timescale: { speed: 2 } } })
      await playing.listener.until('sound', isSound)
      await playing.listener.hear(3000)
      const heard = await heardSeconds(playing)
      within('Said less heard, in s', (await playing.player()).state.position / 1000 - heard, -2, 2.5)
    },
  }),
  must('filters.tremolo', rest('tremolo'), {
    title: 'Tremolo lets the volume swing.',
    async run(stage) {
      const { plain, filtered } = await compare(stage, 'tone-1000', { tremolo: { frequency: 4, depth: 0.9 } })
      const [before, after] = [plain, filtered].map((sound) => swing(sound, loudness))
      holds('The volume swings.', (after ?? 0) > 0.5 && (before ?? 0) < 0.3, 'more than 0.5, and steady before', [
        before,
        after,
      ])
    },
  }),
  must('filters.vibrato', rest('vibrato'), {
    title: 'Vibrato lets the pitch swing.',
    async run(stage) {
      const { plain, filtered } = await compare(stage, 'tone-1000', { vibrato: { frequency: 4, depth: 1 } })
      const [before, after] = [plain, filtered].map((sound) => swing(sound, pitchOf, 0.06))
      holds('The pitch swings.', (after ?? 0) > 0.01 && (before ?? 0) < 0.005, 'more than 0.01, and steady before', [
        before,
        after,
      ])
    },
  }),
  must('filters.rotation', rest('rotation'), {
    title: 'Rotation lets the sound go round between left and right.',
    async run(stage) {
      const { filtered } = await compare(stage, 'tone-1000', { rotation: { rotationHz: 1 } }, 2000)
      const balance = windows(filtered, 0.05).map(({ left, right }) => decibels(rms(left), rms(right)))
      const [most, least] = [Math.max(...balance), Math.min(...balance)]
      holds('It is now left, now right.', most > 3 && least < -3, 'more than 3 dB to either side', [least, most])
    },
  }),
  must('filters.distortion', rest('distortion'), {
    title: 'Distortion adds tones that were not there.',
    async run(stage) {
      const distortion = {
        sinOffset: 0,
        sinScale: 4,
        cosOffset: 0,
        cosScale: 4,
        tanOffset: 0,
        tanScale: 1,
        offset: 0,
        scale: 1.5,
      }
      const { plain, filtered } = await compare(stage, 'tone-440', { distortion })
      const [before, after] = [plain, filtered].map(impurity)
      holds('It is no pure tone.', (after ?? 0) > 0.01 + 2 * (before ?? 0), 'more than before', [before, after])
    },
  }),
  must('filters.channel-mix', rest('channel-mix'), {
    title: 'The channel mix exchanges left and right.',
    async run(stage) {
      const channelMix = { leftToLeft: 0, leftToRight: 1, rightToLeft: 1, rightToRight: 0 }
      const { filtered } = await compare(stage, 'stereo', { channelMix })
      within('The left side, in Hz', pitch(filtered.left) ?? 0, RIGHT_HZ - 10, RIGHT_HZ + 10)
      within('The right side, in Hz', pitch(filtered.right) ?? 0, LEFT_HZ - 10, LEFT_HZ + 10)
    },
  }),
  must('filters.channel-mix-mono', rest('channel-mix'), {
    title: 'With all factors at 0.5 both sides are the same.',
    async run(stage) {
      const channelMix = { leftToLeft: 0.5, leftToRight: 0.5, rightToLeft: 0.5, rightToRight: 0.5 }
      const { filtered } = await compare(stage, 'stereo', { channelMix })
      const apart = rms(filtered.left.map((value, i) => value - (filtered.right[i] ?? 0)))
      within('The difference against the sound, in dB', decibels(apart, loudness(filtered)), -200, -20)
    },
  }),
  must('filters.low-pass', rest('low-pass'), {
    title: 'The low pass suppresses high tones.',
    async run(stage) {
      const found = changes(await compare(stage, 'chord', { lowPass: { smoothing: 20 } }))
      const [low = 0, , high = 0] = found
      holds('8000 Hz is lower by 10 dB or more than 100 Hz.', high < low - 10, '10 dB or more', found)
    },
  }),
  must('filters.low-pass-off', rest('low-pass'), {
    title: 'A smoothing of 1 or less switches the low pass off.',
    async run(stage) {
      const found = changes(await compare(stage, 'chord', { lowPass: { smoothing: 1 } }))
      for (const change of found) within('The change, in dB', change, -2, 2)
    },
  }),
  must('filters.cleared', rest('update-player'), {
    title: 'Without filters it sounds as before.',
    async run(stage) {
      const { plain, playing } = await compare(stage, 'chord', { lowPass: { smoothing: 20 } })
      await playing.update({ filters: {} })
      await playing.listener.hear(PREPARED_MS)
      const found = changes({ plain, filtered: await playing.listener.hear(1000) })
      for (const change of found) within('The change, in dB', change, -2, 2)
    },
  }),
  must('filters.stay', rest('player'), {
    title: 'Filters stay from one track to the next.',
    async run(stage) {
      const next = await stage.track(stage.media.wave('tone-440', 30))
      const playing = await stage.playing(stage.media.wave('tone-550', 30), { filters: { timescale: { pitch: 2 } } })
      await playing.listener.until('a tone of 1100 Hz', isTone(1100, 15))
      await playing.update({ track: { encoded: next.encoded } })
      await playing.listener.until('a tone of 880 Hz', isTone(880, 12))
    },
  }),
  must('filters.go-on', rest('update-player'), {
    title: 'A change of filters does not start the track again.',
    async run(stage) {
      const playing = await stage.playing(stage.media.wave('stairs', 60), { position: 20_000 })
      const { session, guildId, listener } = playing
      await session.event('TrackStartEvent', guildId)
      await listener.until('sound', isSound)
      const from = session.mark()
      await playing.update({ filters: { volume: 0.8 } })
      await listener.hear(1500)
      within('What is heard, in s', await heardSeconds(playing), 20, 27)
      holds('No event came.', session.events(guildId, from).length === 0, 'none', session.events(guildId, from))
    },
  }),
  must('filters.wide', rest('filters'), {
    title: 'The filter volume goes up to 5, which is 14 dB by its factor and 18.3 by the curve of Lavaplayer.',
    async run(stage) {
      const playing = await stage.playing(stage.media.wave('tone-440', 60), { volume: 10, filters: { volume: 1 } })
      await playing.listener.until('sound', (sound) => loudness(sound) > 0.0005)
      await playing.listener.hear(SETTLE_MS)
      const plain = await playing.listener.hear(1000)
      await playing.update({ filters: { volume: 5 } })
      await playing.listener.hear(PREPARED_MS)
      within('The change, in dB', decibels(loudness(await playing.listener.hear(1000)), loudness(plain)), 11, 20)
    },
  }),
]
