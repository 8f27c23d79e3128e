import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import type { Redis } from 'ioredis'
import { createEventBus } from '../../bot/event-bus.ts'
import type { EventBus, ProjectEvent } from '../../bot/events.ts'
import { createKeys, type Keys } from '../../db/projects/keys.ts'
import { createProjects, type Projects } from '../../db/projects/projects.ts'
import { createSharedProjects } from '../../db/projects/shared-projects.ts'
import { connectRedis, untilReady } from '../../jobs/redis/redis-client.ts'
import { startRedis, type RedisServer } from '../../jobs/redis/redis.ts'
import { createOutbox } from '../../cluster/event-outbox.ts'
import { openCluster, type Cluster } from '../../cluster/cluster.ts'
import { createSigning } from '../../cluster/signing.ts'
import { temporaryDatabase, temporaryFolder } from '../support/database.ts'
import { silent } from '../support/encode-queue.ts'
import { hasRedis } from '../support/redis.ts'
import { eventually } from '../support/service.ts'

const KEY = 'ab'.repeat(32)
const OWNER = `prj_${'0'.repeat(20)}`
const [BOT, OTHER_BOT] = ['111111111111111111', '222222222222222222']

interface Service {
  readonly peers: Cluster
  readonly events: EventBus
  readonly heard: ProjectEvent[]
  readonly projects: Projects
  readonly keys: Keys
}

function meet(...services: readonly Service[]) {
  return eventually(
    () => services.map(({ peers }) => peers.counts().services),
    (counts) => counts.every((count) => count === services.length - 1),
  )
}

function ends(projectId: string, botId: string, guildId: string): ProjectEvent {
  return { projectId, event: { type: 'queueEmptied', botId, guildId } }
}

function isKnown(service: Service, projectId: string) {
  return eventually(
    () => service.projects.find(projectId),
    (found) => found !== null,
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
  async function open(bots: readonly string[] = [], servicesKey = KEY, ways = connectBoth()): Promise<Service> {
    const { db, store, close } = temporaryDatabase()
    opened.push(close)
    const events = createEventBus({ log: silent })
    const heard: ProjectEvent[] = []
    events.subscribe((event) => void heard.push(event))
    const connections = await ways
    const projects = createSharedProjects(db, store)
    const given = { prefix: 'test', servicesKey, events, projects, log: silent, now: Date.now }
    const peers = openCluster({ ...connections, ...given })
    opened.push(() => peers.close())
    const baseUrl = `http://${bots.join()}.test`
    peers.announce(() => ({ baseUrl, bots, botsByProject: { [OWNER]: bots }, players: {} }))
    return { peers, events, heard, projects: createProjects(store), keys: createKeys(store) }
  }
  async function published(): Promise<number> {
    return Number(/cmdstat_publish:calls=(\d+)/.exec(await redis.info('commandstats'))?.[1] ?? 0)
  }
  async function publishedInAMoment(): Promise<number> {
    const before = await published()
    await sleep(600)
    return (await published()) - before
  }
  it('know where each bot runs, and forget a service that left', async () => {
    const [a, b] = [await open([BOT]), await open([OTHER_BOT])]
    await meet(a, b)
    expect([a.peers.runs(OTHER_BOT), b.peers.runs(BOT)]).to.deep.equal([
      `http://${OTHER_BOT}.test`,
      `http://${BOT}.test`,
    ])
    expect(a.peers.runs(BOT), 'its own').to.equal(null)
    expect([a.peers.botsOf(OWNER), a.peers.botsOf(`prj_${'1'.repeat(20)}`)]).to.deep.equal([[OTHER_BOT], []])
    await opened.pop()!()
    await meet(a)
    expect(a.peers.runs(OTHER_BOT)).to.equal(null)
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

  it('send nothing while no one listens, and to anyone who does each event once, in order', async () => {
    const [a, b, c] = [await open([BOT]), await open(), await open()]
    await meet(a, b, c)
    const { id } = await a.projects.create({ name: 'P', plan: 'free' })
    for (let i = 0; i < 50; i++) a.events.emit(ends(id, BOT, `before ${i}`))
    await sleep(100)
    expect(a.peers.counts().sent).to.equal(0)
    const unwant = b.events.want(id)
    const heard = () => b.heard.map(({ event }) => ('guildId' in event ? event.guildId : ''))
    const probe = () => {
      a.events.emit(ends(id, BOT, 'probe'))
      return b.heard.length
    }
    await eventually(probe, (count) => count > 0)
    const wanted = Array.from({ length: 250 }, (_, i) => String(i))
    for (const guildId of wanted) a.events.emit(ends(id, BOT, guildId))
    await eventually(heard, (all) => all.at(-1) === '249')
    expect(heard().filter((guildId) => guildId !== 'probe')).to.deep.equal(wanted)
    expect(b.heard.every(({ isFromPeer }) => isFromPeer)).to.equal(true)
    expect(c.heard).to.deep.equal([])
    unwant()
    const sentMore = async () => {
      const { sent } = a.peers.counts()
      probe()
      await sleep(100)
      return a.peers.counts().sent - sent
    }
    await eventually(sentMore, (more) => more === 0)
    await eventually(heard, ({ length }) => length === a.peers.counts().sent)
    expect(b.peers.counts().sent).to.equal(0)
  })

  it('believe nothing that they did not write, and nothing twice', async () => {
    const a = await open([BOT])
    const { id } = await a.projects.create({ name: 'P', plan: 'free' })
    const signing = createSigning(KEY)
    const channel = `test:services:${signing.id}:all`
    const from = crypto.randomUUID()
    const events = [{ projectId: id, event: { type: 'queueEmptied', botId: OTHER_BOT, guildId: 'x' } }]
    const text = JSON.stringify({ from, seq: 7, type: 'events', events })
    const strange = JSON.stringify({
      from,
      seq: 8,
      type: 'events',
      events: [{ projectId: id, event: { type: 'new' } }],
    })
    const forged = createSigning('cd'.repeat(32)).sign(channel, text)
    for (const message of [
      '',
      'x',
      '{}',
      text,
      forged,
      signing.sign('test:other', text),
      signing.sign(channel, '{}'),
    ]) {
      await redis.publish(channel, message)
    }
    const good = signing.sign(channel, text)
    for (const message of [good, good, signing.sign(channel, strange)]) await redis.publish(channel, message)
    await eventually(
      () => a.peers.counts(),
      ({ refused }) => refused === 8,
    )
    expect(a.heard).to.deep.equal([{ ...events[0], isFromPeer: true }])
  })

  it('put a forged project right, and leave one alone that a newer version wrote', async () => {
    const a = await open()
    const { id } = await a.projects.create({ name: 'P', plan: 'free' })
    const signing = createSigning(KEY)
    const hash = `test:services:${signing.id}:projects`
    const kept = () => redis.hget(hash, id)
    const right = await eventually(kept, (text) => text !== null)
    await redis.hset(hash, id, right!.replace('free', 'scale'))
    await redis.publish(`${hash}:changed`, id)
    await eventually(kept, (text) => text === right)
    expect((await a.projects.get(id)).plan).to.equal('free')
    const newer = signing.sign(`project ${id}`, right!.slice(43).replace('"free"', '"unheard-of"'))
    await redis.hset(hash, id, newer)
    await a.projects.rename(id, 'Mine')
    await sleep(600)
    expect(await kept()).to.equal(newer)
  })

  it('lose no change when all write at once, and a Redis that forgot everything learns it again', async () => {
    const services = [await open(), await open(), await open()]
    const { id } = await services[0]!.projects.create({ name: 'P', plan: 'free' })
    for (const service of services) await isKnown(service, id)
    const making = services.flatMap(({ keys }) => Array.from({ length: 6 }, () => keys.create({ projectId: id })))
    const made = (await Promise.all(making)).map((key) => key.id)
    const listOf = async ({ keys }: Service) =>
      (await keys.list(id))
        .map((key) => key.id)
        .toSorted()
        .join()
    const lists = () => Promise.all(services.map(listOf))
    await eventually(lists, (all) => all.every((one) => one === made.toSorted().join()))
    await redis.flushall()
    await services[1]!.keys.revoke(id, made[0]!)
    await eventually(
      () => Promise.all(services.map(({ keys }) => keys.get(id, made[0]!))),
      (found) => found.every(({ revokedAtMs }) => revokedAtMs !== null),
    )
    await eventually(publishedInAMoment, (count) => count <= 3)
  })

  it('do not know those with another key on the same Redis', async () => {
    const [a, b] = [await open([BOT]), await open([OTHER_BOT], randomBytes(32).toString('hex'))]
    const { id } = await a.projects.create({ name: 'P', plan: 'free' })
    await sleep(700)
    expect([a.peers.counts().services, b.peers.counts(), await b.projects.find(id)]).to.deep.equal([
      0,
      { services: 0, sent: 0, received: 0, dropped: 0, refused: 0 },
      null,
    ])
  })
})

describe('events on their way to other services', () => {
  it('wait for a Redis that hangs as long as they are news, are bounded, and stay in order', async () => {
    let nowMs = 0
    const waiting: (() => void)[] = []
    const arrived: string[] = []
    const outbox = createOutbox({
      now: () => nowMs,
      isReady: () => true,
      async send(_, events) {
        await new Promise<void>((resolve) => waiting.push(resolve))
        arrived.push(...events)
      },
    })
    const go = async () => {
      await sleep(5)
      waiting.splice(0).forEach((resolve) => resolve())
      await sleep(5)
    }
    outbox.push(['one'], 'first')
    await sleep(5)
    for (let i = 0; i < 1500; i++) outbox.push(['one'], `early ${i}`)
    expect(outbox.dropped).to.equal(500)
    nowMs = 2500
    outbox.push(['one'], 'late')
    expect(outbox.dropped).to.equal(1500)
    await go()
    await go()
    expect(arrived).to.deep.equal(['first', 'late'])
    await outbox.close()
    expect(outbox.sent).to.equal(2)
  })

  it('are dropped at once without Redis', () => {
    const outbox = createOutbox({ send: () => Promise.reject(new Error('away')), isReady: () => false })
    outbox.push(['one', 'two'], 'event')
    expect([outbox.sent, outbox.dropped]).to.deep.equal([0, 2])
  })
})
