import { expect } from 'chai'
import { connectSandbox, startSandbox, type Sandbox, type SandboxClient } from 'bandstand-sandbox'
import { Events, type Client } from 'discord.js'
import { until } from '../../../test/support/bots.ts'
import { createCaller, logIn } from './stage.ts'

const WORLD = {
  applications: [{ name: 'Echo', token: 'echo-token' }],
  guilds: [
    {
      name: 'Lab',
      members: [{ name: 'mira' }],
      channels: [{ name: 'talk' }, { name: 'Room', type: 'voice' as const }],
      applications: ['Echo'],
    },
  ],
}

describe('the control client of the sandbox', () => {
  let sandbox: Sandbox
  let control: SandboxClient
  let bot: Client<true>
  let guildId: string
  let talk: string
  let mira: ReturnType<SandboxClient['member']>

  before(async () => {
    sandbox = await startSandbox({ world: WORLD, limits: false })
    control = await connectSandbox(sandbox.url, { withinMs: 30_000 })
    bot = await logIn(sandbox, { token: 'echo-token' })
    bot.on(Events.MessageCreate, (message) => {
      if (!message.author.bot) void message.reply(`echo ${message.content}`)
    })
    const guild = await control.guild('Lab')
    guildId = guild.id
    talk = guild.channels[0]!.id
    mira = control.member(guildId, guild.ownerId)
  })
  afterEach(async () => {
    await control.faults.clear()
    await control.clock.run()
    await control.record.clear()
  })
  after(async () => {
    await bot.destroy()
    await sandbox.close()
  })
  const call = () => createCaller(`${sandbox.url}/api/v10`, 'echo-token')

  it('waits for the request that a bot makes, by path, body and predicate', async () => {
    await mira.say(talk, 'hello')
    const sent = await control.record.expectRequest(
      { method: 'POST', path: '/channels/*/messages', body: { content: 'echo hello' } },
      { where: ({ response }) => (response as { id?: string }).id !== undefined },
    )
    expect(sent).to.include({ status: 200, applicationId: bot.user.id, route: '/channels/{channelId}/messages' })
    const event = await control.record.expectGateway({ event: 'MESSAGE_CREATE', body: { content: 'hello' } })
    expect(event).to.include({ direction: 'sent', applicationId: bot.user.id, shard: 0 })
    await control.record.expectNoRequest({ method: 'DELETE' }, { withinMs: 20 })
  })

  it('says what a bot did instead', async () => {
    await call()('GET', '/users/@me')
    const error = await control.record.expectRequest({ path: '/guilds/**' }, { withinMs: 10 }).catch(String)
    expect(error).to.equal(
      'ExpectationError: Expected request {"path":"/guilds/**"} within 10 ms, found 0; the last of this kind:\n' +
        '  GET /users/@me → 200',
    )
  })

  it('has logins, their ends and voice in the record, without tokens', async () => {
    const other = await logIn(sandbox, { token: 'echo-token' })
    const [identify] = (await control.record.search({ kind: 'gateway', op: 2 })).entries
    expect(identify).to.include({ kind: 'gateway', direction: 'received', applicationId: bot.user.id })
    expect(JSON.stringify(await control.record.search())).to.not.include('echo-token')
    await control.record.expectGateway({ event: 'READY' })
    await other.destroy()
    await control.record.expectGateway({ direction: 'closed' })
    const room = (await control.guild('Lab')).channels[1]!.id
    await mira.join(room, { client: false })
    await mira.leave()
    expect(await control.record.expectVoice({ event: 'leave' })).to.include({ userId: mira.userId, channelId: room })
  })

  it('fails requests by rule: route, method, count, chance with a seed, and headers', async () => {
    await control.faults.add({
      on: 'rest',
      path: '/users/@me',
      effect: { type: 'rate-limit', retryAfter: 2 },
      skip: 1,
      times: 1,
    })
    const statuses = [
      await call()('GET', '/users/@me'),
      await call()('GET', '/users/@me'),
      await call()('GET', '/users/@me'),
    ]
    expect(statuses.map(({ status }) => status)).to.deep.equal([200, 429, 200])
    expect(statuses[1]!.headers.get('retry-after')).to.equal('2')
    expect(statuses[1]!.body).to.include({ retry_after: 2, global: false })
    expect((await control.faults.list())[0]).to.include({ matched: 3, applied: 1 })

    const runs: number[][] = []
    for (let run = 0; run < 2; run += 1) {
      await control.faults.clear()
      await control.faults.add({
        on: 'rest',
        method: 'get',
        probability: 0.5,
        seed: 7,
        effect: { type: 'status', status: 502 },
      })
      const run = []
      for (let i = 0; i < 12; i += 1) run.push((await call()('GET', '/gateway')).status)
      runs.push(run)
    }
    expect(runs[0]).to.deep.equal(runs[1])
    expect(new Set(runs[0])).to.deep.equal(new Set([200, 502]))
    await control.faults.clear()
    await control.faults.add({ on: 'rest', applicationId: bot.user.id, effect: { type: 'cut' } })
    expect(await call()('GET', '/users/@me').catch(() => 'cut')).to.equal('cut')
    expect((await createCaller(`${sandbox.url}/api/v10`)('GET', '/gateway')).status).to.equal(200)
    expect((await control.record.requests({ path: '/users/@me' })).at(-1)?.status).to.equal(null)
  })

  it('loses, delays and closes on the gateway by rule, and ends an outage at its time', async () => {
    await control.faults.add({ on: 'gateway', event: 'MESSAGE_CREATE', times: 1, effect: { type: 'lose' } })
    await control.faults.add({ on: 'gateway', event: 'TYPING_START', effect: { type: 'close', code: 4000 } })
    await mira.say(talk, 'lost')
    await mira.say(talk, 'heard')
    await control.record.expectRequest({ method: 'POST', body: { content: 'echo heard' } })
    expect(await control.record.requests({ body: { content: 'echo lost' } })).to.deep.equal([])
    await control.faults.clear()

    await control.clock.freeze()
    await control.faults.outage({ forMs: 30_000 })
    await control.record.expectGateway({ direction: 'closed' })
    expect((await call()('GET', '/users/@me')).status).to.equal(503)
    await control.clock.advance(30_000)
    expect(await control.faults.list()).to.deep.equal([])
    expect((await call()('GET', '/users/@me')).status).to.equal(200)
    await control.record.expectGateway({ event: 'RESUMED' })
    await until('the bot is back', () => bot.isReady())
  })

  it('stops, sets and advances the time: what was due is over then', async () => {
    await control.clock.freeze(Date.UTC(2031, 0, 1))
    const first = await mira.say(talk, 'same moment')
    expect(first.createdAt).to.equal('2031-01-01T00:00:00.000Z')
    const { nowMs } = await control.clock.advance(90_000)
    expect(nowMs).to.equal(Date.UTC(2031, 0, 1, 0, 1, 30))
    expect((await mira.say(talk, 'later')).createdAt).to.equal('2031-01-01T00:01:30.000Z')
    const made = await control.clock.set(Date.UTC(2032, 0, 1))
    expect(made).to.include({ frozen: true, now: '2032-01-01T00:00:00.000Z' })
  })

  it('says where no sandbox answers', async () => {
    const error = await connectSandbox('http://127.0.0.1:1').catch(String)
    expect(error).to.equal('Error: No sandbox responds at http://127.0.0.1:1. Start one, or correct the URL.')
  })
})
