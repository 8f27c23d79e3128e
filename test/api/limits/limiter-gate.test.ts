import { expect } from 'chai'
import type { Redis } from 'ioredis'
import { createRedisRateLimiter, type RedisRateLimiter } from '../../../api/limits/limiter-redis.ts'
import { createLog } from '../../../lib/log.ts'
import { mustAsk } from '../../support/meter.ts'

const ask = mustAsk('p', 'free', 'cheap')
type Script = (script: string, keys: number, ...args: unknown[]) => Promise<readonly number[]>

const FRESH = { allowed: true, remaining: 59 }

describe('the meter before a Redis that fails', () => {
  let nowMs: number
  /** The number of requests of each call. */
  let calls: number[]
  let scripts: number
  let lines: { msg: string; redis?: string; err?: { message: string } }[]
  let redis: { status: string; evalsha: Script; eval: Script }
  let meter: RedisRateLimiter
  let respond: (count: number, args: readonly unknown[]) => Promise<readonly number[]>

  beforeEach(() => {
    nowMs = 1000
    performance.now = () => nowMs
    calls = []
    scripts = 0
    lines = []
    respond = async (count) => Array.from({ length: count }, () => 7)
    redis = {
      status: 'ready',
      evalsha: async (_, keys, ...args) => {
        calls.push(keys)
        return respond(keys, args)
      },
      eval: async (_, keys) => {
        scripts++
        return Array.from({ length: keys }, () => 5)
      },
    }
    const log = createLog('info', { write: (line: string) => void lines.push(JSON.parse(line)) })
    meter = createRedisRateLimiter({ redis: redis as unknown as Redis, log, deadlineMs: 30 })
  })
  afterEach(() => {
    // The real one is its prototype's.
    Reflect.deleteProperty(performance, 'now')
  })

  const charge = async () => meter.charge(ask)
  const fail = (error: unknown = new Error('gone')) => {
    respond = async () => {
      throw error
    }
  }
  const work = () => {
    respond = async (count) => Array.from({ length: count }, () => 7)
  }
  const messages = () => lines.map(({ msg }) => msg)

  it('sends requests of one moment together, 64 at most, and each once', async () => {
    await Promise.all(Array.from({ length: 130 }, charge))
    expect(calls).to.deep.equal([64, 64, 2])
    expect(messages()).to.deep.equal([])
  })

  it('leaves the time to Redis, and reads each answer', async () => {
    let sent: readonly unknown[] = []
    respond = async (_, args) => {
      sent = args
      return [0, -6, -7]
    }
    expect(await Promise.all([charge(), charge(), charge()])).to.deep.equal([
      { allowed: true, remaining: 0 },
      { allowed: false, spent: 'class', waitMs: 3 },
      { allowed: false, spent: 'aggregate', waitMs: 3 },
    ])
    const limits = [60, 80, 1]
    expect(sent).to.deep.equal(['meter:p', 'meter:p', 'meter:p', '', ...limits, ...limits, ...limits])
  })

  it('calls no more after three failures in a row, then with one request each second', async () => {
    fail()
    for (let i = 0; i < 5; i++) expect(await charge()).to.deep.equal(FRESH)
    expect([calls.length, meter.failOpenCount()]).to.deep.equal([3, 5])
    nowMs += 999
    await charge()
    expect(calls).to.have.length(3)
    nowMs += 1
    await charge()
    await charge()
    expect(calls).to.have.length(4)
    nowMs += 1000
    const answer = Promise.withResolvers<readonly number[]>()
    respond = () => answer.promise
    const probe = charge()
    await new Promise((resolve) => setImmediate(resolve))
    expect(await charge()).to.deep.equal(FRESH)
    expect(calls).to.have.length(5)
    work()
    answer.resolve([7])
    expect(await probe).to.deep.equal({ allowed: true, remaining: 7 })
    expect(messages()).to.deep.equal(['rate limits off: Redis unavailable', 'rate limits on again'])
    expect(lines[0]?.err?.message).to.equal('gone')
    await charge()
    await charge()
    expect(calls).to.have.length(7)
  })

  it('counts failures again after each answer', async () => {
    for (let round = 0; round < 2; round++) {
      fail()
      await charge()
      await charge()
      work()
      expect(await charge()).to.deep.equal({ allowed: true, remaining: 7 })
    }
    expect(calls).to.have.length(6)
    expect(messages()).to.deep.equal([
      'rate limits off: Redis unavailable',
      'rate limits on again',
      'rate limits off: Redis unavailable',
      'rate limits on again',
    ])
  })

  it('probes again after each time that it gave up', async () => {
    for (let round = 0; round < 2; round++) {
      fail()
      for (let i = 0; i < 4; i++) await charge()
      nowMs += 1000
      work()
      expect(await charge(), `round ${round}`).to.deep.equal({ allowed: true, remaining: 7 })
    }
    expect(calls).to.have.length(8)
  })

  it('calls nothing while Redis is not connected, and says so once', async () => {
    redis.status = 'reconnecting'
    expect([await charge(), await charge()]).to.deep.equal([FRESH, FRESH])
    expect([calls, lines.map(({ redis: status }) => status)]).to.deep.equal([[], ['reconnecting']])
    redis.status = 'ready'
    await charge()
    await charge()
    expect(messages()).to.deep.equal(['rate limits off: Redis unavailable', 'rate limits on again'])
  })

  it('sends the script where Redis has forgotten it, and after no other failure', async () => {
    fail(new Error('NOSCRIPT No matching script.'))
    expect(await charge()).to.deep.equal({ allowed: true, remaining: 5 })
    expect([scripts, meter.failOpenCount()]).to.deep.equal([1, 0])
    for (const error of [new Error('READONLY'), 'NOSCRIPT as a text', null]) {
      fail(error)
      expect(await charge()).to.deep.equal(FRESH)
    }
    expect([scripts, meter.failOpenCount()]).to.deep.equal([1, 3])
  })

  it('waits no longer than its deadline', async () => {
    respond = () => new Promise(() => {})
    expect(await charge()).to.deep.equal(FRESH)
    expect(lines[0]?.err?.message).to.equal("Redis didn't respond within 30 ms")
  })
})
