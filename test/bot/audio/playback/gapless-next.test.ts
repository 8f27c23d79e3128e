import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import type { NextTrack } from '../../../../bot/audio/node/protocol.ts'
import type { Filters } from '../../../../bot/player/audio-settings/filters.ts'
import type { Playable } from '../../../../bot/sources/source.ts'
import { useOpener } from '../../../support/opener.ts'
import { amplitude, decode, decodeFrames, longestSilenceMs, slice } from '../../../support/sound.ts'
import { createBench } from './track-player-bench.ts'
import { tempFolder } from '../folder.ts'
import { ffmpegOnce } from '../../../support/made-once.ts'

const SOUND = { volume: 100, muted: false, paused: false }
const PLAY = { botId: '1', guildId: '2', playId: 1, positionMs: 0, ...SOUND }
/** Sample inside a frame in every frame grid. */
const CUT = 123_457
/** The decoder drops 80 ms at the start. */
const DROPPED = 3840

describe('a track that follows another', () => {
  const folder = tempFolder()
  const { open, settled } = useOpener(500)
  const file = (name: string): Playable => {
    return { kind: 'file', path: folder.path(name), codec: name.endsWith('.opus') ? 'ogg-opus' : 'other' }
  }

  before(() => {
    // 200 Hz to 2 kHz in 5 s, in one piece and cut in two.
    const sweep = 'aevalsrc=0.3*sin(2*PI*(200*t+180*t*t)):s=48000:d=5,aformat=channel_layouts=stereo'
    const parts = [
      ['whole', 'anull'],
      ['first', `atrim=end_sample=${CUT}`],
      ['second', `atrim=start_sample=${CUT},asetpts=PTS-STARTPTS`],
    ] as const
    for (const [name, cut] of parts) {
      for (const coder of [`-c:a flac ${name}.flac`, `-c:a libopus -b:a 256k ${name}.opus`]) {
        const to = coder.split(' ')
        const path = folder.path(to.pop()!)
        ffmpegOnce(['-f', 'lavfi', '-i', `${sweep},${cut}`, ...to], path)
      }
    }
  })

  /** Plays one track and then another, to the end of both. */
  async function playBoth(first: string, next: Omit<NextTrack, 'playId'>, filters: Filters = {}) {
    const bench = createBench(open)
    await bench.deck.play({ ...PLAY, playable: file(first), filters })
    bench.deck.prepare({ ...next, playId: 2 })
    bench.tick(1)
    // The second one is being opened; then time may fly again.
    await settled()
    for (let i = 0; i < 5000 && !bench.isResting(); i++) {
      bench.tick(1)
      await sleep(1)
    }
    bench.deck.close()
    return { bench, sound: await decodeFrames(bench.sent) }
  }

  for (const [first, second, tolerance] of [
    ['first.flac', 'second.flac', 0.02],
    ['first.opus', 'second.flac', 0.03],
    ['first.flac', 'second.opus', 0.03],
    ['first.opus', 'second.opus', 0.03],
  ] as const) {
    it(`${first} and ${second}: two halves of one sweep come out as one, sample by sample`, async () => {
      const { bench, sound } = await playBoth(first, { playable: file(second), isSeamless: true })
      const whole = await decode(folder.path('whole.flac'))
      const samples = Math.min(sound.left.length, whole.left.length - DROPPED)
      let worst = 0
      for (let i = 4800; i < samples - 4800; i++) {
        // The decoded sound of a frame starts 312 samples before its position.
        worst = Math.max(worst, Math.abs(sound.left[i]! - whole.left[i + DROPPED - 312]!))
      }
      expect(worst).to.be.below(tolerance)
      expect(bench.counts.nulled).to.equal(0)
      expect(bench.sent.length, '5 s, the delay of the encoder and the tail').to.be.within(250, 257)
      const told = bench.events.filter(({ type }) => type !== 'position')
      expect(told.map(({ type, playId }) => `${type} ${playId}`)).to.deep.equal([
        'trackStarted 1',
        'trackEnded 1',
        'trackStarted 2',
        'trackEnded 2',
      ])
      expect(told[1]).to.include({ reason: 'finished', followedBy: 2 })
    })
  }

  it('joins at the nearest frame where both pass through, with less than a frame of silence', async () => {
    const { bench, sound } = await playBoth('first.opus', { playable: file('second.opus'), isSeamless: false })
    const joint = (CUT - DROPPED) / 48_000
    expect(longestSilenceMs(slice(sound, joint - 0.5, joint + 0.5), 0.01)).to.be.below(20)
    expect(bench.sent.length).to.be.within(249, 257)
    const plain = createBench(open)
    await plain.deck.play({ ...PLAY, playable: file('second.opus') })
    plain.tick(50)
    plain.deck.close()
    const at = bench.sent.findIndex((frame) => frame.equals(plain.sent[0]!))
    expect(bench.sent.slice(at, at + 50).every((frame, i) => frame.equals(plain.sent[i]!))).to.equal(true)
  })

  it('is joined without a seam under filters, too', async () => {
    const filters = { channelMix: { leftToLeft: 0.5, leftToRight: 0.5, rightToLeft: 0.5, rightToRight: 0.5 } }
    const { sound } = await playBoth('first.opus', { playable: file('second.opus'), isSeamless: false }, filters)
    const whole = await decode(folder.path('whole.flac'))
    let worst = 0
    for (let i = CUT - DROPPED - 4800; i < CUT - DROPPED + 4800; i++) {
      worst = Math.max(worst, Math.abs(sound.left[i]! - whole.left[i + DROPPED - 312]!))
    }
    expect(worst).to.be.below(0.03)
    expect(amplitude(sound.right.subarray(48_000, 96_000), 700)).to.be.above(0)
  })

  it('is forgotten when something else is played, when it is taken back, and when it cannot be opened', async () => {
    const types = async (prepare: (bench: ReturnType<typeof createBench>) => void) => {
      const bench = createBench(open)
      await bench.deck.play({ ...PLAY, playable: file('first.opus') })
      prepare(bench)
      bench.tick(1)
      await settled()
      bench.tick(150)
      bench.deck.close()
      return bench.events.filter(({ type }) => type !== 'position').map(({ type, playId }) => `${type} ${playId}`)
    }
    const next = { playId: 2, playable: file('second.opus'), isSeamless: true }
    const once = ['trackStarted 1', 'trackEnded 1']
    const takenBack = await types(({ deck }) => {
      deck.prepare(next)
      deck.prepare(null)
    })
    expect(takenBack).to.deep.equal(once)
    expect(await types(({ deck }) => deck.prepare({ ...next, playable: file('gone.flac') }))).to.deep.equal(once)
    const stopped = await types(({ deck }) => {
      deck.prepare(next)
      void deck.stop()
    })
    expect(stopped).to.deep.equal([])
  })
})
