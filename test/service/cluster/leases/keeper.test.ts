import { expect } from 'chai'
import { HUNG_MS, keepOnce } from '../../../../service/cluster/leases/keeper/keep.ts'
import { LeaseKeeper } from '../../../../service/cluster/leases/keeper/lease-keeper.ts'
import {
  createSharedTimes,
  PLACES,
  readTime,
  writeTime,
} from '../../../../service/cluster/leases/keeper/shared-times.ts'
import {
  createLeaseStore,
  HELD_FOR_MS,
  keepLeases,
  LEASE_LIFE_MS,
} from '../../../../service/cluster/leases/lease-store.ts'
import { createSigning } from '../../../../service/cluster/signing.ts'
import { threadsNow } from '../../../../lib/clock.ts'
import { silent } from '../../../support/encode-queue.ts'
import { ownRedis } from '../../../support/redis.ts'
import { programFile } from '../../../../lib/installation.ts'

const SIGNING = createSigning('ab'.repeat(32))
const KEY = '900000000000000001:1:0'
const PREFIX = 'test'
const ENTRY = { url: 'http://a.test', host: 'a', startedAtMs: 0, version: '1', isDraining: false, weight: 1 }

describe('leases of a busy main thread', () => {
  const redis = ownRedis()
  let nowMs = 1_900_000_000_000
  beforeEach(() => redis.client.flushall())

  const storeOf = (serviceId: string) =>
    createLeaseStore({ redis: redis.client, prefix: PREFIX, signing: SIGNING, serviceId, now: () => nowMs })

  const keep = (held: Parameters<typeof keepLeases>[1]) =>
    keepLeases({ redis: redis.client, prefix: PREFIX, serviceId: 'a', now: () => nowMs }, held)

  /** Redis grants nothing within one life of its data's begin. */
  async function take(serviceId: string): Promise<number> {
    const store = storeOf(serviceId)
    await store.acquire([{ key: KEY, token: 0 }])
    nowMs += LEASE_LIFE_MS
    const [held] = await store.acquire([{ key: KEY, token: 0 }])
    return held!.token
  }
  const othersGet = async () => (await storeOf('b').acquire([{ key: KEY, token: 0 }])).length

  it('are renewed, with what the service says of itself, until it is busy for too long', async () => {
    const token = await take('a')
    await storeOf('a').renew([{ key: KEY, token, isVouched: false }], { ...ENTRY, bots: [], shards: {} })
    const times = createSharedTimes()
    const [place, seenMs] = [PLACES.firstLease, nowMs]
    writeTime(times, PLACES.main, seenMs)
    const renew = () => keepOnce([{ key: KEY, token, place }], { times, keep, now: () => nowMs })
    while (nowMs < seenMs + HUNG_MS) {
      nowMs += 1000
      await renew()
      expect(await othersGet()).to.equal(0)
    }
    const lastMs = nowMs
    expect([readTime(times, place), readTime(times, PLACES.heldUntil)]).to.deep.equal([lastMs, lastMs + HELD_FOR_MS])
    const { view } = await storeOf('b').renew([], { ...ENTRY, bots: [], shards: {} })
    expect([...view.services.keys()].toSorted()).to.deep.equal(['a', 'b'])
    for (; nowMs <= lastMs + LEASE_LIFE_MS; nowMs += 500) await renew()
    expect(readTime(times, place)).to.equal(lastMs)
    expect(await othersGet()).to.equal(1)
  })

  it('are not renewed once another service has them', async () => {
    const token = await take('a')
    nowMs += LEASE_LIFE_MS
    await take('b')
    const times = createSharedTimes()
    writeTime(times, PLACES.main, nowMs)
    await keepOnce([{ key: KEY, token, place: PLACES.firstLease }], { times, keep, now: () => nowMs })
    expect([readTime(times, PLACES.firstLease), readTime(times, PLACES.heldUntil)]).to.deep.equal([0, 0])
  })

  it('are renewed again and again while no other code of the main thread runs', async () => {
    const token = await take('a')
    const file = programFile('service/cluster/lease-thread')
    const keeper = new LeaseKeeper({ file, address: redis.address, prefix: PREFIX, serviceId: 'a', log: silent })
    try {
      const kept = keeper.add({ key: KEY, token })
      // A message leaves with the end of this turn.
      await new Promise(setImmediate)
      const seen = new Set<number>()
      const sleep = new Int32Array(new SharedArrayBuffer(4))
      // Blocks this thread until the other one has renewed twice.
      for (let waits = 0; seen.size < 2 && waits < 3000; waits += 1) {
        const untilMs = readTime(keeper.times, PLACES.heldUntil)
        if (untilMs > 0) seen.add(untilMs)
        writeTime(keeper.times, PLACES.main, threadsNow())
        Atomics.wait(sleep, 0, 0, 10)
      }
      expect(seen.size).to.equal(2)
      expect(kept.ageMs()).to.be.lessThan(30_000)
      kept.end()
    } finally {
      await keeper.close()
    }
  })
})
