import { expect } from 'chai'
import { stringifyInPieces } from '../../../lib/process/long-json.ts'

describe('JSON that is written in pieces', () => {
  it('is the same as in one go, and lets others come in between', async () => {
    const queue = Array.from({ length: 5000 }, (_, at) => ({ title: `"${at}" ü`, uri: null, lengthMs: at / 3 }))
    const data = {
      data: { queue, none: undefined, at: new Date(0), chapters: [], players: [{ queue }, { queue: [] }] },
    }
    let turns = 0
    let isOver = false
    const count = (): void => {
      turns += 1
      if (!isOver) setImmediate(count)
    }
    count()
    const text = await stringifyInPieces(data)
    isOver = true
    expect(text).to.equal(JSON.stringify(data))
    expect(turns).to.be.greaterThan(5)
  })
})
