import { expect } from 'chai'
import { ChannelType } from 'discord-api-types/v10'
import { pino } from 'pino'
import type { BotManager } from '../../../../bot/discord/bot-manager.ts'
import { startSandbox, type Sandbox } from 'bandstand-sandbox'
import {
  addApplication,
  addChannel,
  addMember,
  createApplication,
  createGuild,
  createUser,
  enterVoice,
  messagesOf,
  type Application,
  type Guild,
} from 'bandstand-sandbox/world'
import { createSigning } from '../../../../service/cluster/signing.ts'
import { createSessionStores } from '../../../../service/cluster/leases/session-store.ts'
import { createPostgresStore } from '../../../../db/engine/postgres/postgres-store.ts'
import type { Store } from '../../../../db/engine/store.ts'
import { embeddedPostgres, emptyPostgres } from '../../../support/stores.ts'
import { startBots, until, type TestBots } from '../../../support/bots.ts'
import { createFakeAudioNode, type FakeAudioNode } from '../../../support/fake-audio-node.ts'
import { emptyLeases, LEASE_KEY, openLeaseService, type LeaseService } from '../../../support/lease-service.ts'
import { ownRedis } from '../../../support/redis.ts'
import { fetchJson } from '../../../support/service.ts'
import { testSources } from '../../../support/stage.ts'

const SHARDS = 4
const POSITION_MS = 42_000
/** Without a player: a new owner reads them after those with one. */
const QUIET_GUILDS = 30

interface Service {
  readonly leases: LeaseService
  readonly node: FakeAudioNode
  readonly bots: BotManager
}

describe('a bot that two services run', () => {
  const redis = ownRedis()
  let database: Store
  let sandbox: Sandbox
  let bot: Application
  let places: readonly { readonly guild: Guild; readonly channelId: string; readonly textId: string }[]
  let test: TestBots
  let services: readonly [Service, Service]
  before(async () => {
    database = createPostgresStore(await embeddedPostgres())
  })
  beforeEach(async () => {
    await emptyLeases(redis.client)
    sandbox = await startSandbox({ port: 0, stateFile: null, demoMember: false, log: pino({ level: 'silent' }) })
    bot = createApplication(sandbox.world, { name: 'Large', shards: SHARDS, maxConcurrency: 16 })
    places = Array.from({ length: SHARDS }, (_, shard) => createPlace(BigInt(shard)))
    for (let at = 0; at < QUIET_GUILDS; at += 1) {
      const id = String((2_100_000_000_000n + BigInt(at)) << 22n)
      addApplication(sandbox.world, createGuild(sandbox.world, { id, name: `Quiet ${at}`, ownerId: '300' }), bot)
    }
    await emptyPostgres()
    const [a, b] = ['a', 'b'].map((id) => openLeaseService({ redis: redis.client, database, id })) as [
      LeaseService,
      LeaseService,
    ]
    const [nodeA, nodeB] = [createFakeAudioNode(), createFakeAudioNode()]
    test = await startBots({
      apiUrl: `${sandbox.url}/api`,
      nodes: [nodeA],
      sources: testSources,
      directory: a.directory,
    })
    await test.records.add({ id: bot.id, projectId: test.projectId, name: 'Large', token: bot.token })
    const botsB = test.startAnother({ nodes: [nodeB], directory: b.directory })
    test.changed()
    services = [
      { leases: a, node: nodeA, bots: test.bots },
      { leases: b, node: nodeB, bots: botsB },
    ]
    await until('both run two shards', () => services.every((service) => held(service).length === 2))
    await until('all shards are connected', () => identifies() === SHARDS)
  })
  afterEach(async () => {
    await services[1].bots.close()
    await test.close()
    for (const { leases } of services) await leases.close()
    await sandbox.close()
  })

  function createPlace(shard: bigint) {
    const id = String((2_000_000_000_000n + shard) << 22n)
    const listener = String(300n + shard)
    const guild = createGuild(sandbox.world, { id, name: `Guild ${shard}`, ownerId: listener })
    addMember(sandbox.world, guild, createUser(listener, `listener ${shard}`))
    addApplication(sandbox.world, guild, bot)
    const channel = addChannel(sandbox.world, guild, { name: 'Voice', type: ChannelType.GuildVoice })
    enterVoice(sandbox.world, guild, { userId: listener, channelId: channel.id, sessionId: `listener of ${id}` })
    const text = addChannel(sandbox.world, guild, { name: 'Text', type: ChannelType.GuildText })
    return { guild, channelId: channel.id, textId: text.id }
  }
  const who = () => ({ projectId: test.projectId, botId: bot.id, playerCeiling: 50 })
  const held = ({ leases }: Service) => places.filter(({ guild }) => leases.directory.isHeldHere(bot.id, guild.id))
  const sessionIds = () => [...sandbox.gateway.sessions.keys()].toSorted()
  const identifies = () => sandbox.gateway.sessions.size
  const owner = (guildId: string) => services.find(({ leases }) => leases.directory.isHeldHere(bot.id, guildId))!
  const shown = () => places.map(({ guild, channelId }) => guild.voice.get(bot.id)?.channelId === channelId)
  const told = () => test.events.map(({ type }) => type)

  function tellPosition(guildId: string): void {
    const node = services.find(({ leases }) => leases.directory.isHeldHere(bot.id, guildId))?.node
    const play = node?.voices.get(guildId)?.play
    if (play) node?.tell({ botId: bot.id, guildId, type: 'position', playId: play.playId, positionMs: POSITION_MS })
  }

  /** One player on each shard, at a position that is saved, and each session with all its guilds. */
  async function playEverywhere(): Promise<void> {
    for (const { guild, channelId } of places) {
      // A shard may be on its way to the other service.
      const play = async () => owner(guild.id).bots.music.play(who(), guild.id, { query: 'A', channelId })
      await until('it plays', async () => play().then(Boolean, () => false))
    }
    await until('positions are saved', async () => {
      for (const { guild } of places) tellPosition(guild.id)
      const saved = await test.states.list(test.projectId, bot.id)
      return saved.length === SHARDS && saved.every(({ positionMs }) => positionMs >= POSITION_MS)
    })
    await until('sessions are saved', async () => (await redis.client.keys('test:sessions:*:guilds')).length === SHARDS)
    await until(
      'sessions have their sequence',
      async () => (await redis.client.keys('test:sessions:*')).length === 2 * SHARDS,
    )
  }

  /** @param moved those that the other service ran until now. */
  async function expectAllPlaysAt({ node, bots }: Service, moved: ReturnType<typeof held>): Promise<void> {
    await until('all players play there', () => places.every(({ guild }) => node.voices.get(guild.id)?.play))
    for (const { guild } of moved) expect(node.voices.get(guild.id)?.play?.positionMs).to.be.at.least(POSITION_MS)
    await until('Discord shows it in all channels', () => shown().every(Boolean))
    await until('it knows all guilds', () => bots.guildsOf(bot.id).length === SHARDS + QUIET_GUILDS)
    const withPlayers = bots.guildsOf(bot.id).filter(({ name }) => name.startsWith('Guild'))
    expect(withPlayers.map(({ name, channels }) => [name, channels.length])).to.deep.equal(
      places.map(({ guild }) => [guild.name, 1]),
    )
  }

  it('is handed over with its players and sessions when one of them drains, without an event', async () => {
    await playEverywhere()
    const [a, b] = services
    const [sessions, moved] = [sessionIds(), held(a)]
    await a.leases.directory.drain()
    await expectAllPlaysAt(b, moved)
    expect(sessionIds(), 'resumed').to.deep.equal(sessions)
    expect(a.node.voices.size, 'players of the first').to.equal(0)
    expect(told()).to.deep.equal(places.map(() => 'trackStarted'))
  })

  /** Sends a member's action in a text channel: a command, or a button of a message. */
  async function act(kind: 'command' | 'button', { guild, textId }: (typeof places)[number], what: object) {
    const body = { channelId: textId, userId: guild.ownerId, waitMs: 8000, ...what }
    const path = `/sandbox/guilds/${guild.id}/interactions/${kind}`
    return fetchJson(sandbox.url + path, 'POST', body, {})
  }

  it('keeps one now-playing card in a guild, which the new owner edits and whose buttons work', async () => {
    const [a, b] = services
    const place = places.find(({ guild }) => owner(guild.id) === a)!
    const messages = () => [...messagesOf(sandbox.world, place.textId).values()]
    const play = { applicationId: bot.id, command: 'play', options: { query: 'A' } }
    const cards = () => messages().filter((one) => JSON.stringify(one).includes('card:pause'))
    await until('it plays', async () => (await act('command', place, play)).status === 200)
    await until('the card is there', () => cards().length > 0)
    const before = messages().map(({ id }) => id)
    await a.leases.directory.drain()
    await until('it plays there', () => Boolean(b.node.voices.get(place.guild.id)?.play))
    // Discord gives a bot three seconds to answer, which may pass before a busy machine has resumed the session.
    await until('all sessions go on', () => [...sandbox.gateway.sessions.values()].every(({ carrier }) => carrier))
    const pressed = await act('button', place, { messageId: cards()[0]?.id, customId: 'card:pause' })
    expect(pressed.status, JSON.stringify(pressed.body)).to.equal(200)
    await until('the card says so', () => JSON.stringify(messages()).includes('Paused'))
    expect(messages().map(({ id }) => id)).to.deep.equal(before)
  })

  it('is taken over with all its guilds after Redis lost the sessions and one of them changed', async () => {
    await playEverywhere()
    const [a, b] = services
    const [sessions, moved] = [sessionIds(), held(a)]
    const keys = await redis.client.keys('test:sessions:*')
    const openStore = createSessionStores({ redis: redis.client, prefix: 'test', signing: createSigning(LEASE_KEY) })
    const stores = places.map((_, shardId) => openStore({ botId: bot.id, shardId, shardCount: SHARDS }))
    const counts = () => Promise.all(stores.map(async (store) => (await store.guildIds()).length))
    const before = await counts()
    await redis.client.del(...keys)
    for (const { guild } of places) addChannel(sandbox.world, guild, { name: 'New', type: ChannelType.GuildText })
    await until('all is saved again', async () => {
      const there = await redis.client.keys('test:sessions:*')
      return there.length === keys.length && JSON.stringify(await counts()) === JSON.stringify(before)
    })
    await a.leases.directory.drain()
    await expectAllPlaysAt(b, moved)
    expect(sessionIds(), 'resumed').to.deep.equal(sessions)
  })

  it('logs in again where the session of the former owner is gone, and plays on', async () => {
    await playEverywhere()
    const [a, b] = services
    const moved = held(a)
    await Promise.all([
      a.leases.directory.drain(),
      redis.client.keys('test:sessions:*').then((keys) => redis.client.del(...keys)),
    ])
    await expectAllPlaysAt(b, moved)
  })
})
