import { expect } from 'chai'
import { GatewayDispatchEvents } from 'discord-api-types/v10'
import { pino } from 'pino'
import { startSandbox, type Sandbox } from 'bandstand-sandbox'
import {
  addApplication,
  addChannel,
  createGuild,
  enterVoice,
  getApplication,
  getGuild,
  setUnavailable,
  type Guild,
} from 'bandstand-sandbox/world'
import { startBots, until, type TestBots } from '../../support/bots.ts'
import { createFakeAudioNode, type FakeAudioNode } from '../../support/fake-audio-node.ts'
import { createHandClock, type HandClock } from '../../support/manual-clock.ts'
import { testSources } from '../../support/stage.ts'

/** The real discord.js in the stand-in Discord, which misses heartbeats quickly; only the sound and the clock are fakes. */
describe('reconciliation of players with Discord', () => {
  let sandbox: Sandbox
  let node: FakeAudioNode
  let clock: HandClock
  let test: TestBots
  let guild: Guild
  beforeEach(async () => {
    const log = pino({ level: 'silent' })
    sandbox = await startSandbox({ port: 0, stateFile: null, limits: false, demoMember: false, heartbeatMs: 1500, log })
    const { demo, world } = sandbox
    guild = getGuild(world, demo.guildId)
    enterVoice(world, guild, { userId: demo.memberIds[0] ?? '', channelId: demo.voiceChannelId, sessionId: 'listener' })
    node = createFakeAudioNode()
    clock = createHandClock()
    test = await startBots({ apiUrl: `${sandbox.url}/api`, nodes: [node], sources: testSources, clock })
    const { applicationId: id, botToken: token } = demo
    await test.records.add({ id, projectId: test.projectId, name: 'Bot', token })
    test.changed()
    await until('the bot is connected', () => isConnected())
    await play()
    await until('the bot is in the channel', () => node.heard.length === 2)
  })
  afterEach(async () => {
    await test.close()
    await sandbox.close()
  })

  const botId = () => sandbox.demo.applicationId
  const who = () => ({ projectId: test.projectId, botId: botId(), playerCeiling: 100 })
  const isConnected = () => test.bots.isConnected(botId())
  const play = () => test.bots.music.play(who(), guild.id, { query: 'A', channelId: sandbox.demo.voiceChannelId })
  const shown = () => guild.voice.get(botId())?.channelId ?? null
  const joins = () => node.calls.filter((call) => call.startsWith('join')).length

  /** Counts what the bot asks of Discord about its own voice in this guild. */
  function countVoiceStates(): () => number {
    let count = 0
    sandbox.world.notices.on('happening', ({ event }) => {
      if (event.t === GatewayDispatchEvents.VoiceStateUpdate && event.d.user_id === botId()) count += 1
    })
    return () => count
  }

  /** Half-open TCP: what the bot sends is lost, and it notices when an answer to a heartbeat is missing. */
  async function loseWhile(act: () => Promise<unknown>): Promise<void> {
    sandbox.gateway.spoilSockets(botId(), 'frozen')
    await act()
    await until('the bot notices the half-open connection', () => !isConnected())
    await until('the bot has resumed its session', () => isConnected())
  }

  /** Discord forgets or changes the voice state of the bot in an outage, and tells with the guild alone. */
  async function outage(act: () => void): Promise<void> {
    setUnavailable(sandbox.world, guild, true)
    act()
    setUnavailable(sandbox.world, guild, false)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }

  it('leaves the channel after a resume when the request to leave was lost in a half-open connection', async () => {
    await loseWhile(() => test.bots.music.close(who(), guild.id))
    expect([test.bots.counts().players, shown()]).to.deep.equal([0, sandbox.demo.voiceChannelId])
    await clock.advance(3000)
    await until('the bot has left', () => shown() === null)
  })

  it('finds within a minute that Discord shows the bot where it has no player, and asks to leave only once', async () => {
    await test.bots.music.close(who(), guild.id)
    await until('the bot has left', () => shown() === null)
    const asked = countVoiceStates()
    node.tell({
      type: 'gatewayPayload',
      botId: botId(),
      guildId: guild.id,
      payload: {
        op: 4,
        d: { guild_id: guild.id, channel_id: sandbox.demo.voiceChannelId, self_mute: false, self_deaf: true },
      },
    })
    await until('Discord shows the bot', () => shown() !== null)
    await new Promise((resolve) => setTimeout(resolve, 50))
    await clock.advance(63_000)
    await until('the bot has left', () => shown() === null)
    await new Promise((resolve) => setTimeout(resolve, 50))
    await clock.advance(120_000)
    expect(asked()).to.equal(2)
  })

  it('leaves a join alone that takes longer than the grace time', async () => {
    await test.bots.music.close(who(), guild.id)
    await until('the bot has left', () => shown() === null)
    const gate = Promise.withResolvers<void>()
    node.gate = gate.promise
    const { demo, world } = sandbox
    const played = play()
    enterVoice(world, guild, { userId: botId(), channelId: demo.voiceChannelId, sessionId: 'early' })
    await new Promise((resolve) => setTimeout(resolve, 50))
    const asked = countVoiceStates()
    await clock.advance(130_000)
    expect([asked(), test.bots.counts().players]).to.deep.equal([0, 1])
    gate.resolve()
    await played
  })

  it('leaves the channel seconds after the audio node has died with the voice connection of a player that closes', async () => {
    node.die()
    await test.bots.music.close(who(), guild.id)
    expect([test.bots.counts().players, shown()]).to.deep.equal([0, sandbox.demo.voiceChannelId])
    await clock.advance(3000)
    await until('the bot has left', () => shown() === null)
  })

  it('joins again and plays on when Discord shows the bot nowhere after an outage of the guild', async () => {
    await outage(() => guild.voice.delete(botId()))
    expect([joins(), shown()]).to.deep.equal([1, null])
    await clock.advance(3000)
    await until('Discord shows the bot again', () => shown() === sandbox.demo.voiceChannelId)
    await until('the track is played again', () => node.calls.filter((call) => call === 'play /A.ogg').length === 2)
    expect(test.events.map(({ type }) => type)).to.deep.equal(['trackStarted'])
  })

  it('follows when Discord shows the bot in another channel after an outage of the guild', async () => {
    const channelId = sandbox.demo.secondVoiceChannelId
    await outage(() => guild.voice.set(botId(), { ...guild.voice.get(botId())!, channelId }))
    await clock.advance(3000)
    expect((await test.bots.music.info(who(), guild.id)).channelId).to.equal(channelId)
    expect(joins()).to.equal(1)
  })

  it('closes the player when the bot cannot join again after an outage of the guild', async () => {
    node.refusedChannels.add(sandbox.demo.voiceChannelId)
    await outage(() => guild.voice.delete(botId()))
    await clock.advance(3000)
    await until('the player is closed', () => test.bots.counts().players === 0)
    expect(test.events.at(-1)).to.include({ type: 'playerClosed', reason: 'disconnected' })
  })

  it('leaves at most 20 channels in a minute, so that joins of callers are not held up', async () => {
    const { demo, world } = sandbox
    const others = Array.from({ length: 25 }, (_, index) => {
      const other = createGuild(world, { name: `Other ${index}`, ownerId: demo.memberIds[0] ?? '' })
      const channel = addChannel(world, other, { name: 'voice', type: 2 })
      addApplication(world, other, getApplication(world, botId()))
      enterVoice(world, other, { userId: botId(), channelId: channel.id, sessionId: `session ${index}` })
      return other
    })
    const isThere = () => others.filter(({ voice }) => voice.has(botId())).length
    await new Promise((resolve) => setTimeout(resolve, 100))
    await clock.advance(30_000)
    await until('the bot has left 20 of 25', () => isThere() <= 5)
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(isThere()).to.equal(5)
    await clock.advance(60_000)
    await until('the bot has left all', () => isThere() === 0)
  })
})
