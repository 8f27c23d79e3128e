import { assert } from 'chai'
import { createFairQueue } from '../../../lib/sharing/fair-queue.ts'

describe('fair queue', () => {
  it('takes one item of each owner in turns, however many items one owner adds', () => {
    const queue = createFairQueue<string>()
    for (const item of ['a1', 'a2', 'a3', 'b1', 'c1', 'b2']) queue.add(item.slice(0, 1), item)
    assert.isTrue(queue.remove('a', 'a2'))
    assert.isFalse(queue.remove('a', 'a2'))
    const order = Array.from({ length: 6 }, () => queue.take())
    assert.deepEqual(order, ['a1', 'b1', 'c1', 'a3', 'b2', undefined])
    assert.equal(queue.size, 0)
  })

  it('passes over owners that are not ready', () => {
    const queue = createFairQueue<string>()
    for (const item of ['a1', 'b1']) queue.add(item.slice(0, 1), item)
    assert.equal(
      queue.take((owner) => owner !== 'a'),
      'b1',
    )
    assert.equal(queue.sizeOf('a'), 1)
  })
})
