import { expect } from 'chai'
import { Utilization } from '../../../../bot/audio/watchdog/utilization.ts'

describe('the utilization of an audio thread', () => {
  it('averages over the time since the last look, and repeats itself within a second', () => {
    let [nowMs, active] = [0, 0]
    const look = (before?: { active: number; idle: number }) => {
      const [idle, wasActive, wasIdle] = [nowMs - active, before?.active ?? 0, before?.idle ?? 0]
      const busy = active - wasActive
      return { active: busy, idle: idle - wasIdle, utilization: busy / (busy + idle - wasIdle || 1) }
    }
    const utilization = new Utilization(() => nowMs, look)
    ;[nowMs, active] = [1000, 250]
    expect(utilization.read()).to.equal(0.25)
    ;[nowMs, active] = [1500, 750]
    expect(utilization.read()).to.equal(0.25)
    ;[nowMs, active] = [3000, 1250]
    expect(utilization.read()).to.equal(0.5)
  })
})
