import { assert } from 'chai'
import { Fault } from '../../../lib/errors.ts'
import { createFairShare, type FairShareOptions, type Release } from '../../../lib/sharing/fair-share.ts'

function open(options: Partial<FairShareOptions> = {}) {
  return createFairShare({ what: 'audio reads', total: 8, share: 4, maxWaiting: 2, maxWaitMs: 10_000, ...options })
}

async function acquireMany(share: ReturnType<typeof open>, projectId: string, count: number): Promise<Release[]> {
  const releases: Release[] = []
  for (let i = 0; i < count; i++) {
    const release = share.tryAcquire(projectId)
    if (release) releases.push(release)
  }
  return releases
}

describe('fair share', () => {
  it('gives one project its share and the next project a place', async () => {
    const share = open()
    assert.lengthOf(await acquireMany(share, 'a', 20), 4)
    assert.lengthOf(await acquireMany(share, 'b', 20), 2)
    assert.lengthOf(await acquireMany(share, 'c', 20), 1)
    assert.lengthOf(await acquireMany(share, 'd', 20), 1)
    assert.equal(share.held, 8)
  })

  it('gives the next free place to a project that holds none, before those that wait longer', async () => {
    const share = open({ total: 2, share: 2 })
    const [first, second] = await acquireMany(share, 'a', 2)
    const granted: string[] = []
    const waiting = ['a', 'a', 'b'].map((projectId) =>
      share.acquire(projectId).then((release) => {
        granted.push(projectId)
        return release
      }),
    )
    first!()
    const ofNewcomer = await waiting[2]!
    assert.deepEqual(granted, ['b'])
    second!()
    ofNewcomer()
    await Promise.all(waiting)
    assert.deepEqual(granted, ['b', 'a', 'a'])
  })

  it('refuses with a retry delay when the line of the project is full, and serves other projects', async () => {
    const share = open()
    const held = await acquireMany(share, 'a', 4)
    const waiting = [share.acquire('a'), share.acquire('a')]
    const fault = await share.acquire('a').catch((error: unknown) => error as Fault)
    assert.instanceOf(fault, Fault)
    assert.include(fault, { code: 'service_unavailable', retryAfterMs: 2000 })
    assert.match(fault.message, /^Too many concurrent audio reads in your project\./)
    assert.isFunction(await share.acquire('b'))
    for (const release of held) release()
    for (const release of await Promise.all(waiting)) release()
    assert.deepEqual([share.held, share.waiting], [1, 0])
  })

  it('refuses after the longest wait and forgets the request that waited', async () => {
    const share = open({ maxWaitMs: 5 })
    await acquireMany(share, 'a', 4)
    const fault = await share.acquire('a').catch((error: unknown) => error as Fault)
    assert.include(fault, { code: 'service_unavailable' })
    assert.equal(share.waiting, 0)
  })

  it('ends the wait when the caller aborts, and keeps no place for it', async () => {
    const share = open()
    const held = await acquireMany(share, 'a', 4)
    const caller = new AbortController()
    const waiting = share.acquire('a', caller.signal).catch((error: unknown) => error)
    caller.abort(new Error('left'))
    assert.propertyVal(await waiting, 'message', 'left')
    for (const release of held) release()
    assert.deepEqual([share.held, share.waiting], [0, 0])
  })

  it('counts a place once when it is released twice', async () => {
    const share = open()
    const [first] = await acquireMany(share, 'a', 2)
    first!()
    first!()
    assert.equal(share.held, 1)
    await share.run('a', () => Promise.reject(new Error('work failed'))).catch(() => undefined)
    assert.equal(share.held, 1)
  })
})
