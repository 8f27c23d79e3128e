import { expect } from 'chai'
import { filterGraphOf } from '../../../../bot/audio/ffmpeg/filter-graph.ts'
import { spelledOut, type Filters } from '../../../../bot/player/audio-settings/filters.ts'
import type { Playable } from '../../../../bot/sources/source.ts'
import { useOpener } from '../../../support/opener.ts'
import { amplitude, decibels, decodeFrames, longestSilenceMs, slice, type Sound } from '../../../support/sound.ts'
import { createBench } from '../playback/track-player-bench.ts'
import { tempFolder } from '../folder.ts'
import { ffmpegOnce } from '../../../support/made-once.ts'
import { eventually } from '../../../support/service.ts'

const SOUND = { volume: 100, muted: false, paused: false }
const NEUTRAL = {
  sinOffset: 0,
  sinScale: 1,
  cosOffset: 0,
  cosScale: 1,
  tanOffset: 0,
  tanScale: 1,
  offset: 0,
  scale: 1,
} as const
const FULL_KARAOKE = { level: 1, monoLevel: 1, filterBand: 220, filterWidth: 100 } as const

/** The loudest and the quietest 20 ms of a tone, as a ratio. */
function swing(samples: Float32Array, hz: number): { least: number; most: number } {
  const parts = Array.from({ length: Math.floor(samples.length / 960) }, (_, i) =>
    amplitude(samples.subarray(i * 960, (i + 1) * 960), hz),
  )
  return { least: Math.min(...parts), most: Math.max(...parts) }
}

function louder(samples: Float32Array, hz: number): number {
  return decibels(amplitude(samples, hz), 0.1)
}

/** The amplitude of 1 kHz in the tenth of a second with that number. */
function tenth(samples: Float32Array, i: number): number {
  return amplitude(samples.subarray(i * 4800, (i + 1) * 4800), 1000)
}

/** Gain of a tone in decibels, where each sample moves by `step` of the way to the next. */
function onePole(hz: number, step: number): number {
  const below = 1 - 2 * (1 - step) * Math.cos((2 * Math.PI * hz) / 48_000) + (1 - step) ** 2
  return 10 * Math.log10(step ** 2 / below)
}

describe('filters', () => {
  const folder = tempFolder()
  const { open, openAtOnce } = useOpener(150)
  /** 100 Hz and 1 kHz on both sides alike, 3 kHz left only, 5 kHz right only; 0.1 each. */
  const chord: Playable = { kind: 'file', path: folder.path('chord.flac'), codec: 'other' }
  const opus: Playable = { kind: 'file', path: folder.path('chord.opus'), codec: 'ogg-opus' }
  before(() => {
    const both = '0.1*sin(100*2*PI*t)+0.1*sin(1000*2*PI*t)'
    const tones = `aevalsrc=${both}+0.1*sin(3000*2*PI*t)|${both}+0.1*sin(5000*2*PI*t):s=48000:d=20`
    ffmpegOnce(['-f', 'lavfi', '-i', tones], folder.path('chord.flac'))
    const coder = ['-c:a', 'libopus', '-b:a', '192k']
    ffmpegOnce(['-f', 'lavfi', '-i', tones, ...coder], folder.path('chord.opus'))
  })

  async function hear(filters: Filters, seconds = 2): Promise<Sound> {
    const wish = { startSamples: 0, filterGraph: filterGraphOf(100, filters, false), onTitle: () => undefined }
    const source = await openAtOnce(chord, wish, new AbortController().signal)
    const count = seconds * 50 + 10
    await source.ready(count)
    const frames = Array.from({ length: count }, () => Buffer.from(source.take()!))
    source.close()
    return slice(await decodeFrames(frames), 0.1, 0.1 + seconds)
  }

  it('leave every tone as it is where they do nothing', async () => {
    const idle: Filters = {
      volume: 1,
      equalizer: [{ band: 3, gain: 0 }],
      timescale: { speed: 1, pitch: 1, rate: 1 },
      rotation: { rotationHz: 0 },
      channelMix: { leftToLeft: 1, leftToRight: 0, rightToLeft: 0, rightToRight: 1 },
      lowPass: { smoothing: 1 },
    }
    expect(filterGraphOf(100, idle, false)).to.deep.equal({ graph: '', tempo: 1 })
  })

  it('volume: a factor', async () => {
    const { left } = await hear({ volume: 0.5 })
    expect(louder(left, 1000)).to.be.closeTo(-6.02, 0.3)
  })

  it('equalizer: a band is doubled, muted, made five times as loud, and the others stay', async () => {
    const { left } = await hear({
      equalizer: [
        { band: 3, gain: 0.25 },
        { band: 8, gain: -0.25 },
      ],
    })
    expect(louder(left, 100)).to.be.closeTo(6.02, 0.5)
    // Only the 100 Hz band's share at 1 kHz remains.
    expect(louder(left, 1000)).to.be.closeTo(-26.5, 1)
    expect(louder(left, 3000)).to.be.closeTo(0, 0.7)
    const loud = await hear({ equalizer: [{ band: 3, gain: 1 }], volume: 0.2 })
    expect(louder(loud.left, 100)).to.be.closeTo(0, 0.5)
    expect(louder(loud.left, 1000)).to.be.closeTo(-14, 0.5)
  })

  it('karaoke: what both sides share goes, but for the low middle; the sides stay', async () => {
    const { left, right } = await hear({ karaoke: FULL_KARAOKE })
    expect(louder(left, 1000)).to.be.below(-15)
    expect(louder(left, 3000)).to.be.closeTo(0, 1)
    expect(louder(right, 5000)).to.be.closeTo(0, 1)
    const plain = await hear({ karaoke: { ...FULL_KARAOKE, monoLevel: 0 } })
    expect(louder(plain.left, 1000)).to.be.below(-30)
  })

  it('timescale: speed keeps the pitch, pitch keeps the speed, rate changes both', async () => {
    const fast = await hear({ timescale: { speed: 1.5, pitch: 1, rate: 1 } })
    expect(louder(fast.left, 1000)).to.be.closeTo(0, 1.5)
    const high = await hear({ timescale: { speed: 1, pitch: 1.5, rate: 1 } })
    expect(louder(high.left, 1500)).to.be.closeTo(0, 1.5)
    const both = await hear({ timescale: { speed: 1, pitch: 1, rate: 1.25 } })
    expect(louder(both.left, 1250)).to.be.closeTo(0, 0.3)
    expect(louder(both.left, 1000)).to.be.below(-40)
  })

  it('tremolo: the level swings', async () => {
    const { least, most } = swing((await hear({ tremolo: { frequency: 2, depth: 0.5 } })).left, 1000)
    expect(least / most).to.be.closeTo(0.5, 0.08)
  })

  it('vibrato: the pitch swings, so that no single tone is left', async () => {
    expect(louder((await hear({ vibrato: { frequency: 4, depth: 1 } })).left, 3000)).to.be.below(-3)
  })

  it('rotation: the sides take turns', async () => {
    const { left, right } = await hear({ rotation: { rotationHz: 0.5 } })
    const balance = Array.from({ length: 20 }, (_, i) => decibels(tenth(left, i), tenth(right, i)))
    expect(Math.max(...balance)).to.be.above(10)
    expect(Math.min(...balance)).to.be.below(-10)
    expect(balance.filter((side) => side > 0).length).to.be.within(8, 12)
  })

  it('distortion: new tones come in', async () => {
    const { left } = await hear({
      distortion: { ...NEUTRAL, sinScale: 8, cosOffset: 1, tanOffset: 1, cosScale: 0, tanScale: 0 },
    })
    for (const hz of [1900, 2100]) expect(louder(left, hz), `${hz} Hz`).to.be.above(-12)
  })

  it('channelMix: the sides change places, and go into one', async () => {
    const { left, right } = await hear({
      channelMix: { leftToLeft: 0, leftToRight: 1, rightToLeft: 1, rightToRight: 0 },
    })
    expect(louder(left, 5000)).to.be.closeTo(0, 0.5)
    expect(louder(right, 3000)).to.be.closeTo(0, 0.5)
    expect(louder(left, 3000)).to.be.below(-40)
    const mono = await hear({ channelMix: { leftToLeft: 0.5, leftToRight: 0.5, rightToLeft: 0.5, rightToRight: 0.5 } })
    expect(louder(mono.left, 3000)).to.be.closeTo(-6, 0.5)
    expect(louder(mono.right, 1000)).to.be.closeTo(0, 0.5)
  })

  it('lowPass: the higher, the quieter', async () => {
    const { left } = await hear({ lowPass: { smoothing: 20 } })
    for (const hz of [100, 1000, 3000]) expect(louder(left, hz), `${hz} Hz`).to.be.closeTo(onePole(hz, 1 / 20), 0.7)
  })

  it('go together, and each preset is heard', async () => {
    const all = await hear({
      ...spelledOut({ preset: 'bassboost' }),
      karaoke: { ...FULL_KARAOKE, level: 0.2 },
      timescale: { speed: 1.1, pitch: 1.1, rate: 0.9 },
      tremolo: { frequency: 3, depth: 0.2 },
      vibrato: { frequency: 3, depth: 0.1 },
      distortion: { ...NEUTRAL, cosOffset: 1, tanOffset: 1 },
      rotation: { rotationHz: 0.2 },
      channelMix: { leftToLeft: 0.9, leftToRight: 0.1, rightToLeft: 0.1, rightToRight: 0.9 },
      lowPass: { smoothing: 2 },
    })
    expect(longestSilenceMs(all)).to.be.below(100)
    const bass = await hear(spelledOut({ preset: 'bassboost' }))
    expect(louder(bass.left, 100) - louder(bass.left, 1000)).to.be.above(3)
    expect(louder((await hear(spelledOut({ preset: 'nightcore' }))).left, 1200)).to.be.closeTo(0, 0.3)
    expect(louder((await hear(spelledOut({ preset: 'vaporwave' }))).left, 850)).to.be.closeTo(0, 0.3)
    expect(louder((await hear(spelledOut({ preset: 'soft' }))).left, 3000)).to.be.below(-6)
    expect(spelledOut({ preset: '8d' })).to.have.property('rotation')
  })

  it('come and go between two frames without a gap, and frames pass through again afterwards', async () => {
    const play = { botId: '1', guildId: '2', playId: 1, positionMs: 0, playable: opus, ...SOUND }
    const bench = createBench(open)
    await bench.deck.play(play)
    bench.tick(25)
    await bench.during(bench.deck.setSound({ ...SOUND, filters: { lowPass: { smoothing: 20 } } }))
    const dull = bench.sent.length
    bench.tick(50)
    await bench.during(bench.deck.setSound(SOUND))
    bench.tick(25)
    const plain = createBench(open)
    await plain.deck.play(play)
    const isThere = () => plain.sent.length >= bench.sent.length
    await plain.during(eventually(isThere, Boolean), isThere)
    expect(bench.sent.at(-1)!.equals(plain.sent.at(-1)!)).to.equal(true)
    expect(bench.deck.positionMs).to.equal(plain.deck.positionMs)
    expect(bench.counts.nulled).to.equal(0)
    const sound = await decodeFrames(bench.sent)
    expect(longestSilenceMs(slice(sound, 0.2, sound.seconds))).to.be.below(5)
    const { left } = slice(sound, dull * 0.02, dull * 0.02 + 0.7)
    expect(louder(left, 3000)).to.be.below(-12)
    bench.deck.close()
    plain.deck.close()
  })

  it('keep the position that of the track when its speed changes', async () => {
    const bench = createBench(open)
    await bench.deck.play({ botId: '1', guildId: '2', playId: 1, positionMs: 0, playable: opus, ...SOUND })
    bench.tick(100)
    const waited = await bench.during(
      bench.deck.setSound({ ...SOUND, filters: { timescale: { speed: 1, pitch: 1, rate: 2 } } }),
    )
    const before = bench.deck.positionMs
    expect(before).to.be.closeTo(2000 + waited * 20, 65)
    bench.tick(100)
    expect(bench.deck.positionMs).to.equal(before + 4000)
    await bench.during(bench.deck.seek(10_000))
    expect(bench.deck.positionMs).to.be.closeTo(10_000, 90)
    await bench.during(bench.deck.setSound(SOUND))
    const slow = bench.deck.positionMs
    bench.tick(50)
    expect(bench.deck.positionMs).to.equal(slow + 1000)
    bench.deck.close()
  })
})
