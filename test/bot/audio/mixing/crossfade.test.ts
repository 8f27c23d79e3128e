import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { openOpusCodecs, type OpusCodecs } from '../../../../bot/audio/mixing/opus-codecs.ts'
import type { NextTrack } from '../../../../bot/audio/node/protocol.ts'
import type { Playable } from '../../../../bot/sources/source.ts'
import { useOpener } from '../../../support/opener.ts'
import { amplitude, decibels, decodeFrames, predictionResidual } from '../../../support/sound.ts'
import { tempFolder } from '../folder.ts'
import { createBench } from '../playback/track-player-bench.ts'
import { ffmpegOnce } from '../../../support/made-once.ts'

const SOUND = { volume: 100, muted: false, paused: false }
const PLAY = { botId: '1', guildId: '2', playId: 1, positionMs: 0, ...SOUND }
const [LOW, HIGH] = [3000, 5000]
const LEVEL = 0.25
const TRACK_SECONDS = 8
const OVERLAP_SECONDS = 3
/** The decoder drops 80 ms at the start. */
const START = TRACK_SECONDS - OVERLAP_SECONDS - 0.08

/** In seconds. */
function part(samples: Float32Array, from: number, to: number): Float32Array {
  return samples.subarray(Math.round(from * 48_000), Math.round(to * 48_000))
}

function isSame(sent: readonly Buffer[], plain: readonly Buffer[]): boolean {
  return sent.length === plain.length && sent.every((frame, i) => frame.equals(plain[i]!))
}

describe('a crossfade', () => {
  const folder = tempFolder()
  const { open, settled } = useOpener(500)
  let codecs: OpusCodecs
  const file = (name: string): Playable => {
    return { kind: 'file', path: folder.path(name), codec: name.endsWith('.opus') ? 'ogg-opus' : 'other' }
  }

  before(async () => {
    codecs = await openOpusCodecs()
    for (const [name, hz, seconds] of [
      ['low', LOW, TRACK_SECONDS],
      ['high', HIGH, TRACK_SECONDS],
      ['short', HIGH, OVERLAP_SECONDS * 1.9],
    ] as const) {
      const tone = `aevalsrc=${LEVEL}*sin(${hz}*2*PI*t)|${LEVEL}*sin(${hz}*2*PI*t):s=48000:d=${seconds}`
      for (const end of [`-c:a libopus -b:a 128k ${name}.opus`, `${name}.flac`]) {
        const args = end.split(' ')
        const path = folder.path(args.pop()!)
        ffmpegOnce(['-f', 'lavfi', '-i', tone, ...args], path)
      }
    }
  })
  after(() => codecs.close())

  type Bench = ReturnType<typeof createBench>

  /** Plays one track and has the other one follow. */
  async function begin(first: string, next: Partial<NextTrack> & { readonly name: string }, from = codecs) {
    const bench = createBench(open, from)
    await bench.deck.play({ ...PLAY, playable: file(first) })
    const { name, ...how } = next
    const playable = file(name)
    bench.deck.prepare({ playId: 2, playable, isSeamless: false, overlapMs: OVERLAP_SECONDS * 1000, ...how })
    bench.tick(1)
    // The second one is being opened; then time may fly again.
    await settled()
    return bench
  }

  async function playOut(bench: Bench): Promise<Bench> {
    for (let i = 0; i < 5000 && !bench.isResting(); i++) {
      bench.tick(1)
      if (i % 5 === 0) await sleep(1)
    }
    bench.deck.close()
    return bench
  }

  const told = (bench: Bench) => bench.events.filter(({ type }) => type !== 'position')
  const heard = async (bench: Bench) => (await decodeFrames(bench.sent)).left
  for (const [first, second] of [
    ['low.opus', 'high.opus'],
    ['low.flac', 'high.opus'],
    ['low.opus', 'high.flac'],
  ] as const) {
    it(`keeps the power of ${first} and ${second} through the overlap, and nothing clicks`, async () => {
      const bench = await playOut(await begin(first, { name: second }))
      const samples = await heard(bench)
      for (let at = START - 0.4; at < START + OVERLAP_SECONDS + 0.4; at += 0.1) {
        const window = part(samples, at, at + 0.1)
        const power = Math.hypot(amplitude(window, LOW), amplitude(window, HIGH))
        expect(Math.abs(decibels(power, LEVEL)), `at ${at.toFixed(2)} s`).to.be.below(0.5)
      }
      const half = part(samples, START + OVERLAP_SECONDS / 2 - 0.05, START + OVERLAP_SECONDS / 2 + 0.05)
      for (const hz of [LOW, HIGH]) expect(decibels(amplitude(half, hz), LEVEL)).to.be.closeTo(-3, 0.4)
      expect(
        predictionResidual(part(samples, 0.5, TRACK_SECONDS * 2 - OVERLAP_SECONDS - 0.5), [LOW, HIGH]),
      ).to.be.below(0.01)
      expect(bench.counts.nulled).to.equal(0)
    })
  }

  it('would be told from a cut, which leaves ten times as much', async () => {
    const bench = await playOut(await begin('low.opus', { name: 'high.opus', overlapMs: 0 }))
    const samples = await heard(bench)
    const [from, to] = [TRACK_SECONDS - 0.5, TRACK_SECONDS + 0.5]
    expect(predictionResidual(part(samples, from, to), [LOW, HIGH])).to.be.above(0.1)
  })

  it('leaves all frames but those of the overlap as they are, and tells of the next track when it begins', async () => {
    const bench = await playOut(await begin('low.opus', { name: 'high.opus' }))
    const [low, high] = [createBench(open), createBench(open)]
    await low.deck.play({ ...PLAY, playable: file('low.opus') })
    await high.deck.play({ ...PLAY, playable: file('high.opus') })
    for (const { tick, deck } of [low, high]) {
      tick(395)
      deck.close()
    }
    const [from, frames] = [Math.round((TRACK_SECONDS - OVERLAP_SECONDS) * 50), OVERLAP_SECONDS * 50]
    expect(isSame(bench.sent.slice(0, from), low.sent.slice(0, from)), 'before').to.equal(true)
    const after = bench.sent.slice(from + frames, from + 390)
    expect(isSame(after, high.sent.slice(frames, 390)), 'after').to.equal(true)
    const mixed = bench.sent.slice(from, from + frames)
    expect(mixed.some((frame, i) => frame.equals(high.sent[i]!))).to.equal(false)
    expect(told(bench).map(({ type, playId }) => `${type} ${playId}`)).to.deep.equal([
      'trackStarted 1',
      'trackEnded 1',
      'trackStarted 2',
      'trackEnded 2',
    ])
    expect(told(bench)[1]).to.include({ reason: 'finished', followedBy: 2 })
    const positions = bench.events.flatMap((event) =>
      event.type === 'position' ? [[event.playId, event.positionMs]] : [],
    )
    expect(positions.findLast(([playId]) => playId === 1)![1]).to.be.within(from * 20 - 1000, from * 20)
    expect(positions.find(([playId]) => playId === 2)![1]).to.equal(1000)
  })

  it('is none where either track is shorter than twice as long: they are joined', async () => {
    for (const [first, second, frames] of [
      ['low.opus', 'short.opus', TRACK_SECONDS + OVERLAP_SECONDS * 1.9],
      ['short.opus', 'low.opus', TRACK_SECONDS + OVERLAP_SECONDS * 1.9],
    ] as const) {
      const bench = await playOut(await begin(first, { name: second }))
      expect(bench.sent.length, `${first} and ${second}`).to.be.within(frames * 50, frames * 50 + 8)
    }
  })

  it('is none where all codecs are in use or there are none: the tracks are joined', async () => {
    const none = await openOpusCodecs(0)
    for (const from of [none, null]) {
      const bench = await playOut(await begin('low.opus', { name: 'high.opus' }, from as OpusCodecs))
      expect(told(bench)).to.have.length(4)
      expect(bench.sent.at(-200)!.length).to.be.above(3)
    }
  })

  it('continues beneath a pause, follows the volume, and ends with a seek', async () => {
    const fadeMs = 150
    const bench = await begin('low.opus', { name: 'high.opus' })
    await bench.deck.setSound({ ...SOUND, fadeMs })
    bench.tick(275)
    await bench.during(bench.deck.setSound({ ...SOUND, fadeMs, paused: true }))
    bench.tick(20)
    const rested = bench.sent.length
    await bench.deck.setSound({ ...SOUND, fadeMs })
    bench.tick(30)
    await bench.during(bench.deck.setSound({ ...SOUND, fadeMs, volume: 25 }))
    bench.tick(25)
    const samples = await decodeFrames(bench.sent).then(({ left }) => left)
    const end = part(samples, samples.length / 48_000 - 0.3, samples.length / 48_000 - 0.1)
    const power = Math.hypot(amplitude(end, LOW), amplitude(end, HIGH))
    expect(amplitude(end, LOW), 'the end of the track before').to.be.above(0.01)
    expect(decibels(power, LEVEL / 4)).to.be.closeTo(0, 0.5)
    const again = part(samples, rested / 50 + 0.2, rested / 50 + 0.4)
    expect(decibels(Math.hypot(amplitude(again, LOW), amplitude(again, HIGH)), LEVEL)).to.be.closeTo(0, 0.5)

    await bench.during(bench.deck.seek(500))
    bench.tick(50)
    bench.deck.close()
    const after = (await decodeFrames(bench.sent)).left
    const last = part(after, after.length / 48_000 - 0.3, after.length / 48_000 - 0.1)
    expect(amplitude(last, LOW)).to.be.below(0.001)
    expect(decibels(amplitude(last, HIGH), LEVEL / 4)).to.be.closeTo(0, 0.5)
  })

  it('sounds through filters that change the speed, and ends with both tracks at it', async () => {
    const filters = { timescale: { speed: 1.25, pitch: 1, rate: 1 } }
    const bench = createBench(open, codecs)
    await bench.deck.play({ ...PLAY, playable: file('low.opus'), filters })
    bench.deck.prepare({ playId: 2, playable: file('high.opus'), isSeamless: false, overlapMs: 2000 })
    bench.tick(1)
    await settled()
    await playOut(bench)
    const frames = ((TRACK_SECONDS * 2) / 1.25 - 2) * 50
    expect(bench.sent.length).to.be.within(frames - 5, frames + 10)
    expect(bench.counts.nulled).to.equal(0)
    const samples = await heard(bench)
    const mid = (TRACK_SECONDS / 1.25 - 1 - 0.08) * 48_000
    for (const hz of [LOW, HIGH]) {
      expect(decibels(amplitude(samples.subarray(mid - 4800, mid + 4800), hz), LEVEL)).to.be.closeTo(-3, 1)
    }
  })
})
