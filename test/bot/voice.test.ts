import { execFileSync } from 'node:child_process'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Worker } from 'node:worker_threads'
import { expect } from 'chai'
import { GatewayDispatchEvents } from 'discord-api-types/v10'
import { pino } from 'pino'
import { createAudioNode } from '../../bot/audio/node.ts'
import type { AudioNode } from '../../bot/audio/protocol.ts'
import type { Sources } from '../../bot/sources/source.ts'
import { createLog } from '../../log.ts'
import { startSandbox, type Sandbox } from '../../sandbox/start.ts'
import { connectMember, type MemberVoice } from '../../sandbox/voice/member.ts'
import { addApplication, addChannel, createGuild } from '../../sandbox/world/guilds.ts'
import { enterVoice, moveInVoice, removeFromVoice } from '../../sandbox/world/voice.ts'
import { getApplication, getGuild, type Guild, type Happening } from '../../sandbox/world/world.ts'
import { readOggPackets } from '../sandbox/voice/ogg-reader.ts'
import { startBots, until, type TestBots } from '../support/bots.ts'
import { temporaryFolder } from '../support/database.ts'
import { testSources, trackNamed } from '../support/stage.ts'

/** What a member hears: which frame of the track, and when. */
interface Heard {
  readonly frame: number
  readonly atMs: number
}

/** Who hears the bot before something happens to it, and who afterwards. */
interface Listeners {
  readonly before: readonly Heard[]
  readonly after: readonly Heard[]
}

async function hear(heard: readonly Heard[], count: number): Promise<void> {
  await until(`${count} frames are heard`, () => heard.length >= count)
}

/** Nothing is a fake here: a member of the stand-in Discord decrypts what the bot sends and knows every frame of it. */
describe('voice', function () {
  this.timeout(30_000)
  let sandbox: Sandbox
  let node: AudioNode
  let test: TestBots
  let guild: Guild
  let frames: ReadonlyMap<string, number>
  const folder = temporaryFolder()
  const members: MemberVoice[] = []
  const threads: Worker[] = []
  const onThread = (message: unknown): void => void threads.push((message as { worker: Worker }).worker)

  before(async () => {
    subscribe('worker_threads', onThread)
    const path = join(folder.path, 'noise.opus')
    const noise = 'anoisesrc=color=pink:sample_rate=48000:duration=60:seed=1'
    execFileSync('ffmpeg', ['-v', 'error', '-f', 'lavfi', '-i', noise, '-ac', '2', '-c:a', 'libopus', path])
    const packets = readOggPackets(readFileSync(path))
    frames = new Map(packets.map(({ bytes }, index) => [bytes.toString('base64'), index]))
    expect(frames.size, 'frames that differ').to.equal(packets.length)

    const sources: Sources = {
      ...testSources,
      find: async (query) => ({ tracks: query.split(' ').map(trackNamed), playlist: null }),
      open: async () => ({ kind: 'file', path, codec: 'ogg-opus' }),
    }
    sandbox = await startSandbox({ port: 0, stateFile: null, demoMember: false, log: pino({ level: 'silent' }) })
    node = await createAudioNode({
      id: 'audio-1',
      log: createLog('silent'),
      inThread: true,
      certificates: [sandbox.certificate],
      egress: { allowHosts: [] },
    })
    test = startBots({ apiUrl: `${sandbox.url}/api`, nodes: [node], sources })
    guild = getGuild(sandbox.world, sandbox.demo.guildId)
    test.records.add({ id: botId(), projectId: test.projectId, name: 'Bot', token: sandbox.demo.botToken })
    test.changed()
    await until('the bot is connected', () => test.bots.isConnected(botId()))
  })

  afterEach(async () => {
    for (const { guildId } of await test.bots.music.players(who())) await test.bots.music.close(who(), guildId)
    for (const member of members.splice(0)) {
      removeFromVoice(sandbox.world, guild, member.userId, null)
      member.close()
    }
    test.events.splice(0)
  })

  after(async () => {
    unsubscribe('worker_threads', onThread)
    await test.close()
    await node.close()
    await sandbox.close()
    folder.remove()
  })

  const botId = () => sandbox.demo.applicationId
  const who = () => ({ projectId: test.projectId, botId: botId(), playerCeiling: 100 })
  const told = (guildId = guild.id) =>
    test.events
      .filter((event) => 'guildId' in event && event.guildId === guildId)
      .map((event) => ('reason' in event ? `${event.type} ${event.reason}` : event.type))
  const play = (query = 'A', guildId = guild.id, channelId = sandbox.demo.voiceChannelId) =>
    test.bots.music.play(who(), guildId, { query, channelId })
  const info = () => test.bots.music.info(who(), guild.id)

  /** Lets a member with a voice client of their own sit in a channel. */
  async function listen(index = 0, channelId = sandbox.demo.voiceChannelId) {
    const userId = sandbox.demo.memberIds[index] ?? ''
    const seat = enterVoice(sandbox.world, guild, { userId, channelId, sessionId: `session-${userId}` })
    if (!seat) throw new Error('The member was not let in.')
    const { token, sessionId } = seat
    const member = await connectMember({
      endpoint: sandbox.voice.endpoint,
      certificate: sandbox.certificate,
      token,
      sessionId,
      userId,
      guildId: guild.id,
      channelId,
    })
    members.push(member)
    const heard: Heard[] = []
    member.onOpus((_, opus) => {
      const frame = frames.get(opus.toString('base64'))
      if (frame !== undefined) heard.push({ frame, atMs: performance.now() })
    })
    return { member, heard }
  }

  async function listenAlone(): Promise<Listeners> {
    const { heard } = await listen()
    return { before: heard, after: heard }
  }

  /** Does something to the voice of a bot that plays; then the music must go on where it was. */
  async function survives(happening: () => unknown, listeners?: Listeners): Promise<void> {
    const { before, after } = listeners ?? (await listenAlone())
    await play()
    await hear(before, 60)
    await happening()
    const last = before.at(-1) ?? { frame: 0, atMs: 0 }
    const isNew = ({ atMs, frame }: Heard) => atMs > last.atMs + 25 && frame > last.frame + 25
    await until('the music goes on', () => after.some(isNew))
    // All that was heard since, with the longest silence in it.
    const since = [last, ...after.filter(({ atMs }) => atMs > last.atMs)]
    const gaps = since.slice(1).map(({ atMs }, index) => atMs - (since[index]?.atMs ?? 0))
    expect(Math.max(...gaps), 'longest silence in ms').to.be.below(2000)
    const jumps = since.slice(1).map(({ frame }, index) => frame - (since[index]?.frame ?? 0))
    expect(Math.min(...jumps), 'nothing is heard twice').to.be.above(0)
    // As long as the silence may be: a thread that died had last told its position up to a second before.
    expect(Math.max(...jumps), 'frames left out').to.be.below(100)
    expect(told()).to.deep.equal(['trackStarted'])
    const { positionMs } = await info()
    expect(Math.abs(positionMs - (after.at(-1)?.frame ?? 0) * 20), 'position').to.be.below(1000)
  }

  it('is heard by a member, encrypted end to end, frame by frame', async () => {
    const { member, heard } = await listen()
    expect(await play()).to.deep.include({ position: 0 })
    await hear(heard, 100)
    const first = heard[0]?.frame ?? 0
    expect(first).to.be.below(25)
    expect(heard.slice(0, 100).map(({ frame }) => frame - first)).to.deep.equal([...Array(100).keys()])
    expect(member.report.daveVersion).to.equal(1)
    expect(member.report.privacyCode).to.match(/^\d{30}$/)
    const { positionMs, privacyCode } = await info()
    expect(privacyCode).to.equal(member.report.privacyCode)
    expect(positionMs).to.be.within(1000, 6000)
  })

  it('pauses, goes on, seeks and skips as it is told', async () => {
    const { heard } = await listen()
    await play('A B')
    await hear(heard, 20)
    await test.bots.music.patch(who(), guild.id, { paused: true })
    await new Promise((resolve) => setTimeout(resolve, 200))
    const still = heard.length
    await new Promise((resolve) => setTimeout(resolve, 200))
    expect(heard.length).to.equal(still)
    const pausedAt = heard.at(-1)?.frame ?? 0
    await test.bots.music.patch(who(), guild.id, { paused: false })
    await hear(heard, still + 10)
    expect(heard[still]?.frame).to.be.within(pausedAt + 1, pausedAt + 10)
    await test.bots.music.patch(who(), guild.id, { positionMs: 40_000 })
    await until('it plays from there', () => (heard.at(-1)?.frame ?? 0) >= 2000)
    expect((await test.bots.music.skip(who(), guild.id)).track?.title).to.equal('B')
    await until('the next track begins', () => (heard.at(-1)?.frame ?? 2000) < 50)
    expect(told()).to.deep.equal(['trackStarted', 'trackEnded replaced', 'trackStarted'])
  })

  it('goes on in the second channel when a member moves it there', async () => {
    const { heard: before } = await listen(0)
    const { heard: after } = await listen(1, sandbox.demo.secondVoiceChannelId)
    const move = () => moveInVoice(sandbox.world, guild, botId(), sandbox.demo.secondVoiceChannelId)
    await survives(move, { before, after })
    expect((await info()).channelId).to.equal(sandbox.demo.secondVoiceChannelId)
  })

  for (const how of [4015, 4006, 'drop'] as const) {
    it(`goes on when the voice socket ends: ${how}`, async () => {
      await survives(() => sandbox.voice.closeSocket(guild.id, botId(), how))
    })
  }

  it('goes on through a gateway reconnect', async () => {
    await survives(async () => {
      sandbox.gateway.askToReconnect(botId())
      await until('the gateway is lost', () => !test.bots.isConnected(botId()))
      await until('it is back', () => test.bots.isConnected(botId()))
    })
  })

  it('comes back where it was when its session with Discord was void', async () => {
    const { heard } = await listen()
    await play()
    await hear(heard, 60)
    sandbox.gateway.invalidate(botId(), false)
    await until('the gateway is lost', () => !test.bots.isConnected(botId()))
    const { positionMs } = await info()
    const before = heard.length
    await until('the music is back', () => heard.length > before + 50)
    expect((heard.at(-1)?.frame ?? 0) * 20 - positionMs).to.be.within(0, 3000)
    expect(told()).to.deep.equal(['trackStarted'])
  })

  it('goes on when the audio thread dies', async () => {
    await survives(async () => {
      await threads.at(-1)?.terminate()
      await until('the thread is gone', () => !node.isAlive)
      await until('it is back', () => node.isAlive)
    })
  })

  it('ends at once when a member throws it out', async () => {
    const { heard } = await listen()
    await play()
    await hear(heard, 20)
    removeFromVoice(sandbox.world, guild, botId(), 4014)
    await until('it has closed', () => told().length === 3)
    expect(told()).to.deep.equal(['trackStarted', 'trackEnded cleanup', 'playerClosed disconnected'])
  })

  it('ends when Discord wants it out for good, with few join attempts: 4014, 4017, 4021, 4022', async () => {
    const { world } = sandbox
    const ends = [4014, 4017, 4021, 4022].map((code) => {
      const it = createGuild(world, { name: `Guild ${code}`, ownerId: sandbox.demo.memberIds[0] ?? '' })
      const channel = addChannel(world, it, { name: 'voice', type: 2 })
      addApplication(world, it, getApplication(world, botId()))
      return { code, guildId: it.id, channelId: channel.id }
    })
    const joins: string[] = []
    const count = ({ event, guildId }: Happening): void => {
      if (event.t === GatewayDispatchEvents.VoiceServerUpdate) joins.push(guildId)
    }
    await until('the bot knows its guilds', async () => {
      const plays = await Promise.allSettled(ends.map(({ guildId, channelId }) => play('A', guildId, channelId)))
      return plays.every(({ status }) => status === 'fulfilled')
    })
    world.notices.on('happening', count)
    for (const { guildId, code } of ends) sandbox.voice.closeSocket(guildId, botId(), code)
    await until('all have closed', () =>
      ends.every(({ guildId }) => told(guildId).includes('playerClosed disconnected')),
    )
    world.notices.off('happening', count)
    for (const { guildId } of ends) {
      expect(told(guildId).slice(-2)).to.deep.equal(['trackEnded cleanup', 'playerClosed disconnected'])
      expect(joins.filter((joined) => joined === guildId).length, 'join attempts').to.be.at.most(5)
      await until('Discord shows it nowhere', () => !world.guilds.get(guildId)?.voice.has(botId()))
    }
  })
})
