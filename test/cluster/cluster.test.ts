import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import type { Redis } from 'ioredis'
import { connectRedis, untilReady } from '../../jobs/redis/redis-client.ts'
import { startRedis, type RedisServer } from '../../jobs/redis/redis.ts'
import { openCluster, type Cluster } from '../../cluster/cluster.ts'
import { createSigning } from '../../cluster/signing.ts'
import { Fault } from '../../lib/errors.ts'
import { assertOneDatabase } from '../../service/cluster.ts'
import { temporaryFolder } from '../support/database.ts'
import { silent } from '../support/encode-queue.ts'
import { hasRedis } from '../support/redis.ts'
import { eventually } from '../support/service.ts'

const KEY = 'ab'.repeat(32)
const OWNER = `prj_${'0'.repeat(20)}`
const [BOT, OTHER_BOT] = ['111111111111111111', '222222222222222222']

function meet(...services: readonly Cluster[]) {
  return eventually(
    () => services.map((service) => service.counts().services),
    (counts) => counts.every((count) => count === services.length - 1),
  )
}

/** Services without bots and API, in one process, over a Redis of their own. */
describe('the services of an installation', function () {
  const folder = temporaryFolder()
  const opened: (() => unknown)[] = []
  let server: RedisServer
  let redis: Redis
  before(async function () {
    if (!hasRedis()) this.skip()
    server = await startRedis({ dataDir: folder.path, url: null, log: silent })
    redis = await connect()
  })
  afterEach(async () => {
    for (const close of opened.splice(1).toReversed()) await close()
    await redis?.flushall()
  })
  after(async () => {
    redis?.disconnect()
    await server?.close()
    folder.remove()
  })

  async function connect(): Promise<Redis> {
    const client = connectRedis(server.address!, silent)
    opened.push(() => client.disconnect())
    await untilReady(client, 5000)
    return client
  }
  async function connectBoth() {
    return { redis: await connect(), subscriber: await connect() }
  }
  async function open(bots: readonly string[] = [], servicesKey = KEY, ways = connectBoth()): Promise<Cluster> {
    const cluster = openCluster({ ...(await ways), prefix: 'test', servicesKey, log: silent })
    opened.push(() => cluster.close())
    const baseUrl = `http://${bots.join()}.test`
    cluster.announce(() => ({ baseUrl, bots, botsByProject: { [OWNER]: bots }, players: {} }))
    return cluster
  }

  it('know where each bot runs, and forget a service that left', async () => {
    const [a, b] = [await open([BOT]), await open([OTHER_BOT])]
    await meet(a, b)
    expect([a.runs(OTHER_BOT), b.runs(BOT)]).to.deep.equal([`http://${OTHER_BOT}.test`, `http://${BOT}.test`])
    expect(a.runs(BOT), 'its own').to.equal(null)
    expect([a.botsOf(OWNER), a.botsOf(`prj_${'1'.repeat(20)}`)]).to.deep.equal([[OTHER_BOT], []])
    await opened.pop()!()
    await meet(a)
    expect(a.runs(OTHER_BOT)).to.equal(null)
  })

  it('ask who is there as soon as they can speak, when they could hear before', async () => {
    const ways = await connectBoth()
    const channel = `test:services:${createSigning(KEY).id}:all`
    const ear = await connect()
    const asked: unknown[] = []
    ear.on('message', (_, text: string) => asked.push(/"type":"who"/.exec(text)?.[0]))
    await ear.subscribe(channel)
    ways.redis.disconnect()
    await once(ways.redis, 'end')
    await open([BOT], KEY, Promise.resolve(ways))
    await eventually(
      () => redis.pubsub('NUMSUB', channel),
      ([, count]) => count === 2,
    )
    await ways.redis.connect()
    await eventually(
      () => asked,
      (all) => all.includes('"type":"who"'),
    )
  })

  it('believe nothing that they did not write, and nothing twice', async () => {
    const a = await open([BOT])
    const signing = createSigning(KEY)
    const channel = `test:services:${signing.id}:all`
    const from = crypto.randomUUID()
    const here = (seq: number, baseUrl: string) =>
      JSON.stringify({ from, seq, type: 'here', baseUrl, bots: [OTHER_BOT], players: { [OWNER]: 3 } })
    const forged = createSigning('cd'.repeat(32)).sign(channel, here(7, 'http://forged.test'))
    const unsigned = here(7, 'http://unsigned.test')
    for (const message of [
      '',
      'x',
      '{}',
      unsigned,
      forged,
      signing.sign('test:other', unsigned),
      signing.sign(channel, '{}'),
    ])
      await redis.publish(channel, message)
    // The number of a message was used before: a third party sent it again.
    for (const [seq, url] of [
      [7, 'http://true.test'],
      [7, 'http://again.test'],
      [6, 'http://earlier.test'],
    ] as const)
      await redis.publish(channel, signing.sign(channel, here(seq, url)))
    await eventually(
      () => a.counts(),
      ({ refused, services }) => refused === 7 && services === 1,
    )
    expect([a.runs(OTHER_BOT), a.players(OWNER)]).to.deep.equal(['http://true.test', 3])
  })

  it('do not know those with another key on the same Redis', async () => {
    const [a, b] = [await open([BOT]), await open([OTHER_BOT], randomBytes(32).toString('hex'))]
    await sleep(700)
    for (const one of [a, b]) expect(one.counts()).to.deep.equal({ services: 0, refused: 0 })
  })
})

describe('a service with SERVICES_KEY', () => {
  it('is told what to do when the services have no database in common', () => {
    const alone = { servicesKey: KEY, database: { url: null } }
    expect(() => assertOneDatabase(alone)).to.throw(Fault, /migrate --to postgres.*remove SERVICES_KEY/)
    assertOneDatabase({ servicesKey: null, database: { url: null } })
    assertOneDatabase({ servicesKey: KEY, database: { url: 'postgres://db.test/band' } })
  })
})
