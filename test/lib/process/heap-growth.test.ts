import { expect } from 'chai'
import { createHeapGrowth } from '../../../lib/process/heap-growth.ts'
import { createHandClock } from '../../support/manual-clock.ts'

describe('the growth of the heap', () => {
  it('is larger from the second full collection within 30 s until there was none for 30 s', async () => {
    const clock = createHandClock()
    const set: number[] = []
    const growth = createHeapGrowth((percent) => set.push(percent), clock)
    const collect = async (afterMs: number) => {
      await clock.advance(afterMs)
      growth.onFullCollection()
    }
    await collect(0)
    await collect(30_000)
    expect(set).to.deep.equal([])
    await collect(29_999)
    await collect(20_000)
    expect(set).to.deep.equal([60])
    await clock.advance(29_999)
    expect(set).to.deep.equal([60])
    await clock.advance(1)
    expect(set).to.deep.equal([60, 0])
  })

  it("is V8's own once closed", async () => {
    const set: number[] = []
    const growth = createHeapGrowth((percent) => set.push(percent), createHandClock())
    growth.onFullCollection()
    growth.onFullCollection()
    growth.close()
    expect(set).to.deep.equal([60, 0])
  })
})
