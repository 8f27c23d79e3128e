import { expect } from 'chai'
import { createRequestPace, type RequestPace } from '../../../api/limits/request-pace.ts'

const FREE = { projectId: 'attacker', plan: 'free' } as const
const OTHER = { projectId: 'other', plan: 'free' } as const

/** @returns how long each waits */
function flood(pace: RequestPace, count: number): number[] {
  return Array.from({ length: count }, () => pace.take(FREE))
}

describe('the requests of one project', () => {
  let nowMs = 0

  it('are held back to what its plan needs while others ask, who never wait', () => {
    const pace = createRequestPace(() => nowMs)
    pace.take(OTHER)
    const waits = flood(pace, 400)
    expect(waits.slice(0, 50).every((ms) => ms === 0)).to.equal(true)
    expect(waits[149]).to.be.closeTo(2000, 1)
    expect(pace.take(OTHER)).to.equal(0)
    // The longest wait is bounded, so the caller gets an answer.
    expect(Math.max(...flood(pace, 2000))).to.equal(5000)
    nowMs += 8000
    pace.take(OTHER)
    expect(pace.take(FREE)).to.equal(0)
  })

  it('are not held back where no other project asks, and less so on larger plans', () => {
    const pace = createRequestPace(() => nowMs)
    expect(Math.max(...flood(pace, 2000))).to.equal(0)
    pace.take(OTHER)
    const waits = Array.from({ length: 400 }, () => pace.take({ projectId: 'large', plan: 'scale' }))
    expect(Math.max(...waits)).to.equal(0)
  })
})
