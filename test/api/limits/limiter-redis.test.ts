import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import type { Redis } from 'ioredis'
import { createRedisRateLimiter } from '../../../api/limits/limiter-redis.ts'
import { createMemoryMeter } from '../../../api/limits/limiter.ts'
import { connectRedis } from '../../../jobs/redis/redis-client.ts'
import { redisFolder, redisSocket } from '../../../jobs/redis/redis-paths.ts'
import { startRedis, type RedisServer } from '../../../jobs/redis/redis.ts'
import { createLog } from '../../../lib/log.ts'
import { PLAN_NAMES, PLANS, type MeteredClass } from '../../../lib/plans.ts'
import { temporaryFolder } from '../../support/database.ts'
import { mustAsk, play, readScenarios } from '../../support/meter.ts'
import { hasRedis } from '../../support/redis.ts'
import { eventually } from '../../support/service.ts'

const log = createLog('silent')
const CLIENT = join(import.meta.dirname, '..', '..', 'support', 'meter-client.ts')
const CLASSES: readonly MeteredClass[] = ['cheap', 'fetch', 'canvas', 'browser']
/** No test may fail because the machine was busy for a moment. */
const PATIENT_MS = 10_000

describe('the meter in Redis', () => {
  const folder = temporaryFolder()
  const address = { path: redisSocket(folder.path) }
  let server: RedisServer
  let redis: Redis

  before(async function () {
    if (!hasRedis()) return this.skip()
    server = await startRedis({ dataDir: folder.path, url: null, log })
    redis = connectRedis(address, log)
    await once(redis, 'ready')
  })
  after(async () => {
    redis?.disconnect()
    await server?.close()
    folder.remove()
  })

  const redisPid = () => Number(readFileSync(join(redisFolder(folder.path), 'redis.pid'), 'utf8'))

  for (const scenario of readScenarios()) {
    it(scenario.name, async () => {
      const clock = { nowMs: 1_700_000_000_000 }
      await play(
        scenario,
        createRedisRateLimiter({ redis, log, now: () => clock.nowMs, deadlineMs: PATIENT_MS }),
        clock,
      )
    })
  }

  it('agrees with the meter in memory over random requests, plans and clocks', async () => {
    const clock = { nowMs: 1_700_000_000_000 }
    const memory = createMemoryMeter(() => clock.nowMs)
    const shared = createRedisRateLimiter({ redis, log, now: () => clock.nowMs, deadlineMs: PATIENT_MS })
    const random = createRandom(42)
    for (let round = 0; round < 1000; round++) {
      const stepMs = random(10) === 0 ? random(70_000) : random(300)
      clock.nowMs += random(20) === 0 ? -stepMs : stepMs
      const asks = Array.from({ length: random(25) }, () => {
        const plan = PLAN_NAMES[random(PLAN_NAMES.length)] ?? 'free'
        const routeClass = CLASSES[random(CLASSES.length)] ?? 'cheap'
        return mustAsk(`random-${random(3)}`, plan, PLANS[plan][routeClass] === null ? 'cheap' : routeClass)
      })
      const expected = asks.map((ask) => memory.charge(ask))
      const seen = await Promise.all(asks.map(async (ask) => shared.charge(ask)))
      expect(seen, `round ${round}`).to.deep.equal(expected)
    }
  })

  it('says to the millisecond how long a project must wait, and for which budget', async () => {
    const clock = { nowMs: 1_700_000_000_000 }
    const meter = createRedisRateLimiter({ redis, log, now: () => clock.nowMs, deadlineMs: PATIENT_MS })
    const spend = (times: number, routeClass: MeteredClass) =>
      Promise.all(Array.from({ length: times }, async () => meter.charge(mustAsk('exact', 'free', routeClass))))
    await spend(15, 'fetch')
    await spend(10, 'canvas')
    await spend(55, 'cheap')
    clock.nowMs += 7
    expect(await spend(1, 'cheap')).to.deep.equal([{ allowed: false, spent: 'aggregate', waitMs: 743 }])
    expect(await spend(1, 'canvas')).to.deep.equal([{ allowed: false, spent: 'class', waitMs: 5993 }])
  })

  it('keeps nothing for longer than two windows', async () => {
    const meter = createRedisRateLimiter({ redis, log, deadlineMs: PATIENT_MS })
    await meter.charge(mustAsk('short', 'free', 'cheap'))
    // Not before it is drained either. A busy machine may take seconds from one line to the next.
    expect(await redis.pttl('meter:short')).to.be.within(90_000, 120_000)
  })

  it('takes the time from Redis, so that processes with different clocks agree', async () => {
    const meter = createRedisRateLimiter({ redis, log, deadlineMs: PATIENT_MS })
    const redisMs = async () => {
      const [seconds, micros] = await redis.time()
      return Number(seconds) * 1000 + Math.floor(Number(micros) / 1000)
    }
    const before = await redisMs()
    await meter.charge(mustAsk('timed', 'free', 'cheap'))
    const after = await redisMs()
    const stored = (await redis.getBuffer('meter:timed')) ?? Buffer.alloc(0)
    const [total, totalAtMs, own, ownAtMs] = [0, 8, 16, 24].map((offset) => stored.readDoubleLE(offset))
    expect([total, own]).to.deep.equal([60_000, 60_000])
    expect(ownAtMs).to.equal(totalAtMs)
    expect(ownAtMs).to.be.within(before, after)
  })

  it('continues when Redis has forgotten the script', async () => {
    const meter = createRedisRateLimiter({ redis, log, deadlineMs: PATIENT_MS })
    await redis.script('FLUSH')
    expect(await meter.charge(mustAsk('flushed', 'free', 'cheap'))).to.deep.equal({ allowed: true, remaining: 59 })
    expect(await meter.charge(mustAsk('flushed', 'free', 'cheap'))).to.deep.equal({ allowed: true, remaining: 58 })
    expect(meter.failOpenCount()).to.equal(0)
  })

  it('gives 20 clients in two processes exactly what the plan allows', async () => {
    const children = [1, 2].map(() => fork(CLIENT, [address.path]))
    try {
      await Promise.all(children.map((child) => once(child, 'message')))
      const seen: number[] = []
      for (const [round, each] of [40, 2, 20, 20].entries()) {
        const results = children.map((child) => once(child, 'message'))
        // A quarter of a window passes between the rounds: 100 requests.
        for (const child of children) child.send({ nowMs: 1_700_000_000_000 + round * 15_000, each })
        const told = (await Promise.all(results)).map(
          ([result]) => result as Record<'allowed' | 'failOpenCount', number>,
        )
        expect(told.map(({ failOpenCount }) => failOpenCount)).to.deep.equal([0, 0])
        seen.push(told.reduce((sum, { allowed }) => sum + allowed, 0))
      }
      expect(seen).to.deep.equal([400, 40, 160, 100])
    } finally {
      for (const child of children) child.disconnect()
    }
  })

  it('fails no request when Redis is killed with -9 under load, and is back within 3 s', async () => {
    const meter = createRedisRateLimiter({ redis, log })
    const ask = mustAsk('killed', 'free', 'canvas')
    for (let i = 0; i < ask.limit; i++) await meter.charge(ask)
    expect((await meter.charge(ask)).allowed).to.equal(false)
    const gone = once(redis, 'close')
    process.kill(redisPid(), 'SIGKILL')
    await gone
    let returnedMs = Infinity
    const returned = answering(address.path).then(() => (returnedMs = performance.now()))
    let slowestMs = 0
    await eventually(
      async () => {
        const startedMs = performance.now()
        const charge = await meter.charge(ask)
        slowestMs = Math.max(slowestMs, performance.now() - startedMs)
        return charge
      },
      // The budget is as spent as before: what was charged was not forgotten.
      ({ allowed }) => !allowed && meter.failOpenCount() > 0,
    )
    await returned
    expect(performance.now() - returnedMs).to.be.lessThan(3000)
    expect(slowestMs).to.be.lessThan(2000)
  })

  it('lets requests through while Redis is stopped, waits for few of them, and enforces limits again', async () => {
    const lines: { msg?: string }[] = []
    const noted = createLog('info', { write: (line: string) => void lines.push(JSON.parse(line)) })
    const meter = createRedisRateLimiter({ redis, log: noted })
    const ask = mustAsk('stopped', 'free', 'canvas')
    for (let i = 0; i < ask.limit; i++) await meter.charge(ask)
    const pid = redisPid()
    process.kill(pid, 'SIGSTOP')
    try {
      const startedMs = performance.now()
      for (let i = 0; i < 200; i++) expect((await meter.charge(ask)).allowed).to.equal(true)
      expect(meter.failOpenCount()).to.equal(200)
      // Three wait for their deadline; the rest for nothing, but for the probe of every second.
      expect(performance.now() - startedMs).to.be.lessThan(2000)
    } finally {
      process.kill(pid, 'SIGCONT')
    }
    await eventually(
      () => meter.charge(ask),
      ({ allowed }) => !allowed,
      10_000,
    )
    expect(lines.map(({ msg }) => msg)).to.deep.equal(['rate limits off: Redis unavailable', 'rate limits on again'])
  })

  it('lets requests through while Redis is full or read-only, and enforces limits again', async () => {
    const meter = createRedisRateLimiter({ redis, log })
    const ask = mustAsk('full', 'free', 'canvas')
    const troubles: readonly (readonly [begin: () => Promise<unknown>, end: () => Promise<unknown>])[] = [
      [() => redis.config('SET', 'maxmemory', '1'), () => redis.config('SET', 'maxmemory', '512mb')],
      [() => redis.call('REPLICAOF', '127.0.0.1', '1'), () => redis.call('REPLICAOF', 'NO', 'ONE')],
    ]
    for (const [begin, end] of troubles) {
      await begin()
      const before = meter.failOpenCount()
      for (let i = 0; i < 50; i++) expect((await meter.charge(ask)).allowed).to.equal(true)
      expect(meter.failOpenCount()).to.equal(before + 50)
      await end()
      await eventually(
        () => meter.charge(ask),
        ({ allowed }) => !allowed,
      )
      await redis.del('meter:full')
    }
  })

  it('lets requests through where there has never been a Redis', async () => {
    const nowhere = connectRedis({ path: '/nowhere/redis.sock' }, log)
    const meter = createRedisRateLimiter({ redis: nowhere, log })
    expect(await meter.charge(mustAsk('none', 'free', 'cheap'))).to.deep.equal({ allowed: true, remaining: 59 })
    await sleep(10)
    nowhere.disconnect()
  })
})

/** Waits until something listens on a socket where nothing does now. */
async function answering(path: string): Promise<void> {
  for (;;) {
    const socket = connect(path)
    const isOpen = await once(socket, 'connect').then(
      () => true,
      () => false,
    )
    socket.destroy()
    if (isOpen) return
    await sleep(10)
  }
}

/** The same whole numbers below `bound` on every run. */
function createRandom(seed: number): (bound: number) => number {
  let state = seed
  return (bound) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * bound)
  }
}
