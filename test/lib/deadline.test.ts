import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { abortable, createDeadline, settleWithin, withTimeout } from '../../lib/deadline.ts'

const never = new Promise<never>(() => {})

describe('deadlines', () => {
  it('answers what the work answers, or what is given for it after the time', async () => {
    expect(await withTimeout(1000, Promise.resolve('done'), () => 'late')).to.equal('done')
    expect(await withTimeout(5, never, () => 'late')).to.equal('late')
    const failing = withTimeout(5, never, () => {
      throw new Error('too late')
    })
    expect(await failing.catch((error: Error) => error.message)).to.equal('too late')
  })

  it('ignores work that fails after its time', async () => {
    const work = sleep(15).then(() => {
      throw new Error('failed')
    })
    expect(await withTimeout(5, work, () => 'late')).to.equal('late')
    await sleep(20)
  })

  it('waits for an end, however it comes, and no longer than told', async () => {
    await settleWithin(1000, Promise.reject(new Error('failed')))
    const startedAtMs = performance.now()
    await settleWithin(5, never)
    expect(performance.now() - startedAtMs).to.be.below(5000)
  })

  it('leaves a task as soon as its signal aborts, or if it has', async () => {
    const leaving = new AbortController()
    const left = abortable(never, leaving.signal).catch((error: Error) => error.message)
    leaving.abort(new Error('left'))
    expect(await left).to.equal('left')
    const late = abortable(Promise.reject(new Error('failed')), leaving.signal)
    expect(await late.catch((error: Error) => error.message)).to.equal('left')
  })

  it('ends a head that does not come, and leaves the body of one that has', async () => {
    const missed = createDeadline(5)
    const lifted = createDeadline(5)
    lifted.lift()
    await sleep(20)
    expect([missed.isOver, missed.signal.aborted]).to.deep.equal([true, true])
    expect([lifted.isOver, lifted.signal.aborted]).to.deep.equal([false, false])
    const caller = new AbortController()
    const given = createDeadline(1000, caller.signal)
    caller.abort()
    expect([given.isOver, given.signal.aborted]).to.deep.equal([false, true])
    given.lift()
  })
})
