import { once } from 'node:events'
import { expect } from 'chai'
import type { WebSocket } from 'ws'
import {
  addApplication,
  addMember,
  createApplication,
  createUser,
  enterVoice,
  postMessage,
} from 'bandstand-sandbox/world'
import type { Sandbox } from 'bandstand-sandbox'
import { dial } from './dial.ts'
import { createCaller, openSandbox } from './stage.ts'

const GUILDS = 1
const MEMBERS = 2
const VOICE = 128
const MESSAGES = 512
const CONTENT = 32_768

describe('the stand-in gateway', () => {
  let sandbox: Sandbox
  let token: string
  const open: { socket: WebSocket }[] = []

  before(async () => {
    sandbox = await openSandbox({ demoMember: false, resumeMs: 200 })
    token = sandbox.demo.botToken
  })
  after(() => sandbox.close())
  afterEach(() => {
    for (const { socket } of open.splice(0)) socket.terminate()
  })

  function connect(query?: string) {
    const client = dial(sandbox.url, query)
    open.push(client)
    return client
  }

  async function logIn(intents = GUILDS | VOICE, more: object = {}, query?: string) {
    const client = connect(query)
    const hello = await client.op(10)
    client.send(2, { token, intents, properties: {}, ...more })
    const ready = await client.event('READY')
    return { client, hello: hello.d, ready: ready.d, session: ready.d.session_id as string }
  }

  it('serves any library that speaks HTTP and WebSocket', async () => {
    const rest = createCaller(`${sandbox.url}/api/v10`, token)
    const { url } = (await rest('GET', '/gateway')).body
    expect(url).to.equal(sandbox.url.replace('http', 'ws'))
    const { client, hello, ready } = await logIn()
    expect(hello.heartbeat_interval).to.equal(41_250)
    expect(ready).to.deep.include({ v: 10, guilds: [{ id: sandbox.demo.guildId, unavailable: true }], shard: [0, 1] })
    const guild = await client.event('GUILD_CREATE')
    expect(guild.s).to.equal(2)
    client.send(1, guild.s)
    expect((await client.receive()).op).to.equal(11)
    client.send(4, {
      guild_id: ready.guilds[0].id,
      channel_id: sandbox.demo.voiceChannelId,
      self_mute: false,
      self_deaf: true,
    })
    const state = await client.event('VOICE_STATE_UPDATE')
    const server = await client.event('VOICE_SERVER_UPDATE')
    expect(state.d).to.include({ user_id: ready.user.id, channel_id: sandbox.demo.voiceChannelId, self_deaf: true })
    expect(server.d.endpoint).to.match(/^localhost:\d+$/)
    client.send(4, { guild_id: ready.guilds[0].id, channel_id: sandbox.demo.secondVoiceChannelId })
    const moved = await client.event('VOICE_SERVER_UPDATE')
    expect(moved.d.token).not.to.equal(server.d.token)
    client.send(4, { guild_id: ready.guilds[0].id, channel_id: null })
    expect((await client.event('VOICE_STATE_UPDATE')).d.channel_id).to.equal(null)
  })

  it('compresses for those who ask', async () => {
    for (const kind of ['zlib-stream', 'zstd-stream']) {
      const { ready } = await logIn(GUILDS, {}, `?v=10&encoding=json&compress=${kind}`)
      expect(ready.user.username, kind).to.equal('Bandstand')
    }
  })

  it('closes with the code that says what was wrong', async () => {
    const cases: [string, (client: ReturnType<typeof connect>) => void, number][] = [
      ['bad token', (c) => c.send(2, { token: 'wrong', intents: 1, properties: {} }), 4004],
      ['unknown intents', (c) => c.send(2, { token, intents: 1 << 30, properties: {} }), 4013],
      ['wrong shard', (c) => c.send(2, { token, intents: 1, properties: {}, shard: [2, 2] }), 4010],
      ['unknown opcode', (c) => c.send(99, null), 4001],
      ['not JSON', (c) => c.socket.send('{'), 4002],
      ['wrong shape', (c) => c.send(4, { guild_id: 5 }), 4002],
      ['too long', (c) => c.send(1, 'x'.repeat(5000)), 4002],
      ['not logged in', (c) => c.send(4, { guild_id: '1', channel_id: null }), 4003],
    ]
    for (const [what, act, code] of cases) {
      const client = connect()
      await client.op(10)
      act(client)
      expect(await client.closed, what).to.equal(code)
    }
    expect(await connect('?v=3&encoding=json').closed).to.equal(4012)
    const twice = await logIn()
    twice.client.send(2, { token, intents: 1, properties: {} })
    expect(await twice.client.closed).to.equal(4005)
  })

  it('closes 4008 when a client sends more than 120 payloads in a minute', async () => {
    const { client } = await logIn()
    for (let i = 0; i < 120; i += 1) client.send(1, null)
    expect(await client.closed).to.equal(4008)
  })

  it('resumes where a client left off, with everything it missed', async () => {
    const { client, session } = await logIn()
    const { s } = await client.event('GUILD_CREATE')
    client.socket.terminate()
    const guild = sandbox.world.guilds.get(sandbox.demo.guildId)!
    const userId = sandbox.demo.memberIds[3]!
    enterVoice(sandbox.world, guild, { userId, channelId: sandbox.demo.voiceChannelId, sessionId: 'x' })
    const again = connect()
    await again.op(10)
    again.send(6, { token, session_id: session, seq: s })
    const missed = await again.receive()
    expect(missed).to.deep.include({ t: 'VOICE_STATE_UPDATE', s: s + 1 })
    expect((await again.receive()).t).to.equal('RESUMED')
    const ahead = connect()
    await ahead.op(10)
    ahead.send(6, { token, session_id: session, seq: 10_000 })
    expect(await ahead.closed).to.equal(4007)
  })

  it('ends a session whose client stays away or says good-bye, and the voice it held', async () => {
    const { client, ready } = await logIn()
    const guild = sandbox.world.guilds.get(sandbox.demo.guildId)!
    client.send(4, { guild_id: guild.id, channel_id: sandbox.demo.voiceChannelId })
    await client.event('VOICE_SERVER_UPDATE')
    const left = once(sandbox.world.notices, 'voice')
    client.socket.terminate()
    const [{ to, closeCode }] = await left
    expect({ to, closeCode }).to.deep.equal({ to: null, closeCode: 4014 })
    const late = connect()
    await late.op(10)
    late.send(6, { token, session_id: ready.session_id, seq: 1 })
    expect((await late.op(9)).d).to.equal(false)
    // The same socket may log in again.
    late.send(2, { token, intents: 1, properties: {} })
    const fresh = await late.event('READY')
    late.socket.close(1000)
    await late.closed
    const after = connect()
    await after.op(10)
    after.send(6, { token, session_id: fresh.d.session_id, seq: 1 })
    expect((await after.op(9)).d).to.equal(false)
  })

  it('asks to reconnect and declares sessions invalid on demand', async () => {
    const { client } = await logIn()
    expect(sandbox.gateway.askToReconnect(sandbox.demo.applicationId)).to.equal(1)
    await client.op(7)
    sandbox.gateway.invalidate(sandbox.demo.applicationId, false)
    expect((await client.op(9)).d).to.equal(false)
    client.send(2, { token, intents: 1, properties: {} })
    await client.event('READY')
    sandbox.gateway.closeSockets(sandbox.demo.applicationId, 4000)
    expect(await client.closed).to.equal(4000)
  })

  it('tells a bot what its intents cover, and no more', async () => {
    const guild = sandbox.world.guilds.get(sandbox.demo.guildId)!
    const without = await logIn(GUILDS | MESSAGES)
    const created = await without.client.event('GUILD_CREATE')
    const members = created.d.members.map(({ user }: any) => user.id)
    expect(members).to.include(sandbox.demo.applicationId)
    expect(members).not.to.include(sandbox.demo.memberIds[4])
    const full = await logIn(GUILDS | MESSAGES | CONTENT | MEMBERS)
    const author = guild.members.get(sandbox.demo.memberIds[0]!)!.user
    const post = (content: string) =>
      postMessage(sandbox.world, { guild, channelId: sandbox.demo.textChannelId }, { author, draft: { content } })
    post('hello')
    expect((await full.client.event('MESSAGE_CREATE')).d.content).to.equal('hello')
    expect((await without.client.event('MESSAGE_CREATE')).d.content).to.equal('')
    post(`<@${sandbox.demo.applicationId}> you`)
    expect((await without.client.event('MESSAGE_CREATE')).d.content).to.match(/you$/)
    addMember(sandbox.world, guild, createUser(sandbox.world.nextId(), 'newcomer'))
    expect((await full.client.event('GUILD_MEMBER_ADD')).d.user.username).to.equal('newcomer')
    const shard = await logIn(GUILDS, { shard: [Number((BigInt(guild.id) >> 22n) % 2n) === 0 ? 1 : 0, 2] })
    expect(shard.ready.guilds).to.deep.equal([])
  })

  it('lists members on request, by name and by id', async () => {
    const { client } = await logIn(GUILDS | MEMBERS)
    const guild_id = sandbox.demo.guildId
    client.send(8, { guild_id, query: 'ai', limit: 10, nonce: 'n' })
    const named = await client.event('GUILD_MEMBERS_CHUNK')
    expect(named.d).to.include({ chunk_index: 0, chunk_count: 1, nonce: 'n' })
    expect(named.d.members.map(({ user }: any) => user.username)).to.deep.equal(['aiko'])
    client.send(8, { guild_id, user_ids: [sandbox.demo.memberIds[1], '1'] })
    const found = await client.event('GUILD_MEMBERS_CHUNK')
    expect(found.d.members).to.have.length(1)
    expect(found.d.not_found).to.deep.equal(['1'])
  })

  it('lets several bots live side by side, each with its own secrets', async () => {
    const guild = sandbox.world.guilds.get(sandbox.demo.guildId)!
    const other = createApplication(sandbox.world, { name: 'Other' })
    addApplication(sandbox.world, guild, other)
    const first = await logIn()
    const second = await logIn(GUILDS | VOICE, { token: other.token })
    await first.client.event('GUILD_CREATE')
    second.client.send(4, { guild_id: guild.id, channel_id: sandbox.demo.voiceChannelId })
    const seen = await first.client.receive()
    expect(seen.t).to.equal('VOICE_STATE_UPDATE')
    expect(seen.d.user_id).to.equal(other.id)
    await second.client.event('VOICE_SERVER_UPDATE')
    first.client.send(1, null)
    expect((await first.client.receive()).op, 'no secret of the other bot').to.equal(11)
  })

  it('cuts off a client whose heart does not beat', async () => {
    const quick = await openSandbox({ heartbeatMs: 40, demoMember: false })
    const client = dial(quick.url)
    await client.op(10)
    expect(await client.closed).to.equal(4009)
    await quick.close()
  })

  it('leaves a connection half open on demand: deaf to the client, or frozen altogether', async () => {
    const { client, session } = await logIn()
    const { applicationId } = sandbox.demo
    await client.event('GUILD_CREATE')
    const silent = client.receive()
    expect(sandbox.gateway.spoilSockets(applicationId, 'deaf')).to.be.greaterThan(0)
    client.send(1, null)
    sandbox.gateway.askToReconnect(applicationId)
    expect((await silent).op, 'no answer to the heartbeat').to.equal(7)
    sandbox.gateway.spoilSockets(applicationId, 'frozen')
    sandbox.gateway.askToReconnect(applicationId)
    const again = connect()
    await again.op(10)
    again.send(6, { token, session_id: session, seq: 1 })
    expect((await again.event('RESUMED')).t).to.equal('RESUMED')
    expect(await client.closed, 'by the new one').to.equal(1006)
  })

  it('counts logins against the daily limit', () => {
    const { total, remaining } = sandbox.gateway.startLimit(sandbox.demo.applicationId)
    expect(total - remaining).to.be.greaterThan(5)
  })
})
