import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import type { Redis } from 'ioredis'
import { createRedisMeter } from '../../api/meter-redis.ts'
import { createMemoryMeter } from '../../api/meter.ts'
import { connectRedis } from '../../jobs/redis-client.ts'
import { redisFolder, redisSocket } from '../../jobs/redis-place.ts'
import { startRedis, type RedisServer } from '../../jobs/redis.ts'
import { createLog } from '../../log.ts'
import { PLAN_NAMES, PLANS, type MeteredClass } from '../../plans.ts'
import { temporaryFolder } from '../support/database.ts'
import { mustAsk, play, readScenarios } from '../support/meter.ts'
import { hasRedis } from '../support/redis.ts'
import { eventually } from '../support/service.ts'

const log = createLog('silent')
const CLIENT = join(import.meta.dirname, '..', 'support', 'meter-client.ts')
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

  const scenarios = readScenarios()
  if (!scenarios) it('is not held against the published scenarios, which are not here', () => undefined)
  for (const scenario of scenarios ?? []) {
    it(scenario.name, async () => {
      const clock = { nowMs: 1_700_000_000_000 }
      await play(scenario, createRedisMeter({ redis, log, now: () => clock.nowMs, deadlineMs: PATIENT_MS }), clock)
    })
  }

  it('agrees with the meter in memory over random requests, plans and clocks', async () => {
    const clock = { nowMs: 1_700_000_000_000 }
    const memory = createMemoryMeter(() => clock.nowMs)
    const shared = createRedisMeter({ redis, log, now: () => clock.nowMs, deadlineMs: PATIENT_MS })
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

  it('keeps nothing for longer than two windows', async () => {
    const meter = createRedisMeter({ redis, log, deadlineMs: PATIENT_MS })
    await meter.charge(mustAsk('short', 'free', 'cheap'))
    const keys = await redis.keys('meter:short:*')
    expect(keys).to.have.length(2)
    for (const key of keys) expect(await redis.pttl(key)).to.be.within(1, 120_000)
  })

  it('goes on when Redis has forgotten the script', async () => {
    const meter = createRedisMeter({ redis, log, deadlineMs: PATIENT_MS })
    await redis.script('FLUSH')
    expect(await meter.charge(mustAsk('flushed', 'free', 'cheap'))).to.deep.equal({ allowed: true, remaining: 59 })
    expect(await meter.charge(mustAsk('flushed', 'free', 'cheap'))).to.deep.equal({ allowed: true, remaining: 58 })
    expect(meter.letThrough()).to.equal(0)
  })

  it('gives 20 clients in two processes never more than the plan, nor under 99 % of it', async () => {
    const forMs = 2500
    const children = [1, 2].map(() => fork(CLIENT, [address.path, String(forMs)]))
    await Promise.all(children.map((child) => once(child, 'message')))
    const startedMs = performance.now()
    const results = children.map((child) => once(child, 'message'))
    for (const child of children) child.send('go')
    const told = (await Promise.all(results)).map(([result]) => result as Record<string, number>)
    const tookMs = performance.now() - startedMs
    const sum = (field: string) => told.reduce((total, result) => total + (result[field] ?? 0), 0)
    expect(sum('letThrough')).to.equal(0)
    expect(sum('allowed')).to.be.at.most(Math.floor(planFor(tookMs)))
    expect(sum('asked')).to.be.greaterThan(sum('allowed'))
    expect(sum('allowed')).to.be.at.least(Math.floor(planFor(forMs) * 0.99))
  }).timeout(20_000)

  it('fails no request when Redis is killed with -9 under load, and is back within 3 s', async () => {
    const meter = createRedisMeter({ redis, log })
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
      ({ allowed }) => !allowed && meter.letThrough() > 0,
      8000,
    )
    await returned
    expect(performance.now() - returnedMs).to.be.lessThan(3000)
    expect(slowestMs).to.be.lessThan(2000)
  })

  it('lets requests through while Redis is stopped, waits for few of them, and enforces limits again', async () => {
    const lines: { msg?: string }[] = []
    const noted = createLog('info', { write: (line: string) => void lines.push(JSON.parse(line)) })
    const meter = createRedisMeter({ redis, log: noted })
    const ask = mustAsk('stopped', 'free', 'canvas')
    for (let i = 0; i < ask.limit; i++) await meter.charge(ask)
    const pid = redisPid()
    process.kill(pid, 'SIGSTOP')
    try {
      const startedMs = performance.now()
      for (let i = 0; i < 200; i++) expect((await meter.charge(ask)).allowed).to.equal(true)
      expect(meter.letThrough()).to.equal(200)
      // Three wait for their deadline; the rest for nothing, but for the probe of every second.
      expect(performance.now() - startedMs).to.be.lessThan(2000)
    } finally {
      process.kill(pid, 'SIGCONT')
    }
    await eventually(
      () => meter.charge(ask),
      ({ allowed }) => !allowed,
      3000,
    )
    expect(lines.map(({ msg }) => msg)).to.deep.equal(['limits not enforced', 'limits enforced again'])
  })

  it('lets requests through while Redis is full or read-only, and enforces limits again', async () => {
    const meter = createRedisMeter({ redis, log })
    const ask = mustAsk('full', 'free', 'canvas')
    const troubles: readonly (readonly [begin: () => Promise<unknown>, end: () => Promise<unknown>])[] = [
      [() => redis.config('SET', 'maxmemory', '1'), () => redis.config('SET', 'maxmemory', '512mb')],
      [() => redis.call('REPLICAOF', '127.0.0.1', '1'), () => redis.call('REPLICAOF', 'NO', 'ONE')],
    ]
    for (const [begin, end] of troubles) {
      await begin()
      const before = meter.letThrough()
      for (let i = 0; i < 50; i++) expect((await meter.charge(ask)).allowed).to.equal(true)
      expect(meter.letThrough()).to.equal(before + 50)
      await end()
      await eventually(
        () => meter.charge(ask),
        ({ allowed }) => !allowed,
      )
      await redis.del('meter:full:canvas', 'meter:full:aggregate')
    }
  })

  it('lets requests through where there has never been a Redis', async () => {
    const nowhere = connectRedis({ path: '/nowhere/redis.sock' }, log)
    const meter = createRedisMeter({ redis: nowhere, log })
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

/** What a burst and the steady flow after it let through in a time. */
function planFor(ms: number): number {
  return PLANS.scale.cheap + (PLANS.scale.cheap * ms) / 60_000
}

/** The same whole numbers below `bound` on every run. */
function createRandom(seed: number): (bound: number) => number {
  let state = seed
  return (bound) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * bound)
  }
}
