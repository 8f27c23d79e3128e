import { expect } from 'chai'
import { FrameClock } from '../../../../bot/audio/playback/frame-clock.ts'

/** A clock in the hand: time moves when told, timers fire in order and, where wanted, late. */
function handClock() {
  let nowMs = 1000
  let timers: { atMs: number; run: () => void }[] = []
  const errors: unknown[] = []
  let wakes = 0
  const clock = new FrameClock({
    now: () => nowMs,
    wake: (delayMs, run) => {
      const timer = { atMs: nowMs + delayMs, run }
      timers.push(timer)
      return () => void (timers = timers.filter((other) => other !== timer))
    },
    onError: (error) => errors.push(error),
  })
  function advance(ms: number): void {
    const untilMs = nowMs + ms
    for (;;) {
      const next = timers.toSorted((a, b) => a.atMs - b.atMs)[0]
      if (!next || next.atMs > untilMs) break
      timers = timers.filter((timer) => timer !== next)
      nowMs = Math.max(nowMs, next.atMs)
      wakes++
      next.run()
    }
    nowMs = untilMs
  }
  return {
    clock,
    errors,
    advance,
    /** Nothing runs for this long. */
    stall: (ms: number) => void (nowMs += ms),
    now: () => nowMs,
    pending: () => timers.length,
    wakes: () => wakes,
  }
}

/** Number of players that tick at each moment of the first 20 ms. */
function perMoment(players: number): number[] {
  const hand = handClock()
  const ticks = new Map<number, number>()
  for (let i = 0; i < players; i++) hand.clock.add(() => ticks.set(hand.now(), (ticks.get(hand.now()) ?? 0) + 1))
  hand.advance(19.9)
  return [...ticks.values()]
}

describe('the frame clock', () => {
  it('ticks fifty times a second for each player and never drifts', () => {
    const hand = handClock()
    const times: number[] = []
    hand.clock.add(() => times.push(hand.now()))
    hand.advance(60_000)
    expect(times).to.have.length.within(2999, 3001)
    const first = times[0]!
    for (const [i, time] of times.entries()) expect(Math.abs(time - first - i * 20)).to.be.below(1.01)
  })

  it('sends the frames of fifty players at one moment, and those of more spread over the 20 ms', () => {
    expect(perMoment(50)).to.deep.equal([50])
    expect(perMoment(120)).to.deep.equal([50, 50, 20])
    expect(perMoment(300)).to.deep.equal([60, 60, 60, 60, 60])
  })

  it('wakes no more often when players come and go', () => {
    const hand = handClock()
    const leave = Array.from({ length: 100 }, () => hand.clock.add(() => {}))
    for (const end of leave.slice(0, 50)) end()
    for (let i = 0; i < 40; i++) hand.clock.add(() => {})
    for (const end of leave.slice(50, 60)) end()
    hand.advance(1000)
    expect(hand.wakes()).to.be.within(99, 101)
  })

  it('sends every frame that a stall held up, one at a time, within half a second', () => {
    const hand = handClock()
    const times: number[] = []
    hand.clock.add(() => times.push(hand.now()))
    hand.advance(1000)
    const before = times.length
    hand.stall(400)
    hand.advance(600)
    expect(times.length - before).to.be.within(49, 51)
    const gaps = times.slice(before + 1).map((time, i) => time - times[before + i]!)
    expect(Math.min(...gaps)).to.be.at.least(4.5)
  })

  it('tells how late a frame is, and is on time again afterwards', () => {
    const hand = handClock()
    const late: number[] = []
    hand.clock.add((lateMs) => late.push(lateMs))
    hand.advance(1000)
    hand.stall(100)
    hand.advance(1000)
    expect(Math.max(...late)).to.be.within(80, 101)
    expect(late.at(-1)).to.be.below(1)
    expect(late.filter((ms) => ms > 20)).to.have.length.within(3, 7)
  })

  it('moves the schedule after a machine slept, instead of racing through what was missed', () => {
    const hand = handClock()
    let ticks = 0
    hand.clock.add(() => ticks++)
    hand.advance(1000)
    hand.stall(3_600_000)
    ticks = 0
    hand.advance(1000)
    expect(ticks).to.be.within(49, 52)
  })

  it('rests while no one plays, and ends with its last player', () => {
    const hand = handClock()
    expect(hand.pending()).to.equal(0)
    const leave = [hand.clock.add(() => {}), hand.clock.add(() => {})]
    hand.advance(100)
    expect(hand.wakes()).to.be.within(4, 7)
    for (const end of leave) end()
    expect(hand.pending()).to.equal(0)
  })

  it('continues for all when one player fails or leaves within its own tick', () => {
    const hand = handClock()
    let ticks = 0
    for (let i = 0; i < 4; i++) hand.clock.add(() => {})
    hand.clock.add(() => {
      throw new Error('broken')
    })
    const leave = hand.clock.add(() => leave())
    for (let i = 0; i < 5; i++) hand.clock.add(() => ticks++)
    hand.advance(1000)
    expect(ticks).to.be.within(245, 255)
    expect(hand.errors).to.have.length.within(49, 51)
  })
})
