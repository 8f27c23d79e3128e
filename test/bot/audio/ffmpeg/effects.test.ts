import { expect } from 'chai'
import { filterGraphOf } from '../../../../bot/audio/ffmpeg/filter-graph.ts'
import { FilterSchema, PRESET_NAMES } from '../../../../bot/player/audio-settings/filter-schema.ts'
import { spelledOut, type Filters } from '../../../../bot/player/audio-settings/filters.ts'
import { useOpener } from '../../../support/opener.ts'
import { amplitude, decibels, decodeFrames, slice, type Sound } from '../../../support/sound.ts'
import { tempFolder } from '../folder.ts'
import { ffmpegOnce } from '../../../support/made-once.ts'

/** Left alone at 100 Hz, both at 1 kHz, right alone at 5 kHz; 0.1 each. */
const CHORD = '0.1*sin(100*2*PI*t)+0.1*sin(1000*2*PI*t)|0.1*sin(1000*2*PI*t)+0.1*sin(5000*2*PI*t)'
/** 50 ms of 1 kHz and 6 kHz, heard at 0.5 s, since `decodeFrames` drops the first 80 ms. */
const BURST = '0.4*between(t,0.58,0.63)*(sin(1000*2*PI*t)+sin(6000*2*PI*t))'
/** A tone that falls by 12 dB after 1.5 s, and by 30 dB more after 3 s. */
const STEPS = 'if(lt(t,1.58),0.4,if(lt(t,3.08),0.1,0.00316))*sin(1000*2*PI*t)'

/** The power of all of it. */
function power(samples: Float32Array): number {
  return samples.reduce((sum, sample) => sum + sample ** 2, 0) / samples.length
}

/** Correlation of the two sides: 1 for equal, 0 for unrelated, -1 for inverted. */
function correlation({ left, right }: Sound): number {
  const product = left.reduce((sum, sample, i) => sum + sample * right[i]!, 0) / left.length
  return product / Math.sqrt(power(left) * power(right))
}

function together({ left, right }: Sound): Float32Array {
  return left.map((sample, i) => (sample + right[i]!) / 2)
}

function parts(samples: Float32Array, seconds: number): Float32Array[] {
  const length = Math.round(seconds * 48_000)
  return Array.from({ length: Math.floor(samples.length / length) }, (_, i) =>
    samples.subarray(i * length, (i + 1) * length),
  )
}

/** Level of a tail's highs relative to its middle, in decibels. */
function brightness(sound: Sound): number {
  const { left } = slice(sound, 0.65, 1.2)
  return decibels(amplitude(left, 6000), amplitude(left, 1000))
}

/** When a tone sounds on the whole, in hundredths of a second. */
function middleOf({ left }: Sound, hz: number): number {
  const levels = parts(left, 0.01).map((part) => amplitude(part, hz) ** 2)
  return levels.reduce((sum, level, i) => sum + level * i, 0) / levels.reduce((sum, level) => sum + level)
}

describe('effects beyond those of Lavalink', () => {
  const folder = tempFolder()
  const { openAtOnce } = useOpener(60)
  const made = new Map<string, string>()

  /** Sound of an expression after the filters, which begins with the encoder's lead-in. */
  async function hear(source: string, filters: object, seconds = 2): Promise<Sound> {
    const path = made.get(source) ?? folder.path(`${made.size}.flac`)
    if (!made.has(source)) {
      const input = source.startsWith('anoisesrc')
        ? source
        : `aevalsrc='${source.includes('|') ? source : `${source}|${source}`}':s=48000:d=5`
      ffmpegOnce(['-f', 'lavfi', '-i', input], path)
      made.set(source, path)
    }
    const wish = FilterSchema.parse(filters) as Filters
    const filterGraph = filterGraphOf(100, spelledOut(wish), false)
    const opened = await openAtOnce(
      { kind: 'file', path, codec: 'other' },
      { startSamples: 0, filterGraph, onTitle: () => undefined },
      new AbortController().signal,
    )
    const count = seconds * 50 + 10
    await opened.ready(count)
    const frames = Array.from({ length: count }, () => Buffer.from(opened.take()!))
    opened.close()
    return slice(await decodeFrames(frames), 0, seconds)
  }

  it('leave frames alone where their values do nothing', () => {
    const idle = { phaser: { depth: 0 }, echo: { decay: 0 }, reverb: { mix: 0 }, compressor: { ratio: 1 } }
    const wish = FilterSchema.parse({ ...idle, spatial: { width: 1, depth: 0 } }) as Filters
    expect(filterGraphOf(100, wish, false)).to.deep.equal({ graph: '', tempo: 1 })
  })

  it('highPass: an octave below it a tone is 12 dB down, far above it nothing is', async () => {
    const { left } = slice(await hear(CHORD, { highPass: { frequency: 200 } }), 0.1, 2)
    expect(decibels(amplitude(left, 100), 0.1)).to.be.closeTo(-12.3, 0.5)
    expect(decibels(amplitude(left, 1000), 0.1)).to.be.closeTo(0, 0.3)
  })

  it('compressor: a ratio of 4 makes 12 dB above the threshold 3, and leaves what is below it', async () => {
    const { left } = await hear(STEPS, { compressor: { thresholdDb: -36, ratio: 4, gainDb: 6 } }, 4.5)
    const level = (seconds: number) => amplitude(left.subarray(seconds * 48_000, (seconds + 0.4) * 48_000), 1000)
    expect(decibels(level(1), level(2.5))).to.be.closeTo(3, 0.5)
    expect(decibels(level(4), 0.00316)).to.be.closeTo(6, 0.5)
    // The tone's power and peaks are 25 and 28 dB above the threshold; the detector measures between the two.
    expect(decibels(level(1), 0.4) - 6).to.be.within(-21.3, -18.5)
  })

  it('phaser: notches sweep, once in each period, and the power stays', async () => {
    const noise = 'anoisesrc=d=5:a=0.2:c=white:r=48000:seed=7'
    const swept = await hear(noise, { phaser: { frequency: 0.5, depth: 0.8 } }, 4)
    const plain = await hear(noise, {}, 4)
    expect(10 * Math.log10(power(swept.left) / power(plain.left))).to.be.closeTo(0, 1)
    const tone = await hear('0.2*sin(1000*2*PI*t)', { phaser: { frequency: 0.5, depth: 0.8 } }, 4)
    const levels = parts(tone.left, 0.05).map((part) => amplitude(part, 1000))
    expect(decibels(Math.max(...levels), Math.min(...levels))).to.be.above(12)
    const [first, second] = [levels.slice(2, 38), levels.slice(42, 78)]
    for (const [i, level] of first.entries()) expect(level, `${i}`).to.be.closeTo(second[i]!, 0.05)
  })

  it('echo: a sound comes again after each delay, quieter by the same factor, and nothing between', async () => {
    const { left } = await hear(BURST, { echo: { delayMs: 400, decay: 0.5 } })
    const at = (seconds: number) => amplitude(left.subarray((seconds - 0.02) * 48_000, (seconds + 0.08) * 48_000), 1000)
    for (const [nth, seconds] of [0.5, 0.9, 1.3, 1.7].entries()) {
      expect(decibels(at(seconds), at(0.5)), `echo ${nth}`).to.be.closeTo(-6.02 * nth, 0.7)
    }
    expect(decibels(at(0.7), at(0.5))).to.be.below(-50)
  })

  it('reverb: a tail falls by 60 dB in the time of its room, differs from side to side, and loses its highs', async () => {
    const wet = await hear(BURST, { reverb: { roomSize: 0.5, damping: 0, mix: 0.6 } })
    // 0.4 s · 10^0.5: 60 dB in 1.26 s.
    const tail = parts(slice(wet, 0.65, 1.65).left, 0.1).map((part) => 10 * Math.log10(power(part)))
    const slope = (tail.slice(-3).reduce((a, b) => a + b) - tail.slice(0, 3).reduce((a, b) => a + b)) / 3 / 0.7
    expect(slope).to.be.closeTo(-60 / 1.265, 8)
    expect(Math.abs(correlation(slice(wet, 0.65, 1.2)))).to.be.below(0.4)
    expect(decibels(Math.sqrt(power(slice(await hear(BURST, {}), 0.65, 1.2).left)), 0.4)).to.be.below(-60)
    const dull = await hear(BURST, { reverb: { roomSize: 0.5, damping: 1, mix: 0.6 } })
    expect(brightness(dull)).to.be.below(brightness(wet) - 8)
  })

  it('spatial: the sides grow apart, also those of mono, and what they add up to stays', async () => {
    const wide = slice(await hear(CHORD, { spatial: { width: 2, depth: 0 } }), 0.1, 2)
    expect(decibels(amplitude(wide.left, 100), 0.1)).to.be.closeTo(3.5, 0.3)
    expect(decibels(amplitude(wide.right, 100), 0.1)).to.be.closeTo(-6, 0.3)
    expect(decibels(amplitude(wide.right, 1000), 0.1)).to.be.closeTo(0, 0.3)
    const mono = 'anoisesrc=d=5:a=0.2:c=pink:r=48000:seed=7,pan=stereo|FL=c0|FR=c0'
    const [plain, spread] = [await hear(mono, {}), await hear(mono, { spatial: { width: 1, depth: 0.8 } })]
    expect(correlation(slice(plain, 0.1, 2))).to.be.above(0.99)
    expect(correlation(slice(spread, 0.1, 2))).to.be.below(0.5)
    const sums = [plain, spread].map((sound) => power(together(slice(sound, 0.1, 2))))
    expect(10 * Math.log10(sums[1]! / sums[0]!)).to.be.closeTo(0, 0.3)
  })

  it('timescale.pitch: a fifth higher, and nothing comes sooner or later', async () => {
    const plain = await hear(BURST, {})
    const high = await hear(BURST, { timescale: { pitch: 1.5 } })
    expect(middleOf(high, 1500)).to.be.closeTo(middleOf(plain, 1000), 3)
    const tone = slice(await hear('0.2*sin(1000*2*PI*t)', { timescale: { pitch: 1.5 } }), 0.1, 2)
    expect(decibels(amplitude(tone.left, 1500), 0.2)).to.be.closeTo(0, 1.5)
    expect(decibels(amplitude(tone.left, 1000), 0.2)).to.be.below(-40)
  })

  for (const preset of PRESET_NAMES) {
    it(`the preset ${preset} is heard, and leaves music about as loud as it was`, async () => {
      const music =
        'anoisesrc=d=5:a=0.5:c=pink:r=48000:seed=3[a];anoisesrc=d=5:a=0.3:c=pink:r=48000:seed=4[b];[a][b]amerge'
      const plain = slice(await hear(music, {}, 3), 0.5, 3)
      const heard = slice(await hear(music, { preset }, 3), 0.5, 3)
      const before = Math.sqrt(power(plain.left) + power(plain.right))
      const loudness = decibels(Math.sqrt(power(heard.left) + power(heard.right)), before)
      expect(loudness).to.be.within(-9, 4)
      const left = heard.left.map((sample, i) => sample - plain.left[i]!)
      const right = heard.right.map((sample, i) => sample - plain.right[i]!)
      expect(decibels(Math.sqrt(power(left) + power(right)), before), 'changes').to.be.above(-20)
    })
  }
})
