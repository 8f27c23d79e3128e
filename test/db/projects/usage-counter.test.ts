import { expect } from 'chai'
import { createUsageCounter } from '../../../db/projects/usage-counter.ts'
import type { Usage } from '../../../db/projects/usage.ts'
import { createLog } from '../../../lib/log.ts'
import { eventually } from '../../support/service.ts'

describe('writes of usage', () => {
  it('leave a pause for requests between them, and none at the end', async () => {
    const at: number[] = []
    const writing = { add: async () => void at.push(performance.now()), prune: async () => 0 } as unknown as Usage
    const counter = createUsageCounter({ usage: writing, log: createLog('silent'), everyMs: 1000 })
    const count = () => {
      for (let i = 0; i < 240; i++)
        counter.count({
          projectId: 'prj_1',
          keyId: `key_${i}`,
          routeClass: 'cheap',
          route: 'getWeather',
          status: 200,
          durationMs: 3,
          spent: null,
        })
    }
    count()
    await eventually(
      () => at.length,
      (writes) => writes === 20,
    )
    for (const [i, nextMs] of at.slice(1).entries()) expect(nextMs - (at[i] ?? 0)).to.be.at.least(15)
    count()
    await counter.close()
    expect((at[39] ?? Infinity) - (at[20] ?? 0)).to.be.below(300)
  })
})
