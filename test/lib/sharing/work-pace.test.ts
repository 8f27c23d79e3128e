import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { createWorkPace } from '../../../lib/sharing/work-pace.ts'

const RULES = { bytesPerSecond: 1000, burstBytes: 100, maxWaiting: 3, maxWaitMs: 5000 }

describe('work of a size that callers choose', () => {
  it('goes on as it is paid for, projects in turns, no matter how much one of them wants', async () => {
    let nowMs = 1000
    const pace = createWorkPace({ ...RULES, maxWaiting: 100 }, () => nowMs)
    const done: string[] = []
    const take = (project: string) => void pace.take(project, 50).then(() => done.push(project))
    for (let turn = 0; turn < 6; turn++) take('greedy')
    for (let turn = 0; turn < 2; turn++) take('modest')
    await sleep(20)
    // Two jobs from the saved burst, and one that overdraws it.
    expect(done).to.deep.equal(['greedy', 'greedy', 'greedy'])
    for (let turn = 0; turn < 4; turn++) {
      nowMs += 50
      await sleep(70)
    }
    expect(done.slice(3)).to.have.members(['greedy', 'modest', 'greedy', 'modest'])
  })

  it('waits in a line of its project, which is bounded', async () => {
    const pace = createWorkPace(RULES, () => 1000)
    await pace.take('greedy', 5000)
    const waiting = Array.from({ length: 4 }, () => pace.take('greedy', 1).catch((error: unknown) => error))
    expect(await waiting[3]).to.include({ code: 'service_unavailable', retryAfterMs: 2000 })
  })

  it('gives up what would wait for longer than its caller', async () => {
    const pace = createWorkPace({ ...RULES, maxWaitMs: 20 }, () => 1000)
    await pace.take('one', 5000)
    expect(await pace.take('other', 1).catch((error: unknown) => error)).to.include({ code: 'service_unavailable' })
  })
})
