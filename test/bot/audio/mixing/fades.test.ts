import { expect } from 'chai'
import { openOpusCodecs, type OpusCodecs } from '../../../../bot/audio/mixing/opus-codecs.ts'
import { SILENCE } from '../../../../bot/audio/containers/opus.ts'
import { FrameWindow } from '../../../../bot/audio/playback/frame-buffer.ts'
import type { Playable } from '../../../../bot/sources/source.ts'
import { eventually } from '../../../support/service.ts'
import { useOpener } from '../../../support/opener.ts'
import { amplitude, decibels, decodeFrames, predictionResidual } from '../../../support/sound.ts'
import { tempFolder } from '../folder.ts'
import { createBench } from '../playback/track-player-bench.ts'
import { ffmpegOnce } from '../../../support/made-once.ts'

const HZ = 3000
const LEVEL = 0.25
const SOUND = { volume: 100, muted: false, paused: false, fadeMs: 150 }
const PLAY = { botId: '1', guildId: '2', playId: 1, positionMs: 0, ...SOUND }
/** 150 ms, and the rest of the last one. */
const FADE_FRAMES = 8
/** The decoder drops 80 ms at the start. */
const DROPPED_FRAMES = 4

type Bench = ReturnType<typeof createBench>

function isSwitched({ recorder }: Bench): boolean {
  return recorder.read().entries.some(({ kind }) => kind === 'sound')
}

/** Frames `from` to `to`, as a listener hears them. */
async function heard({ sent }: Bench, from: number, to: number) {
  const { left } = await decodeFrames(sent)
  return left.subarray((from - DROPPED_FRAMES) * 960, (to - DROPPED_FRAMES) * 960)
}

function switched(bench: Bench): Promise<number> {
  return bench.during(
    eventually(
      () => isSwitched(bench),
      (is) => is,
    ),
  )
}

describe('a fade', () => {
  const folder = tempFolder()
  const { open } = useOpener(400)
  let codecs: OpusCodecs
  let tone: Playable

  before(async () => {
    codecs = await openOpusCodecs()
    const path = folder.path('tone.opus')
    const sound = `aevalsrc=${LEVEL}*sin(${HZ}*2*PI*t)|${LEVEL}*sin(${HZ}*2*PI*t):s=48000:d=30`
    ffmpegOnce(['-f', 'lavfi', '-i', sound, '-c:a', 'libopus', '-b:a', '128k'], path)
    tone = { kind: 'file', path, codec: 'ogg-opus' }
  })
  after(() => codecs.close())

  async function playing(frames: number, from: OpusCodecs | null = codecs) {
    const bench = createBench(open, from)
    await bench.deck.play({ ...PLAY, playable: tone })
    bench.tick(frames)
    return bench
  }

  const plainFrames = async (frames: number) => {
    const bench = await playing(frames, null)
    bench.deck.close()
    return bench.sent
  }

  it('of a pause ends in silence without a click, and what comes after a resume rises from it', async () => {
    const bench = await playing(100)
    await bench.during(bench.deck.setSound({ ...SOUND, paused: true }))
    bench.tick(20)
    const pausedAtMs = bench.deck.positionMs
    const fadedAt = pausedAtMs / 20
    expect(bench.sent.slice(fadedAt).every((frame) => frame.equals(SILENCE))).to.equal(true)
    expect(bench.isResting()).to.equal(true)
    expect(bench.events.at(-1)).to.include({ type: 'position', positionMs: pausedAtMs })
    const resumedAt = bench.sent.length
    await bench.deck.setSound(SOUND)
    bench.tick(100)
    bench.deck.close()
    expect(bench.deck.positionMs).to.equal(0)
    const plain = await plainFrames(fadedAt + 100)
    const isPlain = (at: number, frame: number) => bench.sent[at]!.equals(plain[frame]!)
    expect(isPlain(99, 99)).to.equal(true)
    expect(isPlain(resumedAt + FADE_FRAMES - 1, fadedAt + FADE_FRAMES - 1)).to.equal(false)
    for (let i = FADE_FRAMES; i < 100; i++) expect(isPlain(resumedAt + i, fadedAt + i), `frame ${i}`).to.equal(true)
    expect(predictionResidual(await heard(bench, 10, bench.sent.length - 10), [HZ])).to.be.below(0.01)
    // Half of the way down it has half the amplitude, and a quarter of a frame more or less.
    const middle = await heard(bench, fadedAt - 5, fadedAt - 3)
    expect(amplitude(middle, HZ)).to.be.within(LEVEL * 0.25, LEVEL * 0.75)
  })

  it('of a seek goes down where it was and up where it goes, and tells where it is', async () => {
    const bench = await playing(100)
    const jumpedAt = 100 + (await bench.during(bench.deck.seek(20_000)))
    bench.tick(50)
    bench.deck.close()
    const position = bench.events.findLast(({ type }) => type === 'position')
    expect(position).to.have.property('positionMs').that.is.within(20_000, 21_100)
    const samples = await heard(bench, 10, jumpedAt + 45)
    expect(predictionResidual(samples, [HZ])).to.be.below(0.01)
    const quietest = Math.min(
      ...Array.from({ length: 40 }, (_, i) => {
        const at = (jumpedAt - 35 + i - 10) * 960
        return amplitude(samples.subarray(at, at + 960), HZ)
      }),
    )
    expect(quietest).to.be.below(LEVEL * 0.1)
    expect(decibels(amplitude(samples.subarray(-9600), HZ), LEVEL)).to.be.closeTo(0, 0.3)
  })

  it('of a stop is over before the next track begins, which begins as it is', async () => {
    const bench = await playing(100)
    const stopped = bench.deck.stop()
    expect(bench.deck.positionMs, 'it is still there').to.equal(2000)
    await bench.during(bench.deck.play({ ...PLAY, playId: 2, playable: tone }))
    await stopped
    bench.tick(50)
    bench.deck.close()
    const plain = await plainFrames(50)
    const at = bench.sent.findLastIndex((frame) => frame.equals(plain[0]!))
    expect(at).to.be.at.least(100 + FADE_FRAMES)
    for (let i = 0; i < 40; i++) expect(bench.sent[at + i]!.equals(plain[i]!), `frame ${i}`).to.equal(true)
    expect(
      bench.events.map(({ type, playId }) => `${type} ${playId}`).filter((it) => !it.startsWith('pos')),
    ).to.deep.equal(['trackStarted 1', 'trackStarted 2'])
    const fading = await heard(bench, 90, at)
    expect(predictionResidual(fading.subarray(0, 9600 * 2), [HZ])).to.be.below(0.01)
  })

  it('that is to come in ends at once where a stop comes before its first frame, and the next track begins', async () => {
    const bench = createBench(open, codecs)
    await bench.deck.play({ ...PLAY, positionMs: 1000, playable: tone })
    const stopped = bench.deck.stop()
    await bench.deck.play({ ...PLAY, playId: 2, playable: tone })
    await stopped
    bench.tick(10)
    bench.deck.close()
    const plain = await plainFrames(10)
    expect(bench.sent.some((frame) => frame.equals(plain[0]!))).to.equal(true)
  })

  it('takes none of the time of what is not heard: paused, muted, starved, away, or without codecs', async () => {
    const none = await openOpusCodecs(0)
    const cases: readonly ((bench: Bench) => unknown)[] = [
      (bench) => bench.during(bench.deck.setSound({ ...SOUND, paused: true })),
      ({ deck }) => deck.setSound({ ...SOUND, muted: true }),
      ({ outlet }) => (outlet.isSendable = false),
    ]
    for (const prepare of cases) {
      const bench = await playing(50)
      await prepare(bench)
      await bench.deck.stop()
      expect(bench.deck.positionMs).to.equal(0)
      bench.deck.close()
    }
    const poor = await playing(50, none)
    const stopped = poor.deck.stop()
    poor.tick(1)
    await stopped
    expect(poor.deck.positionMs).to.equal(0)
    poor.deck.close()

    const window = new FrameWindow({ startSamples: 0, preSkip: 312, onClose: () => undefined })
    const starved = createBench(async () => window, codecs)
    window.push(Buffer.from([0xfc, 1, 2, 3]))
    await starved.deck.play({ ...PLAY, playable: tone })
    starved.tick(5)
    const ended = starved.deck.stop()
    starved.tick(1)
    await ended
    expect(starved.deck.positionMs).to.equal(0)
    starved.deck.close()
  })

  it('is heard again when a second seek takes the place of the first, and cannot be opened', async () => {
    let isBroken = false
    const bench = createBench(async (...wish) => {
      if (isBroken) throw new Error('gone')
      return open(...wish)
    }, codecs)
    await bench.deck.play({ ...PLAY, playable: tone })
    bench.tick(100)
    const first = bench.deck.seek(10_000)
    // The first seek fades out meanwhile.
    await bench.during(
      (async () => {
        const before = bench.sent.length
        while (bench.sent.length < before + 300 && !bench.sent.at(-1)!.equals(SILENCE)) {
          await new Promise((resolve) => setTimeout(resolve, 1))
          if (bench.deck.positionMs < 10_000) continue
          break
        }
      })(),
    )
    isBroken = true
    const second = bench.deck.seek(20_000).catch((error: unknown) => error)
    await bench.during(Promise.all([first.catch(() => undefined), second]))
    bench.tick(50)
    bench.deck.close()
    const end = await heard(bench, bench.sent.length - 20, bench.sent.length - 5)
    expect(decibels(amplitude(end, HZ), LEVEL)).to.be.closeTo(0, 0.3)
  })

  it('gives its codec back, so that as many as may can fade after each other', async () => {
    const few = await openOpusCodecs(1)
    const bench = await playing(100, few)
    for (let round = 0; round < 3; round++) {
      await bench.during(bench.deck.setSound({ ...SOUND, paused: true }))
      await bench.deck.setSound(SOUND)
      bench.tick(20)
      const codec = few.acquire()
      expect(codec, `round ${round}`).not.to.equal(null)
      few.release(codec!)
    }
    bench.deck.close()
    few.close()
  })

  describe('to another volume', () => {
    it('is over with the next frame, and frames pass through again when they are made at it', async () => {
      const bench = await playing(100)
      await bench.deck.setSound({ ...SOUND, volume: 25 })
      expect(isSwitched(bench), 'it waits for nothing').to.equal(false)
      bench.tick(20)
      const switchedAt = 120 + (await switched(bench))
      bench.tick(50)
      bench.deck.close()
      const samples = await heard(bench, DROPPED_FRAMES, bench.sent.length)
      expect(predictionResidual(samples.subarray(9600), [HZ])).to.be.below(0.02)
      const level = (frame: number, count = 8) => {
        const at = (frame - DROPPED_FRAMES) * 960
        return decibels(amplitude(samples.subarray(at, at + count * 960), HZ), LEVEL)
      }
      expect(level(90), 'before').to.be.closeTo(0, 0.3)
      expect(level(102), 'a frame after').to.be.closeTo(-12, 0.5)
      expect(level(switchedAt - 4), 'around the switch').to.be.closeTo(-12, 0.7)
      expect(level(switchedAt + 30), 'much later').to.be.closeTo(-12, 0.3)
    })

    it('stays where the track cannot be opened again, and returns from there', async () => {
      let isGone = false
      const bench = createBench(async (...wish) => {
        if (isGone) throw new Error('gone')
        return open(...wish)
      }, codecs)
      await bench.deck.play({ ...PLAY, playable: tone })
      bench.tick(50)
      isGone = true
      await bench.deck.setSound({ ...SOUND, volume: 1642 })
      bench.tick(50)
      await bench.deck.setSound({ ...SOUND, volume: 50 })
      bench.tick(50)
      await bench.deck.setSound(SOUND)
      bench.tick(50)
      bench.deck.close()
      const plain = await plainFrames(200)
      expect(bench.sent[199]!.equals(plain[199]!)).to.equal(true)
      const clipped = (await heard(bench, 60, 90)).map(Math.abs)
      expect(Math.max(...clipped)).to.be.within(0.9, 1.3)
      expect(decibels(amplitude(await heard(bench, 110, 140), HZ), LEVEL)).to.be.closeTo(-6, 0.3)
    })

    it('comes with its source where all codecs are in use', async () => {
      const none = await openOpusCodecs(0)
      const bench = await playing(50, none)
      await bench.during(bench.deck.setSound({ ...SOUND, volume: 25 }))
      expect(isSwitched(bench)).to.equal(true)
      bench.deck.close()
    })
  })
})
