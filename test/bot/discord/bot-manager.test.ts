import { expect } from 'chai'
import { join } from 'node:path'
import { ChannelType, OverwriteType, PermissionFlagsBits } from 'discord-api-types/v10'
import { pino } from 'pino'
import { Fault } from '../../../lib/errors.ts'
import { startSandbox, type Sandbox } from 'bandstand-sandbox'
import { addApplication, createApplication, deleteChannel, enterVoice } from 'bandstand-sandbox/world'
import { getGuild, moveInVoice, removeFromVoice, removeMember, type Guild } from 'bandstand-sandbox/world'
import { tellChannelUpdate } from 'bandstand-sandbox/world'
import { startBots, until, type TestBots } from '../../support/bots.ts'
import { temporaryFolder } from '../../support/database.ts'
import { createFakeAudioNode, type FakeAudioNode } from '../../support/fake-audio-node.ts'
import { faultOf, testSources } from '../../support/stage.ts'

/** The real discord.js in the stand-in Discord; only the sound is a fake. */
describe('bots', () => {
  let sandbox: Sandbox
  let node: FakeAudioNode
  let test: TestBots
  let guild: Guild
  const log = pino({ level: 'silent' })
  beforeEach(async () => {
    sandbox = await startSandbox({ port: 0, stateFile: null, limits: false, demoMember: false, log })
    node = createFakeAudioNode()
    guild = getGuild(sandbox.world, sandbox.demo.guildId)
    test = await startBots({ apiUrl: `${sandbox.url}/api`, nodes: [node], sources: testSources })
  })
  afterEach(async () => {
    await test.close()
    await sandbox.close()
  })

  const botId = () => sandbox.demo.applicationId
  const who = (id = botId()) => ({ projectId: test.projectId, botId: id, playerCeiling: 100 })
  const told = () => test.events.map((event) => ('reason' in event ? `${event.type} ${event.reason}` : event.type))
  const shown = () => guild.voice.get(botId())?.channelId ?? null

  async function register(id: string, token: string): Promise<void> {
    await test.records.add({ id, projectId: test.projectId, name: 'Bot', token })
    test.changed()
  }

  async function connect(): Promise<void> {
    await register(botId(), sandbox.demo.botToken)
    await until('the bot is connected', () => test.bots.isConnected(botId()))
  }

  async function sit(userId = sandbox.demo.memberIds[0] ?? '', channelId = sandbox.demo.voiceChannelId) {
    enterVoice(sandbox.world, guild, { userId, channelId, sessionId: `session of ${userId}` })
  }

  async function play(query = 'A', channelId: string | undefined = sandbox.demo.voiceChannelId) {
    return test.bots.music.play(who(), guild.id, { query, channelId })
  }

  it('connects when a bot is added, and says that it is away before', async () => {
    expect(await faultOf(play())).to.equal('service_unavailable')
    await connect()
    expect(test.bots.counts()).to.include({ bots: 1, connectedBots: 1, unreadableBots: 0, players: 0 })
    expect(await faultOf(test.bots.music.info(who(), guild.id))).to.equal('not_found')
  })

  it('logs out when it is stopped, and in again when it is started', async () => {
    await connect()
    for (const state of ['stopped', 'connected'] as const) {
      await test.records.setStopped(test.projectId, botId(), state === 'stopped')
      test.changed()
      await until(state, () => test.bots.stateOf(botId()) === state && told().join() === 'botStopped disconnected')
    }
  })

  it('joins by the main gateway and hears both voice events', async () => {
    await connect()
    expect(await play('A B')).to.deep.include({ position: 0, added: 2 })
    await until('Discord has let it in', () => node.heard.length === 2)
    expect(node.heard).to.deep.equal([`state ${sandbox.demo.voiceChannelId}`, 'server'])
    expect(shown()).to.equal(sandbox.demo.voiceChannelId)
    await test.bots.music.close(who(), guild.id)
    await until('it has left', () => shown() === null)
  })

  it('refuses channels that it cannot play in, and guilds that it is not in', async () => {
    await connect()
    const { world, demo } = sandbox
    const channel = guild.channels.get(demo.secondVoiceChannelId)
    if (!channel) throw new Error('The demo has a second voice channel.')
    expect(await faultOf(play('A', undefined))).to.equal('no fault')
    await test.bots.music.close(who(), guild.id)
    const wrong = [demo.textChannelId, '123456789012345678']
    for (const id of wrong) expect(await faultOf(play('A', id))).to.equal('validation_error channel_not_joinable')
    const elsewhere = test.bots.music.play(who(), '123456789012345678', { query: 'A', channelId: demo.voiceChannelId })
    expect(await faultOf(elsewhere)).to.equal('not_found')
    expect(node.calls.filter((call) => call.startsWith('join'))).to.have.length(1)
    expect(world.guilds.size).to.equal(1)
  })

  it('says what is missing where it is not allowed in, and whether a channel is full', async () => {
    await sit(undefined, sandbox.demo.secondVoiceChannelId)
    await connect()
    const channel = guild.channels.get(sandbox.demo.secondVoiceChannelId)
    if (channel?.type !== ChannelType.GuildVoice) throw new Error('The demo has a second voice channel.')
    channel.user_limit = 1
    const cases = [
      [PermissionFlagsBits.ViewChannel, /View Channel/],
      [PermissionFlagsBits.Connect, /permissions.*Connect/],
      [PermissionFlagsBits.Speak, /permissions.*Speak/],
      [PermissionFlagsBits.MoveMembers, /is full: its limit is 1 member\./],
    ] as const
    for (const [deny, expected] of cases) {
      channel.permission_overwrites = [{ id: botId(), type: OverwriteType.Member, allow: '0', deny: String(deny) }]
      tellChannelUpdate(sandbox.world, guild, channel)
      let message = ''
      await until(`it knows that ${expected} is the reason`, async () => {
        const fault: unknown = await play('nothing', channel.id).catch((err: unknown) => err)
        if (fault instanceof Fault) message = fault.message
        return expected.test(message)
      })
      expect(await faultOf(play('A', channel.id))).to.equal('validation_error channel_not_joinable')
    }
    expect(node.calls.filter((call) => call.startsWith('join'))).to.deep.equal([])
  })

  it('is over when Discord calls its token void: no music, one word, no further login', async () => {
    await sit()
    await connect()
    await play()
    const logins = () => sandbox.gateway.startLimit(botId()).remaining
    const before = logins()
    sandbox.gateway.closeSockets(botId(), 4004)
    await until('it has stopped', () => told().includes('botStopped unauthorized'))
    expect(told().slice(1)).to.deep.equal([
      'trackEnded cleanup',
      'playerClosed disconnected',
      'botStopped unauthorized',
    ])
    expect(node.calls).to.include(`drop ${botId()}`)
    expect([logins(), test.bots.counts().players]).to.deep.equal([before, 0])
    expect(await faultOf(play())).to.equal('service_unavailable')
  })

  it('stays when members leave while others listen, and closes when the last is gone for the time set', async () => {
    await test.close()
    test = await startBots({
      apiUrl: `${sandbox.url}/api`,
      nodes: [node],
      sources: testSources,
      rules: { idleMs: 60_000, aloneMs: 150 },
    })
    const [first = '', second = ''] = sandbox.demo.memberIds
    await sit(first)
    await sit(second)
    await connect()
    await play()
    removeFromVoice(sandbox.world, guild, first, null)
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(told()).to.deep.equal(['trackStarted'])
    removeFromVoice(sandbox.world, guild, second, null)
    await until('it has closed', () => test.events.length === 3)
    expect(told()).to.deep.equal(['trackStarted', 'trackEnded cleanup', 'playerClosed idle'])
  })

  it('follows a move and closes on a kick', async () => {
    await sit()
    await connect()
    await play()
    await until('it is in', () => shown() !== null)
    moveInVoice(sandbox.world, guild, botId(), sandbox.demo.secondVoiceChannelId)
    const channel = async () => (await test.bots.music.info(who(), guild.id)).channelId
    await until('it knows', async () => (await channel()) === sandbox.demo.secondVoiceChannelId)
    removeFromVoice(sandbox.world, guild, botId(), 4014)
    await until('it has closed', () => test.events.length === 3)
    expect(told()).to.deep.equal(['trackStarted', 'trackEnded cleanup', 'playerClosed disconnected'])
    expect(test.bots.counts().players).to.equal(0)
  })

  it('closes when its channel is deleted and when it is thrown out of the guild', async () => {
    await connect()
    await play()
    await until('it is in', () => shown() !== null)
    const channel = guild.channels.get(sandbox.demo.voiceChannelId)
    if (channel) deleteChannel(sandbox.world, guild, channel)
    await until('it has closed', () => told().includes('playerClosed disconnected'))
    await play('A', sandbox.demo.secondVoiceChannelId)
    removeMember(sandbox.world, guild, botId())
    await until('it has closed again', () => told().filter((it) => it === 'playerClosed disconnected').length === 2)
    expect(await faultOf(play('A', sandbox.demo.secondVoiceChannelId))).to.equal('not_found')
  })

  it('continues through a gateway reconnect without joining again', async () => {
    await sit()
    await connect()
    await play()
    await until('it is in', () => node.heard.length === 2)
    sandbox.gateway.askToReconnect(botId())
    await until('the gateway is lost', () => !test.bots.isConnected(botId()))
    await until('it is back', () => test.bots.isConnected(botId()))
    expect(node.calls).to.deep.equal([`join ${sandbox.demo.voiceChannelId}`, 'play /A.ogg'])
    expect(told()).to.deep.equal(['trackStarted'])
  })

  it('joins and plays again where it was when its session with Discord is void', async () => {
    await sit()
    await connect()
    await play()
    await until('it is in', () => node.heard.length === 2)
    sandbox.gateway.invalidate(botId(), false)
    await until('it has joined again', () => node.calls.filter((call) => call.startsWith('join')).length === 2)
    await until('it is in again', () => shown() === sandbox.demo.voiceChannelId)
    await until('it plays again', () => node.calls.filter((call) => call.startsWith('play')).length === 2)
    expect(told()).to.deep.equal(['trackStarted'])
  })

  it('keeps what it asks of Discord while the gateway is away, and asks afterwards', async () => {
    await sit()
    await connect()
    sandbox.gateway.closeSockets(botId(), 'drop')
    await until('the gateway is lost', () => !test.bots.isConnected(botId()))
    await play()
    await until('it is in', () => shown() === sandbox.demo.voiceChannelId)
  })

  it('tells once that a token is void, tries no more, and leaves the other bots alone', async () => {
    const other = createApplication(sandbox.world, { name: 'Other' })
    addApplication(sandbox.world, guild, other)
    await register('123456789012345678', 'rubbish')
    await register(other.id, other.token)
    await until('both are decided', () => test.events.length > 0 && test.bots.isConnected(other.id))
    expect(test.events).to.deep.equal([{ type: 'botStopped', botId: '123456789012345678', reason: 'unauthorized' }])
    await test.bots.close()
    expect(test.events.filter(({ type }) => type === 'botStopped')).to.have.length(2)
  })

  it('closes the players of a removed bot first and then tells of it', async () => {
    await connect()
    await play()
    await test.records.remove(test.projectId, botId())
    test.changed()
    await until('it has stopped', () => told().includes('botStopped removed'))
    expect(told().slice(1)).to.deep.equal(['trackEnded cleanup', 'playerClosed disconnected', 'botStopped removed'])
    expect(test.bots.counts()).to.include({ bots: 0, connectedBots: 0, unreadableBots: 0, players: 0 })
    expect(await faultOf(play())).to.equal('service_unavailable')
  })

  it('makes no player while it stops', async () => {
    await connect()
    await play()
    const closing = test.bots.close()
    const plays = Array.from({ length: 5 }, () => faultOf(play()))
    await closing
    for (const fault of await Promise.all(plays)) expect(fault).to.equal('service_unavailable')
    expect(test.bots.counts().players).to.equal(0)
  })

  it('tries again until Discord is there', async () => {
    const folder = temporaryFolder()
    const stateFile = join(folder.path, 'sandbox.json')
    const { port } = new URL(sandbox.url)
    await sandbox.close()
    sandbox = await startSandbox({ port: Number(port), stateFile, limits: false, demoMember: false, log })
    const { botToken } = sandbox.demo
    await sandbox.close()
    await register(botId(), botToken)
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(test.bots.isConnected(botId())).to.equal(false)
    sandbox = await startSandbox({ port: Number(port), stateFile, limits: false, demoMember: false, log })
    await until('the bot is connected', () => test.bots.isConnected(botId()))
    expect(test.events).to.deep.equal([])
    folder.remove()
  })

  it('leaves every call at shutdown, keeps its players and brings them back at the next start', async () => {
    await sit()
    await connect()
    await play('A B')
    await until('it is in', () => shown() !== null)
    await test.bots.close()
    expect(told().slice(1)).to.deep.equal(['trackEnded cleanup', 'playerClosed disconnected', 'botStopped shutdown'])
    await until('it has left', () => shown() === null)
    expect(await test.states.list(test.projectId, botId())).to.have.length(1)
    const again = test.restart()
    await until('it plays again', () => again.counts().players === 1 && shown() === sandbox.demo.voiceChannelId)
    const info = await again.music.info(who(), guild.id)
    expect([info.current?.title, info.queue.map(({ title }) => title)]).to.deep.equal(['A', ['B']])
  })

  it('leaves a call that a crash left behind when no one listens', async () => {
    await connect()
    await play()
    await until('it is in', () => shown() !== null)
    node.die()
    await test.bots.close()
    const [state] = await test.states.list(test.projectId, botId())
    expect(state?.channelId).to.equal(sandbox.demo.voiceChannelId)
    enterVoice(sandbox.world, guild, { userId: botId(), channelId: sandbox.demo.voiceChannelId, sessionId: 'old' })
    test.restart()
    await until('it has left', () => shown() === null)
    expect(await test.states.list(test.projectId, botId())).to.have.length(0)
  })
})
