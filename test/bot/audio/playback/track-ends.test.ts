import { expect } from 'chai'
import { SAMPLES_PER_MS } from '../../../../bot/audio/containers/opus.ts'
import type { OpenFrames } from '../../../../bot/audio/input/open-frames.ts'
import { exceptionOf } from '../../../../bot/audio/node/track-exception.ts'
import { FrameWindow } from '../../../../bot/audio/playback/frame-buffer.ts'
import { Fault, unplayable } from '../../../../lib/errors.ts'
import { eventually } from '../../../support/service.ts'
import { createBench } from './track-player-bench.ts'

const SOUND = { volume: 100, muted: false, paused: false }
const PLAYABLE = { kind: 'file', path: 'x', codec: 'other' } as const
const PLAY = { botId: '1', guildId: '2', playId: 1, playable: PLAYABLE, positionMs: 0, ...SOUND }
const FRAME = Buffer.from([0xfc, 1, 2, 3])

/** A track of ten seconds, whose frames are all there at once. */
function frames(count: number, startSamples = 0, failure?: Fault): FrameWindow {
  const window = new FrameWindow({ startSamples, preSkip: 0, onClose: () => undefined })
  for (let i = startSamples / SAMPLES_PER_MS / 20; i < count; i++) window.push(FRAME)
  window.end(failure ? { failure } : {})
  return window
}

const open: OpenFrames = async (_, { startSamples }) => frames(500, startSamples)

/** A source that opens when told, and the positions at which it was asked for. */
function slowly() {
  const askedMs: number[] = []
  const waiting: (() => void)[] = []
  const openLater: OpenFrames = async (_, { startSamples }, signal) => {
    askedMs.push(startSamples / SAMPLES_PER_MS)
    await new Promise<void>((resolve, reject) => {
      waiting.push(resolve)
      signal.addEventListener('abort', () => reject(signal.reason as Error))
    })
    return frames(500, startSamples)
  }
  const asked = (count: number) =>
    eventually(
      () => askedMs.length,
      (length) => length >= count,
    )
  return { open: openLater, askedMs, asked, release: () => waiting.splice(0).forEach((resolve) => resolve()) }
}

function told({ events }: ReturnType<typeof createBench>): string[] {
  return events
    .filter(({ type }) => type !== 'position')
    .map((event) => ('reason' in event ? event.reason : event.type))
}

describe('where a track ends and begins', () => {
  it('ends at the wanted end, with the frame there, as if it were over', async () => {
    const bench = createBench(open)
    await bench.deck.play({ ...PLAY, endMs: 2000 })
    bench.tick(200)
    expect(told(bench)).to.deep.equal(['trackStarted', 'finished'])
    // And five frames of silence.
    expect(bench.sent).to.have.length(105)
    expect(bench.deck.playId).to.equal(null)
  })

  it('takes another end while it plays, none, and ignores one that lies behind', async () => {
    const bench = createBench(open)
    await bench.deck.play({ ...PLAY, positionMs: 1000, endMs: 500 })
    bench.deck.setEnd(1, 3000)
    bench.deck.setEnd(2, 1100)
    bench.tick(50)
    bench.deck.setEnd(1, 1500)
    bench.tick(100)
    expect(bench.deck.positionMs).to.equal(4000)
    bench.deck.setEnd(1, 5000)
    bench.deck.setEnd(1, null)
    bench.tick(100)
    expect(told(bench)).to.deep.equal(['trackStarted'])
    bench.deck.setEnd(1, 7000)
    bench.tick(60)
    expect(told(bench)).to.deep.equal(['trackStarted', 'finished'])
  })

  it('ends when a seek leads past its end, paused or not', async () => {
    for (const paused of [false, true]) {
      const bench = createBench(open)
      await bench.deck.play({ ...PLAY, paused, endMs: 5000 })
      bench.tick(10)
      await bench.deck.seek(5000)
      expect(bench.events.at(-1)).to.include({ type: 'trackEnded', reason: 'finished', playId: 1 })
      expect(bench.deck.playId).to.equal(null)
    }
  })

  it('opens where a seek leads that comes before its first frame', async () => {
    const source = slowly()
    const bench = createBench(source.open)
    const playing = bench.deck.play({ ...PLAY, endMs: 9000 })
    await bench.deck.seek(3000)
    await bench.deck.seek(4000)
    expect(bench.deck.positionMs).to.equal(4000)
    await source.asked(2)
    source.release()
    await playing
    bench.tick(51)
    expect(source.askedMs).to.deep.equal([0, 4000])
    expect(bench.events.find(({ type }) => type === 'position')).to.include({ positionMs: 5000 })
    bench.tick(250)
    expect(told(bench)).to.deep.equal(['trackStarted', 'finished'])
  })

  it('resumes where a seek in its pause leads, and not before it is there', async () => {
    const source = slowly()
    const bench = createBench(source.open)
    const playing = bench.deck.play(PLAY)
    source.release()
    await playing
    bench.tick(10)
    await bench.deck.setSound({ ...SOUND, paused: true })
    bench.tick(10)
    const seeking = bench.deck.seek(5000)
    const resuming = bench.deck.setSound(SOUND)
    bench.tick(10)
    expect(bench.deck.positionMs).to.equal(200)
    await source.asked(2)
    source.release()
    await Promise.all([seeking, resuming])
    bench.tick(10)
    expect(bench.deck.positionMs).to.equal(5200)
    bench.deck.close()
  })

  it('stays paused when a pause overtakes a resume that waits for a seek', async () => {
    const source = slowly()
    const bench = createBench(source.open)
    const playing = bench.deck.play({ ...PLAY, paused: true })
    source.release()
    await playing
    const seeking = bench.deck.seek(5000)
    const resuming = bench.deck.setSound(SOUND)
    const pausing = bench.deck.setSound({ ...SOUND, paused: true })
    await source.asked(2)
    source.release()
    await Promise.all([seeking, resuming, pausing])
    bench.tick(10)
    expect(bench.deck.positionMs).to.equal(5000)
    expect(bench.sent).to.deep.equal([])
    bench.deck.close()
  })

  it('tells nothing of a track that is sought while it opens and replaced before it did', async () => {
    const source = slowly()
    const bench = createBench(source.open)
    const replaced = bench.deck.play(PLAY).catch((error: unknown) => error)
    await bench.deck.seek(3000)
    const playing = bench.deck.play({ ...PLAY, playId: 2 })
    source.release()
    await playing
    expect(await replaced).to.include({ code: 'conflict' })
    bench.tick(2)
    expect(bench.events).to.deep.equal([{ type: 'trackStarted', playId: 2 }])
    bench.deck.close()
  })

  it('tells why a track broke off, once all of it that came has been heard', async () => {
    const failure = new Fault('upstream_failed', 'The host hung up.', { reason: 'unreachable' })
    const bench = createBench(async () => frames(20, 0, failure))
    await bench.deck.play(PLAY)
    bench.tick(40)
    expect(bench.events.at(-1)).to.deep.equal({
      type: 'trackEnded',
      playId: 1,
      reason: 'loadFailed',
      message: 'The host hung up.',
      exception: { message: 'The host hung up.', severity: 'suspicious', cause: 'unreachable: The host hung up.' },
    })
    expect(bench.sent).to.have.length(25)
  })

  it('tells that a source is stuck after the time that is wanted', async () => {
    const window = new FrameWindow({ startSamples: 0, preSkip: 0, onClose: () => undefined })
    for (let i = 0; i < 10; i++) window.push(FRAME)
    const bench = createBench(async () => window, null, { stuckMs: 500 })
    await bench.deck.play(PLAY)
    bench.tick(40)
    expect(bench.events.at(-1)).to.deep.equal({ type: 'trackStuck', playId: 1, waitedMs: 500, thresholdMs: 500 })
    bench.deck.close()
  })

  it('runs on where frames go nowhere, and counts none of them', async () => {
    const bench = createBench(open)
    await bench.deck.play(PLAY)
    bench.tick(50)
    Object.assign(bench.outlet, { isUnheard: true })
    bench.tick(450)
    bench.tick(10)
    expect(told(bench)).to.deep.equal(['trackStarted', 'finished'])
    expect(bench.counts.sent).to.equal(50)
  })
})

describe('the exception of a track', () => {
  const cases: readonly (readonly [string, unknown, string])[] = [
    ['common for one that is private', unplayable('It is private.', 'private'), 'common'],
    ['common for one that is gone', new Fault('not_found', 'It is gone.'), 'common'],
    ['common for an address that may not be opened', unplayable('Not public.', 'address_refused'), 'common'],
    ['suspicious for a source that refuses us', unplayable('It refuses us.', 'source_refused'), 'suspicious'],
    ['suspicious for a source that failed', new Fault('upstream_failed', 'It failed.'), 'suspicious'],
    ['suspicious for one that takes too long', new Fault('timed_out', 'Too slow.'), 'suspicious'],
    ['fault for a bug of ours', new TypeError('x is not a function'), 'fault'],
  ]
  for (const [title, error, severity] of cases) {
    it(`is ${title}`, () => expect(exceptionOf(error).severity).to.equal(severity))
  }

  it('names what callers may know, and nothing of a bug', () => {
    const error = new Fault('upstream_failed', 'It failed.', { cause: new Error('secret'), reason: 'unreachable' })
    expect(exceptionOf(error)).to.deep.equal({
      message: 'It failed.',
      severity: 'suspicious',
      cause: 'unreachable: It failed.',
    })
    expect(JSON.stringify(exceptionOf(new Error('secret')))).to.not.include('secret')
  })
})
