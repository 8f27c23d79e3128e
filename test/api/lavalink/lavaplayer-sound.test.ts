import { execFileSync } from 'node:child_process'
import { expect } from 'chai'
import { filterGraphOf } from '../../../bot/audio/ffmpeg/filter-graph.ts'
import { soundFiltersOf } from '../../../api/lavalink/players/sound-filters.ts'
import { filtersSchema } from '../../../api/lavalink/protocol/filters.ts'
import { ffmpegOnce } from '../../support/made-once.ts'
import { amplitude, decibels } from '../../support/sound.ts'
import { tempFolder } from '../../bot/audio/folder.ts'
import * as lavaplayer from './lavaplayer.ts'
import { chain, type Stereo } from './lavaplayer.ts'

const SECOND = 48_000
/** A third of an octave apart, whole hertz, so that a second holds whole waves. */
const TONES_HZ = Array.from({ length: 31 }, (_, i) => Math.round(20 * 10 ** (i / 10)))
/** So quiet that 24 dB more do not clip; the phases keep the waves from meeting. */
const TONE = 0.003
/** Noise of the samples is not far below. */
const INAUDIBLE = TONE / 30

type Band = readonly [band: number, gain: number]

/** Presets of client libraries as they send them. */
const PRESETS: Readonly<Record<string, readonly number[] | readonly Band[]>> = {
  'lavalink-client BassboostHigh': [
    0.15, 0.1675, 0.1675, 0.1, -0.125, 0.0375, -0.1125, 0.0575, 0.0875, 0.1125, 0.1375, -0.15, 0.1375, -0.125, -0.1875,
  ],
  'lavalink-client Rock': [0.3, 0.25, 0.2, 0.1, 0.05, -0.05, -0.15, -0.2, -0.1, -0.05, 0.05, 0.1, 0.2, 0.25, 0.3],
  'lavalink-client FullSound': [
    0.625, 0.275, 0.2625, 0.25, 0.25, 0.2375, 0.225, 0.2325, 0.25, 0.25, 0.2625, 0.275, 0.625, 0.375, 0.375,
  ],
  'moonlink.js bassboost-high': [0.6, 0.45, 0.3, 0.15, 0, -0.05, -0.1, -0.1, -0.1, -0.1, -0.1, -0.1, -0.1, -0.1, -0.1],
  'magmastream soft': [0, 0, 0, 0, 0, 0, 0, 0, -0.25, -0.25, -0.25, -0.25, -0.25, -0.25],
  'magmastream tv': [0, 0, 0, 0, 0, 0, 0, 0.65, 0.65, 0.65, 0.65, 0.65, 0.65, 0.65],
  'magmastream trebleBass': [0.6, 0.67, 0.67, 0, -0.5, 0.15, -0.45, 0.23, 0.35, 0.45, 0.55, 0.6, 0.55, 0],
  'rainlink pop': [
    [0, -0.25],
    [1, 0.48],
    [2, 0.59],
    [3, 0.72],
    [4, 0.56],
    [6, -0.24],
    [8, -0.16],
  ],
  'poru and riffy bassboost 5': Array.from({ length: 13 }, () => 4 * (1.25 / 9) - 0.25),
  'a bass boost that many bots have': [
    0.6, 0.67, 0.67, 0.4, -0.5, 0.15, -0.45, 0.23, 0.35, 0.45, 0.55, -0.6, 0.55, -0.5, -0.75,
  ],
}

function gainsOf(preset: readonly number[] | readonly Band[]): readonly number[] {
  const gains = Array.from({ length: 15 }, () => 0)
  for (const [i, one] of preset.entries()) {
    const [band, gain] = typeof one === 'number' ? [i, one] : one
    gains[band] = gain
  }
  return gains
}

/** Distortion formula with the values below. */
function distorted(x: number): number {
  return 0.8 * (0.1 + Math.sin(2 * x)) * (0.2 + Math.cos(3 * x)) * (1 + Math.tan(0.5 * x))
}

/** All tones, not all at their highest at once. */
function wave(turn: number): string {
  return TONES_HZ.map((hz, i) => `${TONE}*sin(${hz}*2*PI*t+${turn}*PI*${i * i}/${TONES_HZ.length})`).join('+')
}

function make(exprs: string, path: string): void {
  ffmpegOnce(['-f', 'lavfi', '-i', `aevalsrc=${exprs}:s=48000:d=2`, '-c:a', 'pcm_f32le'], path)
}

/** The second second, when filters have settled. */
function settled(sides: Stereo): readonly Float32Array[] {
  return sides.map((side) => Float32Array.from(side.subarray(SECOND, 2 * SECOND)))
}

function played(path: string, graph: string): Stereo {
  const filter = graph === '' ? [] : ['-af', graph]
  const args = ['-v', 'error', '-nostdin', '-i', path, ...filter, '-f', 'f32le', '-ac', '2', 'pipe:1']
  const bytes = execFileSync('ffmpeg', args, { maxBuffer: 2 ** 26 })
  const values = new Float32Array(bytes.buffer, bytes.byteOffset, Math.floor(bytes.length / 8) * 2)
  const side = (of: number) => Float64Array.from({ length: values.length / 2 }, (_, i) => values[2 * i + of]!)
  return [side(0), side(1)]
}

describe("Lavalink's filters beside those of Lavaplayer", () => {
  const folder = tempFolder()
  const tones = folder.path('tones.wav')
  const loud = folder.path('loud.wav')
  before(() => {
    make(`${wave(1)}|${wave(-1)}`, tones)
    make('0.7*sin(300*2*PI*t)|0.7*sin(400*2*PI*t)', loud)
  })

  const known = new Map<string, Stereo>()
  function plain(path: string): Stereo {
    const sound = known.get(path) ?? played(path, '')
    known.set(path, sound)
    return sound
  }

  /** The amplitudes of these tones on both sides: in ours, and in Lavaplayer's as its formulas have them. */
  function compare(filters: object, reference: (sound: Stereo) => Stereo, path = tones, hz = TONES_HZ) {
    const { graph } = filterGraphOf(100, soundFiltersOf(filtersSchema.parse(filters)), false)
    const [ours, theirs] = [settled(played(path, graph)), settled(reference(plain(path)))]
    return hz.flatMap((tone) =>
      [0, 1].map((side) => {
        const [own, other] = [ours, theirs].map((sound) => amplitude(sound[side]!, tone))
        return { tone, side, other: other!, off: decibels(own!, other!) }
      }),
    )
  }

  function expectAlike(found: ReturnType<typeof compare>, within = 0.5): void {
    const heard = found.filter(({ other }) => other > INAUDIBLE)
    expect(heard.length).to.be.above(1)
    const wrong = heard.filter(({ off }) => !(Math.abs(off) <= within))
    expect(wrong.map(({ tone, side, off }) => `${tone} Hz, side ${side}: ${off.toFixed(2)} dB`)).to.deep.equal([])
  }

  for (const [name, preset] of Object.entries(PRESETS)) {
    it(`have the response of Lavaplayer from 20 Hz to 20 kHz with ${name}`, () => {
      const equalizer = gainsOf(preset).map((gain, band) => ({ band, gain }))
      const gains = equalizer.map(({ gain }) => Math.min(1, Math.max(-0.25, gain)))
      expectAlike(compare({ equalizer }, lavaplayer.equalizer(gains)))
    })
  }

  it('have the response of Lavaplayer with a band alone, louder or muted', () => {
    for (const [band, gain] of [
      [0, 0.4],
      [3, -0.25],
      [8, 0.25],
      [14, 0.4],
    ] as const) {
      const gains = gainsOf([[band, gain]])
      expectAlike(compare({ equalizer: [{ band, gain }] }, lavaplayer.equalizer(gains)))
    }
  })

  it('clip at full scale behind the equalizer', () => {
    const found = compare(
      { equalizer: [{ band: 6, gain: 1 }] },
      lavaplayer.equalizer(gainsOf([[6, 1]])),
      loud,
      [300, 400, 900, 1200],
    )
    expectAlike(found)
  })

  it('follow the curve of Lavaplayer with a volume', () => {
    for (const volume of [0.5, 2]) expectAlike(compare({ volume }, lavaplayer.volume(volume)))
    expectAlike(compare({ volume: 1 }, (sound) => sound))
  })

  it('take away the middle as Lavaplayer does', () => {
    expectAlike(compare({ karaoke: {} }, lavaplayer.karaoke(1, 1, 220, 100)))
    const karaoke = { level: 0.6, monoLevel: 0.8, filterBand: 500, filterWidth: 300 }
    expectAlike(compare({ karaoke }, lavaplayer.karaoke(0.6, 0.8, 500, 300)))
  })

  it('take away high tones as Lavaplayer does', () => {
    for (const smoothing of [1.5, 5, 20])
      expectAlike(compare({ lowPass: { smoothing } }, lavaplayer.lowPass(smoothing)))
  })

  it('mix the sides as Lavaplayer does, and clip', () => {
    const channelMix = { leftToLeft: 0.7, leftToRight: 0.3, rightToLeft: -0.4, rightToRight: 1 }
    expectAlike(compare({ channelMix }, lavaplayer.channelMix(0.7, 0.3, -0.4, 1)))
    const both = { leftToLeft: 1, leftToRight: 1, rightToLeft: 1, rightToRight: 1 }
    expectAlike(compare({ channelMix: both }, lavaplayer.channelMix(1, 1, 1, 1), loud, [300, 400, 200, 500]))
  })

  it('swing in loudness and between the sides as Lavaplayer does', () => {
    const tremolo = { frequency: 4, depth: 0.75 }
    expectAlike(compare({ tremolo }, lavaplayer.tremolo(4, 0.75), loud, [296, 300, 304, 396, 400, 404]))
    const rotation = { rotationHz: 2 }
    expectAlike(compare({ rotation }, lavaplayer.rotation(2), loud, [298, 300, 302, 398, 400, 402]))
  })

  it('swing in pitch as far as in Lavaplayer', () => {
    for (const [frequency, depth] of [
      [4, 0.5],
      [14, 1],
      [2, 0.1],
    ] as const) {
      const besides = [0, 1, 2, 3, 4].flatMap((n) => [300 - n * frequency, 300 + n * frequency])
      const found = compare({ vibrato: { frequency, depth } }, lavaplayer.vibrato(frequency, depth), loud, besides)
      expectAlike(found)
    }
  })

  it('distort as Lavaplayer does', () => {
    const given = { sinOffset: 0.1, sinScale: 2, cosOffset: 0.2, cosScale: 3, tanOffset: 1, tanScale: 0.5, scale: 0.8 }
    const harmonics = [300, 600, 900, 400, 800, 1200]
    expectAlike(compare({ distortion: given }, lavaplayer.distortion(distorted), loud, harmonics))
  })

  it('go one after the other in the order of Lavalink', () => {
    const filters = {
      lowPass: { smoothing: 20 },
      distortion: { sinScale: 3, cosScale: 0, tanScale: 0, tanOffset: 1, scale: 0.5 },
    }
    const gains = gainsOf([
      [5, 0.02],
      [7, 0.03],
      [9, -0.1],
    ])
    const all = { ...filters, volume: 0.5, equalizer: gains.map((gain, band) => ({ band, gain })) }
    const reference = chain(
      lavaplayer.lowPass(20),
      lavaplayer.distortion((x) => 0.5 * Math.sin(3 * x)),
      lavaplayer.equalizer(gains),
      lavaplayer.volume(0.5),
    )
    expectAlike(compare(all, reference, loud, [300, 400, 900, 1200, 1500, 2000]))
  })
})
