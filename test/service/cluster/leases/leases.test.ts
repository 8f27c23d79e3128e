import { createRandom } from '../../../../lib/random/seeded-random.ts'
import { expect } from 'chai'
import { createLeaseStore, type LeaseStore } from '../../../../service/cluster/leases/lease-store.ts'
import { createSigning } from '../../../../service/cluster/signing.ts'
import { createPostgresStore } from '../../../../db/engine/postgres/postgres-store.ts'
import type { Store } from '../../../../db/engine/store.ts'
import {
  createLeaseOwner,
  createSharedTime,
  LEASE_BOT,
  type LeaseOwner,
  type OwnerOptions,
} from '../../../support/lease-owners.ts'
import { ownRedis } from '../../../support/redis.ts'
import { embeddedPostgres, emptyPostgres } from '../../../support/stores.ts'

const SHARDS = 6
/** Until a lease that is not renewed can be taken, and until one that is free is. */
const LIFE_MS = 3000
const TAKEOVER_MS = LIFE_MS + 1500

const runningOf = (owner: LeaseOwner) => [...owner.running.keys()].toSorted((a, b) => a - b)

describe('leases of shards', () => {
  const redis = ownRedis()
  let store: Store
  let owners: LeaseOwner[] = []
  let time = createSharedTime(() => owners)
  before(async () => {
    store = createPostgresStore(await embeddedPostgres())
  })
  beforeEach(async () => {
    await redis.client.flushall()
    await emptyPostgres()
    owners = []
    time = createSharedTime(() => owners)
  })

  function open(id: string, options: Partial<OwnerOptions> = {}): LeaseOwner {
    const owner = createLeaseOwner({
      id,
      redis: redis.client,
      store,
      time: () => time.nowMs,
      shardCount: SHARDS,
      ...options,
    })
    owners.push(owner)
    return owner
  }
  const counts = () => owners.map(({ running }) => running.size)
  /** The services that would sound for each shard at this moment. */
  const holders = () =>
    Array.from({ length: SHARDS }, (_, shardId) =>
      owners.filter(({ running }) => running.get(shardId)?.isHeld).map(({ id }) => id),
    )

  const divisions = () =>
    new Set(owners.flatMap(({ running }) => Array.from(running.values(), ({ shard }) => shard.shardCount)))
  const assertNoDoubles = () => expect(holders().filter((all) => all.length > 1)).to.deep.equal([])

  it('are divided evenly between the services that start together', async () => {
    for (const id of ['a', 'b', 'c']) open(id)
    await time.advance(LIFE_MS + 3000)
    expect(counts()).to.deep.equal([2, 2, 2])
  })

  it('go to the others by and by when a service starts later', async () => {
    open('a')
    await time.advance(LIFE_MS + 3000)
    expect(counts()).to.deep.equal([SHARDS])
    open('b')
    await time.advance(20_000)
    expect(counts()).to.deep.equal([3, 3])
  })

  it('are taken by the others, each with a larger token, when a service ends without a word', async () => {
    const [a, b] = [open('a'), open('b')]
    await time.advance(LIFE_MS + 3000)
    const [lost, endedAtMs] = [runningOf(a), time.nowMs]
    owners = [b]
    await time.advance(TAKEOVER_MS)
    expect(b.running.size).to.equal(SHARDS)
    for (const shardId of lost) {
      const before = a.started.find((one) => one.shardId === shardId)?.token ?? 0
      expect(b.running.get(shardId)?.token).to.be.greaterThan(before)
      expect(b.running.get(shardId)?.formerSilentAtMs).to.be.within(endedAtMs - 600, endedAtMs + 2400)
    }
  })

  it('are handed over by a service that alone cannot reach Redis, while the database vouches for them', async () => {
    const [a, b] = [open('a'), open('b')]
    await time.advance(LIFE_MS + 3000)
    a.network = 'down'
    await time.advance(1500)
    expect(a.running.size).to.equal(3)
    await time.advance(3000, assertNoDoubles)
    expect([a.running.size, a.cuts.length, b.running.size]).to.deep.equal([0, 0, SHARDS])
  })

  it('are lost to a service that reaches neither Redis nor the database before another can take them', async () => {
    const [a, b] = [open('a'), open('b')]
    await time.advance(LIFE_MS + 3000)
    Object.assign(a, { network: 'down', databaseNetwork: 'down' })
    await time.advance(1500)
    expect(a.running.size).to.equal(3)
    await time.advance(1500, assertNoDoubles)
    expect([a.running.size, a.cuts.length]).to.deep.equal([0, 3])
    await time.advance(TAKEOVER_MS, assertNoDoubles)
    expect(b.running.size).to.equal(SHARDS)
  })

  for (const [away, way] of [
    ['Redis', 'network'],
    ['the database', 'databaseNetwork'],
  ] as const) {
    it(`stay where they are while no service reaches ${away}, and when it is back`, async () => {
      const [a, b] = [open('a'), open('b')]
      await time.advance(LIFE_MS + 3000)
      const before = [runningOf(a), runningOf(b)]
      for (const owner of owners) owner[way] = 'down'
      await time.advance(30_000)
      expect([runningOf(a), runningOf(b)]).to.deep.equal(before)
      for (const owner of owners) owner[way] = 'up'
      await time.advance(10_000)
      expect([runningOf(a), runningOf(b)]).to.deep.equal(before)
      expect([...a.cuts, ...b.cuts]).to.deep.equal([])
    })
  }

  it('count for nothing in a process that was stopped for 20 s, before it has done anything', async () => {
    const [a, b] = [open('a'), open('b')]
    await time.advance(LIFE_MS + 3000)
    const leases = [...a.running.values()]
    a.isStopped = true
    await time.advance(20_000)
    expect(b.running.size).to.equal(SHARDS)
    expect(leases.map(({ isHeld }) => isHeld)).to.deep.equal([false, false, false])
    expect(a.heldUntilMs).to.be.lessThan(a.nowMs())
    a.isStopped = false
    await time.advance(100)
    expect([a.running.size, a.cuts.length]).to.deep.equal([0, 3])
  })

  it('all go to the others when a service drains, which takes none before it is told to', async () => {
    const [a, b] = [open('a'), open('b')]
    await time.advance(LIFE_MS + 3000)
    const drained = a.directory.drain()
    await time.advance(1000)
    await drained
    await time.advance(20_000)
    expect([a.running.size, b.running.size, a.cuts.length]).to.deep.equal([0, SHARDS, 0])
    a.directory.undrain()
    await time.advance(20_000)
    expect(counts()).to.deep.equal([3, 3])
  })

  it('are moved to the service that is named', async () => {
    const [a, b] = [open('a'), open('b')]
    await time.advance(LIFE_MS + 3000)
    const shardId = runningOf(a)[0] ?? -1
    const key = `${LEASE_BOT}:${SHARDS}:${shardId}`
    const moved = a.directory.move(key, 'b')
    await time.advance(500)
    expect([await moved, await b.directory.move(`${LEASE_BOT}:${SHARDS}:99`, 'a')]).to.deep.equal([true, false])
    await b.directory.look()
    expect(runningOf(b)).to.include(shardId)
  })

  it('are of one division at any moment when the number of shards changes, and all run again', async () => {
    for (const id of ['a', 'b', 'c']) open(id)
    await time.advance(LIFE_MS + 3000)
    await redis.client.hset('test:leases:counts', LEASE_BOT, String(SHARDS + 3))
    await time.advance(10_000, () => expect(divisions().size).to.be.at.most(1))
    expect([...divisions()]).to.deep.equal([SHARDS + 3])
    expect(counts()).to.deep.equal([3, 3, 3])
  })

  it('stay where they are when Redis loses its data', async () => {
    const [a, b] = [open('a'), open('b')]
    await time.advance(LIFE_MS + 3000)
    const before = [runningOf(a), runningOf(b)]
    await redis.client.flushall()
    await time.advance(20_000)
    expect([runningOf(a), runningOf(b)]).to.deep.equal(before)
    expect([...a.cuts, ...b.cuts]).to.deep.equal([])
  })

  it('tell which other service runs a guild', async () => {
    const [a, b] = [open('a'), open('b')]
    await time.advance(LIFE_MS + 5000)
    const shardId = runningOf(b)[0] ?? -1
    const guildId = String(BigInt(shardId) << 22n)
    expect(a.directory.whoRuns(LEASE_BOT, guildId)).to.deep.equal({ serviceId: 'b', url: 'http://b.test' })
    expect(b.directory.whoRuns(LEASE_BOT, guildId)).to.equal(null)
    expect(b.directory.isHeldHere(LEASE_BOT, guildId)).to.equal(true)
    expect(a.directory.leaseOf(LEASE_BOT, guildId)).to.equal(0)
    expect(b.directory.leaseOf(LEASE_BOT, guildId)).to.equal(b.running.get(shardId)?.token)
  })

  for (const seed of [1, 2, 3, 4, 5, 6, 7, 8]) {
    it(`never have two owners whatever happens to the services, to Redis and to the database (seed ${seed})`, async () => {
      const random = createRandom(seed)
      const pick = <T>(all: readonly T[]) => all[Math.floor(random() * all.length)]!
      for (const id of ['a', 'b', 'c', 'd']) open(id, { rate: 0.99 + 0.02 * random() })
      const check = () =>
        expect(
          holders().filter((all) => all.length > 1),
          `seed ${seed}`,
        ).to.deep.equal([])
      const events: (() => unknown)[] = [
        () => (pick(owners).network = 'down'),
        () => (pick(owners).network = 'lost'),
        () => (pick(owners).network = 'up'),
        () => (pick(owners).databaseNetwork = 'down'),
        () => (pick(owners).databaseNetwork = 'lost'),
        () => (pick(owners).databaseNetwork = 'up'),
        () => owners.forEach((owner) => (owner.databaseNetwork = 'down')),
        () => owners.forEach((owner) => (owner.network = 'down')),
        () => owners.forEach((owner) => Object.assign(owner, { network: 'up', databaseNetwork: 'up' })),
        () => (pick(owners).network = 'stopped'),
        () => (pick(owners).isStopped = true),
        () => owners.forEach((owner) => (owner.isStopped = false)),
        () => void pick(owners).directory.drain(),
        () => pick(owners).directory.undrain(),
        () => (random() < 0.3 ? redis.client.flushall() : undefined),
      ]
      for (let step = 0; step < 40; step += 1) {
        await pick(events)()
        await time.advance(50 + Math.floor(random() * 3000), check)
      }
      for (const owner of owners) {
        Object.assign(owner, { isStopped: false, network: 'up', databaseNetwork: 'up' })
        owner.directory.undrain()
      }
      await time.advance(30_000, check)
      expect(
        holders().every((all) => all.length === 1),
        `seed ${seed}: every shard is run`,
      ).to.equal(true)
      const tokens = Map.groupBy(
        owners.flatMap(({ started }) => started),
        ({ shardId }) => shardId,
      )
      for (const all of tokens.values()) expect(new Set(all.map(({ token }) => token)).size).to.equal(all.length)
    })
  }
})

describe('the logins of a bot', () => {
  const redis = ownRedis()
  let nowMs = 1_900_000_000_000
  beforeEach(() => redis.client.flushall())

  const storeOf = (serviceId: string): LeaseStore =>
    createLeaseStore({
      redis: redis.client,
      prefix: 'test',
      signing: createSigning('ab'.repeat(32)),
      serviceId,
      now: () => nowMs,
    })
  const limits = { shardCount: 4, maxConcurrency: 2, total: 10, remaining: 3, resetAfterMs: 60_000 }

  it('are counted by bucket for all its services together', async () => {
    const [a, b] = [storeOf('a'), storeOf('b')]
    expect([await a.takeIdentify('1', 0, limits), await b.takeIdentify('1', 1, limits)]).to.deep.equal([0, 0])
    expect(await b.takeIdentify('1', 2, limits), 'the same bucket').to.equal(5100)
    expect(await b.takeIdentify('2', 2, limits), 'another bot').to.equal(0)
    nowMs += 5100
    expect(await b.takeIdentify('1', 2, limits)).to.equal(0)
  })

  it('wait for the next day when none is left', async () => {
    const store = storeOf('a')
    for (let used = 0; used < 3; used += 1) {
      expect(await store.takeIdentify('1', 0, limits)).to.equal(0)
      nowMs += 6000
    }
    expect(await store.takeIdentify('1', 0, limits)).to.equal(-(60_000 - 18_000))
    nowMs += 42_000
    expect(await store.takeIdentify('1', 0, limits)).to.equal(0)
  })
})
