import { expect } from 'chai'
import { filterGraphOf } from '../../../bot/audio/ffmpeg/filter-graph.ts'
import { tempoOf } from '../../../bot/player/audio-settings/filters.ts'
import type { Playable } from '../../../bot/sources/source.ts'
import { soundFiltersOf, soundVolume } from '../../../api/lavalink/players/sound-filters.ts'
import { filtersSchema } from '../../../api/lavalink/protocol/filters.ts'
import { tempFolder } from '../../bot/audio/folder.ts'
import { useOpener } from '../../support/opener.ts'
import { amplitude, decibels, decodeFrames, slice, type Sound } from '../../support/sound.ts'
import { ffmpegOnce } from '../../support/made-once.ts'

describe("Lavalink's filters", () => {
  describe('as JSON', () => {
    it('come back with their defaults spelled out, and without what is off or not known', () => {
      const given = {
        volume: 0.5,
        equalizer: [{ band: 0 }, { band: '3', gain: -0.1 }],
        karaoke: { level: 0.5 },
        timescale: { speed: '1.5' },
        tremolo: {},
        vibrato: null,
        rotation: { rotationHz: 0.2, unheardOf: true },
        unheardOf: { x: 1 },
        pluginFilters: { echo: { echoLength: 1 }, reverb: { room: 1 } },
      }
      expect(filtersSchema.parse(given)).to.deep.equal({
        volume: 0.5,
        equalizer: [
          { band: 0, gain: 1 },
          { band: 3, gain: -0.1 },
        ],
        karaoke: { level: 0.5, monoLevel: 1, filterBand: 220, filterWidth: 100 },
        timescale: { speed: 1.5, pitch: 1, rate: 1 },
        tremolo: { frequency: 2, depth: 0.5 },
        rotation: { rotationHz: 0.2 },
        pluginFilters: { echo: { echoLength: 1 } },
      })
      expect(filtersSchema.parse({ pluginFilters: { reverb: {} }, lowPass: null })).to.deep.equal({})
    })

    const refused: readonly unknown[] = [
      { equalizer: {} },
      { equalizer: [{ band: 15 }] },
      { equalizer: [{ gain: 1 }] },
      { timescale: 'fast' },
      { timescale: { speed: 0 } },
      { timescale: { rate: -1 } },
      { tremolo: { depth: 1.1 } },
      { vibrato: { frequency: 15 } },
      { volume: 5.5 },
      { volume: 'loud' },
      { karaoke: [] },
      { channelMix: { leftToLeft: {} } },
      { pluginFilters: [] },
      [],
    ]
    for (const filters of refused) {
      it(`are refused as ${JSON.stringify(filters)}, at which a track breaks in Lavalink`, () => {
        expect(filtersSchema.safeParse(filters).success).to.equal(false)
      })
    }
  })

  describe('as sound', () => {
    const folder = tempFolder()
    const { openAtOnce } = useOpener(150)
    /** 100 Hz, 1 kHz and 8 kHz on both sides alike; 0.1 each. */
    const chord: Playable = { kind: 'file', path: folder.path('chord.flac'), codec: 'other' }
    before(() => {
      const tones = [100, 1000, 8000].map((hz) => `0.1*sin(${hz}*2*PI*t)`).join('+')
      const source = `aevalsrc=${tones}|${tones}:s=48000:d=120`
      ffmpegOnce(['-f', 'lavfi', '-i', source], folder.path('chord.flac'))
    })

    async function hear(filters: object, volume = 100, seconds = 2): Promise<Sound> {
      const wanted = soundFiltersOf(filtersSchema.parse(filters))
      const filterGraph = filterGraphOf(soundVolume(volume), wanted, false)
      const request = { startSamples: 0, filterGraph, onTitle: () => undefined }
      const source = await openAtOnce(chord, request, new AbortController().signal)
      const count = seconds * 50 + 10
      await source.ready(count)
      const frames = Array.from({ length: count }, () => Buffer.from(source.take()!))
      source.close()
      return slice(await decodeFrames(frames), 0.1, 0.1 + seconds)
    }

    async function level(hz: number, filters: object, volume = 100): Promise<number> {
      return decibels(amplitude((await hear(filters, volume)).left, hz), 0.1)
    }

    it('follow the volume along the curve of Lavaplayer, up to a thousand', async () => {
      expect([0, 50, 100, 150, 1000].map((volume) => Math.round(soundVolume(volume)))).to.deep.equal([
        0, 42, 100, 246, 1641,
      ])
      expect(await level(1000, {}, 50)).to.be.closeTo(20 * Math.log10(0.417), 0.3)
      expect(await level(1000, {}, 150)).to.be.closeTo(20 * Math.log10(2.47), 0.3)
    })

    it('clip what gets too loud at full scale', async () => {
      const { left } = await hear({}, 1000)
      const sorted = Float32Array.from(left, Math.abs).toSorted()
      // All but what the encoder rings beyond the edges.
      expect(sorted[Math.floor(sorted.length * 0.5)]).to.be.within(0.8, 1.2)
      expect(sorted.at(-1)).to.be.below(1.6)
    })

    it('take the equalizer and its bands beyond the bounds as those at them', async () => {
      const { equalizer } = soundFiltersOf(
        filtersSchema.parse({
          equalizer: [
            { band: 8, gain: 3 },
            { band: 9, gain: -7 },
          ],
        }),
      )
      expect(equalizer).to.deep.equal([
        { band: 8, gain: 1 },
        { band: 9, gain: -0.25 },
      ])
      expect(await level(1000, { equalizer: [{ band: 8, gain: -0.1 }] })).to.be.closeTo(20 * Math.log10(0.6), 0.6)
    })

    for (const rate of [0.1, 3, 8]) {
      it(`play at a rate of ${rate}, and shift every tone by it`, async () => {
        const { left } = await hear({ timescale: { rate } })
        expect(decibels(amplitude(left, 1000 * rate), 0.1)).to.be.closeTo(0, 1.5)
        expect(amplitude(left, rate === 8 ? 1500 : 1000)).to.be.below(0.01)
      })
    }

    for (const speed of [0.1, 6]) {
      it(`play at a speed of ${speed}, and leave tones as they are`, async () => {
        expect(await level(1000, { timescale: { speed } })).to.be.closeTo(0, 2.5)
      })
    }

    it('follow no timescale further than can be heard, and know its tempo', () => {
      const filters = soundFiltersOf(filtersSchema.parse({ timescale: { speed: 1000, pitch: 1e-9, rate: 0.5 } }))
      expect(filters.timescale).to.deep.equal({ speed: 10, pitch: 0.1, rate: 0.5 })
      expect(tempoOf(filters)).to.equal(5)
    })

    it('cut with the passes of LavaDSPX, and boost', async () => {
      const high = { pluginFilters: { 'high-pass': { cutoffFrequency: 1000, boostFactor: '2' } } }
      expect(await level(1000, high)).to.be.closeTo(-3 + 6, 0.5)
      expect(await level(100, high)).to.be.below(-30)
      const low = { pluginFilters: { 'low-pass': { cutoffFrequency: 1000 } } }
      expect(await level(1000, low)).to.be.closeTo(-3, 0.5)
      expect(await level(8000, low)).to.be.below(-30)
      expect(await level(100, low)).to.be.closeTo(0, 0.5)
    })

    it('turn down what is above the amplitude of the normalization of LavaDSPX', async () => {
      const normalization = { maxAmplitude: 0.1, adaptive: true }
      const { left } = await hear({ pluginFilters: { normalization } })
      const settled = left.subarray(24_000, 72_000)
      expect(settled.reduce((most, value) => Math.max(most, Math.abs(value)), 0)).to.be.within(0.08, 0.12)
    })

    it('start at all extremes of their range', async () => {
      const huge = 3e38
      const all = {
        volume: 5,
        equalizer: Array.from({ length: 15 }, (_, band) => ({ band, gain: huge })),
        karaoke: { level: huge, monoLevel: -huge, filterBand: huge, filterWidth: -huge },
        timescale: { speed: huge, pitch: huge, rate: huge },
        tremolo: { frequency: 1e6, depth: 1 },
        vibrato: { frequency: 14, depth: 1 },
        rotation: { rotationHz: -huge },
        distortion: { sinOffset: huge, sinScale: -huge, cosScale: huge, tanScale: huge, offset: huge, scale: huge },
        channelMix: { leftToLeft: huge, leftToRight: -huge, rightToLeft: huge, rightToRight: huge },
        lowPass: { smoothing: huge },
        pluginFilters: {
          'high-pass': { cutoffFrequency: 2e9, boostFactor: huge },
          'low-pass': { cutoffFrequency: 1, boostFactor: -huge },
          normalization: { maxAmplitude: 1e-9, adaptive: false },
          echo: { echoLength: huge, decay: huge },
        },
      }
      await hear(all, 1000, 1)
      for (const name of ['karaoke', 'timescale', 'distortion'] as const) await hear({ [name]: all[name] }, 1000, 1)
      await hear({ timescale: { speed: 1e-9, pitch: 1e-9, rate: 1e-9 } }, 1000, 1)
    })
  })
})
