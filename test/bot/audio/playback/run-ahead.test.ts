import { expect } from 'chai'
import { FrameWindow } from '../../../../bot/audio/playback/frame-buffer.ts'
import { createBench } from './track-player-bench.ts'

const SOUND = { volume: 100, muted: false, paused: false }
const PLAYABLE = { kind: 'file', path: '/endless.ogg', codec: 'ogg-opus' } as const

/** A track whose frames say which one they are, and which has no end. */
function endless() {
  const window = new FrameWindow({ startSamples: 0, preSkip: 0, onClose: () => undefined })
  let pushed = 0
  const fill = () => {
    while (!window.isFull) window.push(frame(pushed++))
  }
  fill()
  return { window, fill }
}

function frame(i: number): Buffer {
  const bytes = Buffer.alloc(8, 0xfc)
  bytes.writeUInt32BE(i, 4)
  return bytes
}

async function playing() {
  const { window, fill } = endless()
  const bench = createBench(async () => window)
  await bench.deck.play({ botId: '1', guildId: '2', playId: 1, playable: PLAYABLE, positionMs: 0, ...SOUND })
  const runs: number[] = []
  const { prepareRun } = bench.outlet
  bench.outlet.prepareRun = (frames) => {
    runs.push(frames.length)
    return prepareRun(frames)
  }
  return { ...bench, window, fill, runs }
}

function numbers(frames: readonly Buffer[]): number[] {
  return frames.filter(({ length }) => length === 8).map((one) => one.readUInt32BE(4))
}

function upTo(count: number): number[] {
  return Array.from({ length: count }, (_, i) => i)
}

describe('frames that are made ready ahead', () => {
  it('go out in their order, each once, wherever between two of them somebody asks where the track is', async () => {
    const { deck, tick, sent, fill, runs, counts, recorder, events } = await playing()
    for (let i = 1; i <= 400; i++) {
      tick()
      fill()
      if ((i * i) % 7 === 3) expect(deck.positionMs).to.equal(i * 20)
    }
    expect(numbers(sent)).to.deep.equal(upTo(400))
    expect(Math.max(...runs)).to.be.greaterThan(8)
    expect(deck.positionMs).to.equal(8000)
    expect(counts).to.include({ sent: 400, nulled: 0, late: 0 })
    expect(recorder.read().spans.reduce((sum, span) => sum + span.sent, 0)).to.equal(400)
    const told = events.flatMap((event) => (event.type === 'position' ? [event.positionMs] : []))
    expect(told.length).to.be.within(7, 9)
  })

  it('tell the position at the frame at which it would have been told', async () => {
    const { tick, sent, fill, events, runs } = await playing()
    for (let i = 1; i <= 300; i++) {
      const before = events.length
      tick()
      fill()
      for (const event of events.slice(before))
        if (event.type === 'position') expect(event.positionMs).to.equal(sent.length * 20)
    }
    expect(runs).not.to.have.length(0)
  })

  it('give way at the next frame to a mute, a pause and a stop', async () => {
    for (const [what, act] of Object.entries({
      mute: (deck: BenchPlayer) => deck.setSound({ ...SOUND, muted: true }),
      pause: (deck: BenchPlayer) => deck.setSound({ ...SOUND, paused: true }),
      stop: (deck: BenchPlayer) => deck.stop(),
    })) {
      for (let frames = 60; frames < 90; frames++) {
        const { deck, tick, sent } = await playing()
        tick(frames)
        await act(deck)
        tick(30)
        expect(numbers(sent), what).to.deep.equal(upTo(frames))
        if (what === 'pause') expect(deck.positionMs).to.equal(frames * 20)
        if (what === 'mute') expect(deck.positionMs).to.equal((frames + 30) * 20)
      }
    }
  })

  it('wait while they may not go out, and continue with the very next one', async () => {
    const { tick, sent, outlet } = await playing()
    tick(70)
    outlet.isSendable = false
    tick(20)
    expect(numbers(sent)).to.deep.equal(upTo(70))
    outlet.isSendable = true
    tick(70)
    expect(numbers(sent)).to.deep.equal(upTo(140))
  })

  it('are none near the end of a track', async () => {
    const { tick, window, runs } = await playing()
    tick(60)
    window.end()
    tick(30)
    runs.length = 0
    tick(100)
    expect(runs).to.deep.equal([])
  })
})

type BenchPlayer = Awaited<ReturnType<typeof createBench>>['deck']
