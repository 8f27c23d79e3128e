import { expect } from 'chai'
import { systemClock } from '../../bot/player/timers.ts'
import { monotonicNow } from '../../lib/clock.ts'

describe('steady time', () => {
  const realNow = Date.now
  afterEach(() => {
    Date.now = realNow
  })

  it('continues as before when the machine is given another time of day', () => {
    const [before, beforeInBot] = [monotonicNow(), systemClock.nowMs()]
    for (const stepMs of [3_600_000, -3_600_000]) {
      Date.now = () => realNow() + stepMs
      expect(monotonicNow() - before).to.be.within(0, 60_000)
      expect(systemClock.nowMs() - beforeInBot).to.be.within(0, 60_000)
      expect(systemClock.dateMs() - before).to.be.closeTo(stepMs, 60_000)
    }
  })
})
