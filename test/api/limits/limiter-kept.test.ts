import { once } from 'node:events'
import { expect } from 'chai'
import type { Redis } from 'ioredis'
import { openKeptMeter, type KeptMeter } from '../../../api/limits/limiter-kept.ts'
import { connectRedis } from '../../../jobs/redis/redis-client.ts'
import { redisSocket } from '../../../jobs/redis/redis-paths.ts'
import { startRedis, type RedisServer } from '../../../jobs/redis/redis.ts'
import { createLog } from '../../../lib/log.ts'
import { temporaryFolder } from '../../support/database.ts'
import { mustAsk, play, readScenarios } from '../../support/meter.ts'
import { hasRedis } from '../../support/redis.ts'
import { eventually } from '../../support/service.ts'

const log = createLog('silent')
const NEVER_MS = 3_600_000

describe('the meter of a service with a Redis of its own', () => {
  const folder = temporaryFolder()
  const address = { path: redisSocket(folder.path) }
  const clock = { nowMs: 1_700_000_000_000 }
  let server: RedisServer
  let redis: Redis

  before(async function () {
    if (!hasRedis()) return this.skip()
    server = await startRedis({ dataDir: folder.path, url: null, log })
    redis = connectRedis(address, log)
    await once(redis, 'ready')
  })
  beforeEach(() => redis.flushall())
  after(async () => {
    redis?.disconnect()
    await server?.close()
    folder.remove()
  })

  const opened: KeptMeter[] = []
  afterEach(() => Promise.all(opened.splice(0).map((meter) => meter.close())))
  const open = async (everyMs = NEVER_MS) => {
    const meter = await openKeptMeter({ redis, log, now: () => clock.nowMs, everyMs })
    opened.push(meter)
    return meter
  }
  const ask = mustAsk('p', 'free', 'fetch')
  const spend = async (meter: KeptMeter, times: number) => {
    const charges = await Promise.all(Array.from({ length: times }, async () => meter.charge(ask)))
    return charges.filter(({ allowed }) => allowed).length
  }

  for (const scenario of readScenarios()) {
    it(scenario.name, async () => {
      const meter = await open()
      await play(scenario, meter, clock)
      await meter.close()
    })
  }

  it('goes on after a restart where it was, into the next minute too, and drains meanwhile', async () => {
    const first = await open()
    expect(await spend(first, ask.limit)).to.equal(ask.limit)
    await first.close()
    const second = await open()
    expect(await second.charge(ask)).to.include({ allowed: false, spent: 'class' })
    await second.close()
    clock.nowMs += 30_000
    const third = await open()
    expect(await spend(third, ask.limit)).to.equal(Math.floor(ask.limit / 2))
    await third.close()
    clock.nowMs += 60_000
    const fourth = await open()
    expect(await spend(fourth, ask.limit)).to.equal(ask.limit)
    await fourth.close()
    for (const key of await redis.keys('*')) expect(await redis.ttl(key)).to.be.within(1, 180)
  })

  it('is written down while it runs, so that a kill takes a moment of it at most', async () => {
    const killed = await open(10)
    await spend(killed, ask.limit)
    await eventually(
      async () => (await redis.keys('meter:kept:*')).length,
      (count) => count > 0,
    )
    const next = await open()
    expect(await spend(next, 1)).to.equal(0)
    await next.close()
    await killed.close()
  })

  it('writes thousands of budgets in parts, and holds limits without Redis', async () => {
    const meter = await open()
    const many = Array.from({ length: 1200 }, (_, at) => mustAsk(`p${at}`, 'free', 'cheap'))
    for (const one of many) await meter.charge(one)
    await meter.close()
    const fields = await Promise.all((await redis.keys('meter:kept:*')).map((key) => redis.hlen(key)))
    expect(fields).to.deep.equal([2400])

    const warned: string[] = []
    const away = connectRedis({ path: `${address.path}-away` }, log)
    const alone = await openKeptMeter({
      redis: away,
      log: { ...log, warn: (_: unknown, text: string) => void warned.push(text) } as never,
      now: () => clock.nowMs,
      everyMs: NEVER_MS,
    })
    expect(await spend(alone, ask.limit + 5)).to.equal(ask.limit)
    await alone.close()
    away.disconnect()
    expect(warned).to.deep.equal(['reading rate limits failed: they start full', 'saving rate limits failed'])
  })
})
