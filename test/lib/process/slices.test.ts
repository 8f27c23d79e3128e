import { expect } from 'chai'
import { createSlices } from '../../../lib/process/slices.ts'

describe('turns of the event loop', () => {
  it('let one piece of work through at a time, first come, first served, with other work in between', async () => {
    const slices = createSlices()
    const order: string[] = []
    const work = async (name: string): Promise<void> => {
      for (let piece = 0; piece < 3; piece += 1) {
        await slices.next()
        order.push(name)
        setImmediate(() => order.push('-'))
      }
    }
    await Promise.all([work('a'), work('b')])
    expect(order.join('').replaceAll('-', '')).to.equal('ababab')
    expect(order.join('')).to.not.match(/[ab]{3}/)
  })

  it('say when the share of a turn is spent, and give a new one in the next', async () => {
    let nowMs = 0
    const slices = createSlices(() => nowMs)
    expect(slices.isSpent()).to.equal(false)
    nowMs += 3
    expect(slices.isSpent()).to.equal(false)
    nowMs += 3
    expect(slices.isSpent()).to.equal(true)
    await new Promise(setImmediate)
    await new Promise(setImmediate)
    expect(slices.isSpent()).to.equal(false)
  })
})
