import { expect } from 'chai'
import type { Playable } from '../../../../bot/sources/source.ts'
import { until } from '../../../support/bots.ts'
import { useOpener } from '../../../support/opener.ts'
import { amplitude, decibels, decodeFrames, longestSilenceMs, slice } from '../../../support/sound.ts'
import { createBench } from './track-player-bench.ts'
import { tempFolder } from '../folder.ts'
import { ffmpegOnce } from '../../../support/made-once.ts'

const SOUND = { volume: 100, muted: false, paused: false }
const PLAY = { botId: '1', guildId: '2', playId: 1, positionMs: 0, ...SOUND }

describe('layers over a track', () => {
  const folder = tempFolder()
  const { open, isOpening } = useOpener(300)
  const track: Playable = { kind: 'file', path: folder.path('track.opus'), codec: 'ogg-opus' }
  const jingle: Playable = { kind: 'file', path: folder.path('jingle.flac'), codec: 'other' }
  const hum: Playable = { kind: 'file', path: folder.path('hum.flac'), codec: 'other' }
  before(() => {
    for (const [name, hz, seconds] of [
      ['track.opus', 500, 20],
      ['jingle.flac', 2000, 1],
      ['hum.flac', 3500, 20],
    ] as const) {
      const tone = `aevalsrc=0.2*sin(${hz}*2*PI*t)|0.2*sin(${hz}*2*PI*t):s=48000:d=${seconds}`
      ffmpegOnce(['-f', 'lavfi', '-i', tone], folder.path(name))
    }
  })

  it('come in whole without a gap, each at its volume, and end on their own; then frames pass through again', async () => {
    const bench = createBench(open)
    await bench.deck.play({ ...PLAY, playable: track })
    bench.tick(25)
    await bench.during(bench.deck.layers.add({ id: 'a', playable: jingle, volume: 0.5 }), isOpening)
    const end = bench.sent.length + 100
    await bench.during(
      until('two seconds have passed', () => bench.sent.length >= end),
      isOpening,
    )
    expect(bench.deck.layers.positions()).to.deep.equal([])
    expect(bench.events.filter(({ type }) => type === 'layerEnded')).to.deep.equal([
      { type: 'layerEnded', playId: 1, layerId: 'a' },
    ])
    bench.deck.close()
    const plain = createBench(open)
    await plain.deck.play({ ...PLAY, playable: track })
    plain.tick(bench.sent.length)
    plain.deck.close()
    expect(bench.sent.at(-1)!.equals(plain.sent.at(-1)!), 'passed through again').to.equal(true)
    expect(bench.counts.nulled).to.equal(0)
    const sound = await decodeFrames(bench.sent)
    expect(longestSilenceMs(slice(sound, 0.2, sound.seconds))).to.be.below(5)
    const parts = Array.from({ length: Math.floor(sound.left.length / 960) }, (_, i) =>
      sound.left.subarray(i * 960, (i + 1) * 960),
    )
    const heard = parts.map((part) => amplitude(part, 2000) > 0.05)
    expect(heard.filter(Boolean).length, 'all of its second').to.be.within(48, 52)
    expect(heard.indexOf(true) - 21, 'after at most 400 ms').to.be.within(10, 20)
    const at = heard.indexOf(true) * 0.02
    const { left } = slice(sound, at + 0.2, at + 0.8)
    expect(decibels(amplitude(left, 2000), 0.1)).to.be.closeTo(0, 0.5)
    expect(decibels(amplitude(left, 500), 0.2)).to.be.closeTo(0, 0.3)
  })

  it('sound together, change their volume, follow that of the player, and go when they are removed', async () => {
    const bench = createBench(open)
    const { deck } = bench
    await deck.play({ ...PLAY, playable: track })
    bench.tick(10)
    await bench.during(deck.layers.add({ id: 'a', playable: hum, volume: 1 }), isOpening)
    const added = bench.sent.length
    await bench.during(deck.layers.add({ id: 'b', playable: jingle, volume: 0.5 }), isOpening)
    const now = () => (bench.sent.length - 4) * 0.02
    bench.tick(30)
    const both = now()
    await bench.during(deck.layers.setVolume('a', 0.25), isOpening)
    bench.tick(20)
    const quieter = now()
    await bench.during(deck.setSound({ ...SOUND, volume: 50 }), isOpening)
    bench.tick(20)
    const halved = now()
    const { positionMs } = deck.layers.positions().find(({ id }) => id === 'a')!
    // The reported position is within about 300 ms of the sound.
    expect((bench.sent.length - added) * 20 - positionMs).to.be.within(-320, 320)
    await bench.during(deck.layers.remove('a'), isOpening)
    bench.tick(20)
    const gone = now()
    deck.close()
    const sound = await decodeFrames(bench.sent)
    const level = (untilSeconds: number, hz: number) =>
      amplitude(slice(sound, untilSeconds - 0.15, untilSeconds - 0.03).left, hz)
    expect(decibels(level(both, 3500), 0.2)).to.be.closeTo(0, 0.7)
    expect(decibels(level(both, 2000), 0.1)).to.be.closeTo(0, 0.7)
    expect(decibels(level(quieter, 3500), 0.05)).to.be.closeTo(0, 0.7)
    expect(decibels(level(halved, 3500), 0.025)).to.be.closeTo(0, 0.7)
    expect(decibels(level(halved, 500), 0.1)).to.be.closeTo(0, 0.5)
    expect(level(gone, 3500)).to.be.below(0.002)
    expect(longestSilenceMs(slice(sound, 0.2, sound.seconds))).to.be.below(5)
  })

  it('are heard as was wished when that is answered, even if another wish came in between', async () => {
    const bench = createBench(open)
    const { deck } = bench
    await deck.play({ ...PLAY, playable: track })
    await bench.during(deck.layers.add({ id: 'a', playable: hum, volume: 1 }))
    let isAnswered = false
    const first = deck.layers.setVolume('a', 0.25).then(() => (isAnswered = true))
    const second = deck.setSound({ ...SOUND, volume: 50 })
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(isAnswered, 'before a frame of it was sent').to.equal(false)
    await bench.during(Promise.all([first, second]))
    bench.tick(25)
    deck.close()
    const sound = await decodeFrames(bench.sent)
    const { left } = slice(sound, sound.seconds - 0.2, sound.seconds - 0.05)
    expect(decibels(amplitude(left, 3500), 0.025)).to.be.closeTo(0, 0.7)
  })

  it('cannot lie over nothing, and go with their track', async () => {
    const bench = createBench(open)
    const refused = await bench.deck.layers.add({ id: 'a', playable: hum, volume: 1 }).catch((error: unknown) => error)
    expect(refused).to.include({ code: 'conflict' })
    await bench.deck.play({ ...PLAY, playable: track })
    const broken = { id: 'b', playable: { ...hum, path: folder.path('gone.flac') } as Playable, volume: 1 }
    const failed = await bench.deck.layers.add(broken).catch((error: unknown) => error)
    expect(failed).to.have.property('code')
    await bench.during(bench.deck.layers.add({ id: 'a', playable: hum, volume: 1 }))
    void bench.deck.stop()
    expect(bench.deck.layers.positions()).to.deep.equal([])
  })
})
