import { expect } from 'chai'
import { createWayOrder } from '../../../../bot/sources/youtube/way-order.ts'

const HOUR_MS = 3_600_000

describe('the order of the ways to YouTube', () => {
  let nowMs = 0
  const open = () => createWayOrder(['first', 'second', 'third'], { now: () => nowMs })

  it('is the configured one as long as all succeed, and after one failure', () => {
    const ways = open()
    for (const way of ways.order()) ways.succeeded(way)
    ways.failed('first')
    expect(ways.order()).to.deep.equal(['first', 'second', 'third'])
  })

  it('puts a way that failed twice behind those that did not, and back once it succeeds again', () => {
    const ways = open()
    ways.failed('first')
    ways.failed('first')
    expect(ways.order()).to.deep.equal(['second', 'third', 'first'])
    for (let times = 0; times < 3; times += 1) ways.succeeded('first')
    expect(ways.order()).to.deep.equal(['first', 'second', 'third'])
  })

  it('forgets, so that a way that failed is tried first again', () => {
    const ways = open()
    for (let times = 0; times < 20; times += 1) ways.failed('first')
    expect(ways.order().at(-1)).to.equal('first')
    nowMs += HOUR_MS
    expect(ways.order()[0]).to.equal('first')
  })
})
