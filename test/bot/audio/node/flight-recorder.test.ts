import { expect } from 'chai'
import { FlightRecorder } from '../../../../bot/audio/node/flight-recorder.ts'

describe('the record of a player', () => {
  let nowMs = 0
  beforeEach(() => {
    nowMs = 1_000_000
  })

  it('keeps ten minutes, ten seconds of frames at a time', () => {
    const recorder = new FlightRecorder(() => nowMs)
    recorder.note({ kind: 'track', text: 'early' })
    for (let second = 0; second < 900; second++) {
      nowMs += 1000
      for (let i = 0; i < 50; i++) recorder.frame(i === 7 ? 30 : 1, second % 10 === 0 && i < 5)
      if (second === 800) recorder.gap(420.4, 'the source sent nothing')
    }
    const { fromMs, toMs, entries, spans } = recorder.read()
    expect(toMs - fromMs).to.equal(600_000)
    expect(entries.map(({ text }) => text)).to.deep.equal(['gap of 420 ms: the source sent nothing'])
    expect(entries[0]).to.include({ durationMs: 420, closeCode: null })
    expect(spans.length).to.be.within(60, 61)
    expect(spans[30]).to.include({ sent: 500, nulled: 5, late: 10, mostLateMs: 30 })
  })

  it('is bounded however much goes wrong, and keeps the latest', () => {
    const recorder = new FlightRecorder(() => nowMs)
    for (let i = 0; i < 10_000; i++) recorder.gap(20, String(i))
    const { entries } = recorder.read()
    expect(entries.length).to.be.within(600, 1200)
    expect(entries.at(-1)!.text).to.equal('gap of 20 ms: 9999')
  })

  it('tells once that the thread was held up, not for each frame that follows late', () => {
    const recorder = new FlightRecorder(() => nowMs)
    for (const lateMs of [1, 240, 225, 210, 150, 90, 61, 30, 1, 70]) recorder.frame(lateMs, false)
    expect(recorder.read().entries.map(({ durationMs }) => durationMs)).to.deep.equal([240, 70])
  })

  it('counts the last whole minute of a player that played all through it, as Lavalink does', () => {
    const recorder = new FlightRecorder(() => nowMs)
    nowMs = 60_000 * 20
    const play = (seconds: number, perSecond = 50) => {
      for (let second = 0; second < seconds; second++) {
        for (let i = 0; i < perSecond; i++) recorder.frame(0, i < 2)
        nowMs += 1000
      }
    }
    play(90)
    expect(recorder.lastMinute(), 'began with that minute').to.equal(null)
    play(31, 45)
    expect(recorder.lastMinute()).to.deep.equal({ sent: 30 * 48 + 30 * 43, nulled: 120, deficit: 150 })
    recorder.rest()
    expect(recorder.lastMinute(), 'paused').to.equal(null)
  })
})
