import { expect } from 'chai'
import { SILENCE } from '../../../../../bot/audio/containers/opus.ts'
import type { Playable } from '../../../../../bot/sources/source.ts'
import type { Segment } from '../../../../../bot/tracks/segments.ts'
import { eventually } from '../../../../support/service.ts'
import { useOpener } from '../../../../support/opener.ts'
import { amplitude, decodeFrames, longestSilenceMs, slice } from '../../../../support/sound.ts'
import { tempFolder } from '../../folder.ts'
import { createBench } from '../track-player-bench.ts'
import { ffmpegOnce } from '../../../../support/made-once.ts'

const SOUND = { volume: 100, muted: false, paused: false }
const PLAY = { botId: '1', guildId: '2', playId: 1, positionMs: 0, ...SOUND }
const SPONSOR_HZ = 1500

function segment(startMs: number, endMs: number, action: Segment['action'] = 'skip'): Segment {
  return { category: 'sponsor', action, startMs, endMs }
}

describe('a deck with parts that are not to be heard', () => {
  const folder = tempFolder()
  const { open, settled } = useOpener(150)
  const playables: Record<string, Playable> = {}
  /** Two seconds each of 500, 1500 and 700 Hz. */
  before(() => {
    const tone = `aevalsrc='0.2*sin(2*PI*t*if(lt(t,2),500,if(lt(t,4),${SPONSOR_HZ},700)))':s=48000:d=6`
    for (const [name, codec] of [
      ['song.ogg', 'ogg-opus'],
      ['song.flac', 'other'],
    ] as const) {
      const coder = codec === 'ogg-opus' ? ['-c:a', 'libopus'] : []
      const input = ['-f', 'lavfi', '-i', tone]
      ffmpegOnce([...input, '-ac', '2', ...coder], folder.path(name))
      playables[name] = { kind: 'file', path: folder.path(name), codec }
    }
  })

  const begin = async (name: string, segments: readonly Segment[], sound = SOUND) => {
    const bench = createBench(open)
    await bench.deck.play({ ...PLAY, ...sound, playable: playables[name]! })
    bench.deck.setSegments(1, segments)
    bench.tick(1)
    await settled()
    return bench
  }
  type Bench = Awaited<ReturnType<typeof begin>>
  const told = ({ events }: Bench) =>
    events.flatMap((event) => (event.type === 'segmentSkipped' ? [event.segment.startMs] : []))

  for (const [name, volume] of [
    ['song.ogg', 100],
    ['song.flac', 100],
    ['song.ogg', 50],
  ] as const) {
    it(`jumps over one at its very frame: ${name} at ${volume} %`, async () => {
      const bench = await begin(name, [segment(2000, 4000)], { ...SOUND, volume })
      bench.tick(99)
      expect(bench.deck.positionMs).to.be.closeTo(2000, 20)
      expect(told(bench)).to.deep.equal([])
      bench.tick(2)
      expect(told(bench)).to.deep.equal([2000])
      expect(bench.deck.positionMs).to.be.closeTo(4020, 40)
      expect(bench.events.at(-1)).to.include({ type: 'position' })
      bench.tick(80)
      bench.deck.close()
      expect(bench.counts.nulled).to.equal(0)
      const sound = await decodeFrames(bench.sent)
      const loud = (hz: number, from: number, to: number) => amplitude(slice(sound, from, to).left, hz)
      // Level of a mono source in two channels.
      const full = (0.2 * Math.SQRT1_2 * volume) / 100
      expect(loud(500, 0.2, 1.8)).to.be.closeTo(full, full / 10)
      expect(loud(700, 2.1, 3.4)).to.be.closeTo(full, full / 10)
      expect(loud(SPONSOR_HZ, 0.2, 3.4)).to.be.below(full / 50)
      expect(longestSilenceMs(slice(sound, 0.2, 3.4))).to.be.below(25)
      const texts = bench.recorder.read().entries.map(({ text }) => text)
      expect(texts).to.include('skipped from 2000 ms to 4000 ms: sponsor')
    })
  }

  it('ends the track at the beginning of one that reaches to its end', async () => {
    const bench = await begin('song.ogg', [segment(2000, Infinity)])
    bench.tick(110)
    const after = bench.events.slice(bench.events.findIndex(({ type }) => type === 'segmentSkipped'))
    expect(after.map(({ type }) => type)).to.deep.equal(['segmentSkipped', 'position', 'trackEnded'])
    expect(after.at(-1)).to.include({ reason: 'finished' })
    expect(bench.sent.length).to.be.within(104, 108)
  })

  it('is silent in one that is muted, while the position runs on', async () => {
    const bench = await begin('song.ogg', [segment(1000, 1500, 'mute')])
    bench.tick(110)
    const silent = bench.sent.flatMap((frame, index) => (frame.equals(SILENCE) ? [index] : []))
    expect(silent).to.have.length(25)
    expect(silent[0]).to.be.closeTo(50, 1)
    expect(bench.deck.positionMs).to.equal(111 * 20)
    bench.deck.close()
  })

  it('passes over several, and what was told of an earlier play does not count', async () => {
    const bench = await begin('song.ogg', [segment(500, 1000), segment(2000, 4000)])
    bench.deck.setSegments(7, [])
    await bench.during(
      eventually(
        () => told(bench).length,
        (count) => count === 2,
      ),
    )
    expect(told(bench)).to.deep.equal([500, 2000])
    expect(bench.deck.positionMs).to.be.within(4000, 4600)
    bench.deck.close()
  })

  it('takes what is told later, and jumps at once out of one that the sound is in already', async () => {
    const bench = await begin('song.ogg', [segment(3000, 4000)])
    bench.tick(60)
    bench.deck.setSegments(1, [segment(1000, 4000)])
    await bench.during(
      eventually(
        () => told(bench).length,
        (count) => count === 1,
      ),
    )
    expect(told(bench)).to.deep.equal([1000])
    expect(bench.deck.positionMs).to.be.within(4000, 4600)
    bench.deck.setSegments(1, [])
    bench.tick(20)
    expect(told(bench)).to.have.length(1)
    bench.deck.close()
  })

  it('still jumps after another volume was set, and after another position', async () => {
    const bench = await begin('song.flac', [segment(2000, 4000)])
    bench.tick(20)
    await bench.during(bench.deck.setSound({ ...SOUND, volume: 50 }))
    await bench.during(bench.deck.seek(1900))
    bench.tick(1)
    await settled()
    bench.tick(12)
    expect(told(bench)).to.deep.equal([2000])
    expect(bench.deck.positionMs).to.be.within(4000, 4600)
    bench.deck.close()
  })

  it('hears what cannot be opened behind it, and says so once', async () => {
    const bench = createBench(async (track, request, signal) => {
      if (request.startSamples > 0) throw new Error('no more of it')
      return open(track, request, signal)
    })
    await bench.deck.play({ ...PLAY, playable: playables['song.ogg']! })
    bench.deck.setSegments(1, [segment(500, 1000)])
    bench.tick(1)
    await settled()
    bench.tick(80)
    expect(told(bench)).to.deep.equal([])
    expect(bench.deck.positionMs).to.equal(81 * 20)
    bench.deck.close()
  })
})
