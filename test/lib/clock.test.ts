import { expect } from 'chai'
import { systemClock } from '../../bot/player/timers.ts'
import { monotonicNow, wait } from '../../lib/clock.ts'

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

  it('has come to the time of a timer when that fires', async () => {
    const waits = Array.from({ length: 200 }, async (_, index) => {
      await wait(systemClock, index / 7)
      const dueMs = systemClock.nowMs() + 20
      await wait(systemClock, 20)
      return dueMs - systemClock.nowMs()
    })
    expect(Math.max(...(await Promise.all(waits)))).to.be.at.most(0)
  })

  it('lets a timer be taken back, and one of months wait', async () => {
    const fired: string[] = []
    systemClock.after(5, () => fired.push('taken back'))()
    const cancel = systemClock.after(2 ** 40, () => fired.push('of months'))
    await wait(systemClock, 20)
    cancel()
    expect(fired).to.deep.equal([])
  })
})
