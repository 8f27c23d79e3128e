import { expect } from 'chai'
import { ChannelType } from 'discord-api-types/v10'
import { pino } from 'pino'
import { startSandbox, type Sandbox } from 'bandstand-sandbox'
import {
  addApplication,
  addChannel,
  createApplication,
  createGuild,
  type Application,
  type Guild,
} from 'bandstand-sandbox/world'
import { startBots, until, type TestBots } from '../../support/bots.ts'
import { createFakeAudioNode, type FakeAudioNode } from '../../support/fake-audio-node.ts'
import { testSources } from '../../support/stage.ts'

describe('a bot in more guilds than one connection may serve', () => {
  let sandbox: Sandbox
  let node: FakeAudioNode
  let test: TestBots
  let bot: Application
  /** Guild and voice channel of each of the two shards. */
  let places: readonly { readonly guild: Guild; readonly channelId: string }[]
  beforeEach(async () => {
    sandbox = await startSandbox({
      port: 0,
      stateFile: null,
      limits: false,
      demoMember: false,
      log: pino({ level: 'silent' }),
    })
    node = createFakeAudioNode()
    bot = createApplication(sandbox.world, { name: 'Large', shards: 2 })
    places = [0n, 1n].map((shard) => {
      const guild = createGuild(sandbox.world, {
        id: String((2_000_000_000_000n + shard) << 22n),
        name: `Guild of ${shard}`,
        ownerId: sandbox.demo.memberIds[0] ?? '',
      })
      addApplication(sandbox.world, guild, bot)
      return { guild, channelId: addChannel(sandbox.world, guild, { name: 'Voice', type: ChannelType.GuildVoice }).id }
    })
    test = await startBots({ apiUrl: `${sandbox.url}/api`, nodes: [node], sources: testSources })
    await test.records.add({ id: bot.id, projectId: test.projectId, name: 'Large', token: bot.token })
    test.changed()
    await until('the first is connected', () => test.bots.isConnected(bot.id))
  })
  afterEach(async () => {
    await test.close()
    await sandbox.close()
  })

  const sessions = () => [...sandbox.gateway.sessions.values()].filter(({ carrier }) => carrier)
  /** Discord lets each connection log in five seconds after the previous one. */
  const bothAreConnected = () =>
    until('both are connected', () => test.bots.isConnected(bot.id) && test.bots.guildsOf(bot.id).length === 2)
  const joins = () => node.calls.filter((call) => call.startsWith('join'))

  it('plays in the guilds of one while the next may not log in yet, and asks callers there to come again', async () => {
    const who = { projectId: test.projectId, botId: bot.id, playerCeiling: 5 }
    const play = async (at: number) => {
      const { guild, channelId } = places[at]!
      return test.bots.music.play(who, guild.id, { query: 'A', channelId })
    }
    await play(0)
    expect(places[0]?.guild.voice.get(bot.id)?.channelId).to.equal(places[0]?.channelId)
    const refusal = await play(1).catch((err: unknown) => err)
    expect(refusal).to.include({ code: 'service_unavailable', retryAfterMs: 1000 })
    expect(sessions().map(({ shard }) => shard)).to.deep.equal([[0, 2]])
    await bothAreConnected()
    await play(1)
    await until('it is in both channels', () =>
      places.every(({ guild, channelId }) => guild.voice.get(bot.id)?.channelId === channelId),
    )
  })

  it('has as many as Discord asks for, and continues in all other guilds when one begins again', async () => {
    await bothAreConnected()
    expect(sessions().map(({ shard }) => shard)).to.have.deep.members([
      [0, 2],
      [1, 2],
    ])
    const who = { projectId: test.projectId, botId: bot.id, playerCeiling: 5 }
    for (const { guild, channelId } of places) await test.bots.music.play(who, guild.id, { query: 'A', channelId })
    await until('it is in both channels', () =>
      places.every(({ guild, channelId }) => guild.voice.get(bot.id)?.channelId === channelId),
    )
    sandbox.gateway.invalidate(bot.id, false, 1)
    await until('it has joined again', () => joins().length === 3)
    expect(joins()[2]).to.equal(`join ${places[1]?.channelId}`)
    await until('it plays again', () => node.calls.filter((call) => call.startsWith('play')).length === 3)
    expect(test.bots.isConnected(bot.id)).to.equal(true)
    expect(test.events.map(({ type }) => type)).to.deep.equal(['trackStarted', 'trackStarted'])
  })
})
