import { expect } from 'chai'
import type { Sandbox } from 'bandstand-sandbox'
import { ALL_INTENTS } from '../gateway/intents.ts'
import { createApplication } from '../world/applications.ts'
import { addApplication, addChannel } from '../world/guilds.ts'
import { postMessage } from '../world/messages.ts'
import { getGuild } from '../world/world.ts'
import { dial } from './dial.ts'
import { createCaller, openSandbox, type Rest } from './stage.ts'

describe('limits of the stand-in', () => {
  let nowMs = Date.now()
  let sandbox: Sandbox
  let rest: Rest

  before(async () => {
    sandbox = await openSandbox({ demoMember: false, limits: true, now: () => nowMs })
    rest = createCaller(`${sandbox.url}/api/v10`, sandbox.demo.botToken)
  })
  // Every window is over.
  beforeEach(() => (nowMs += 3_600_000))
  after(() => sandbox.close())

  const post = (channelId: string) => rest('POST', `/channels/${channelId}/messages`, { content: 'x' })

  it('hold for all that a bot sends in a second, but not for its answers to interactions', async () => {
    const paths = ['/users/@me', `/guilds/${sandbox.demo.guildId}`]
    const answers = await Promise.all(Array.from({ length: 52 }, (_, at) => rest('GET', paths[at % 2]!)))
    const refused = answers.filter(({ status }) => status === 429)
    expect(refused).to.have.length(2)
    expect([refused[0]!.body.global, refused[0]!.headers.get('x-ratelimit-scope')]).to.deep.equal([true, 'global'])
    expect((await rest('POST', '/interactions/1/nothing/callback', { type: 5 })).status).to.equal(404)
    nowMs += 1000
    expect((await rest('GET', '/users/@me')).status).to.equal(200)
  })

  it('have a bucket for each route and channel, and one for all reactions of a channel', async () => {
    const { textChannelId, voiceChannelId } = sandbox.demo
    const sent = await Promise.all(Array.from({ length: 6 }, () => post(textChannelId)))
    const [limited, ...more] = sent.filter(({ status }) => status === 429)
    expect([more.length, limited!.body.global, limited!.headers.get('x-ratelimit-scope')]).to.deep.equal([
      0,
      false,
      'user',
    ])
    expect((await post(voiceChannelId)).status).to.equal(200)
    const { id } = sent.find(({ status }) => status === 200)!.body
    const react = (emoji: string) =>
      rest('PUT', `/channels/${textChannelId}/messages/${id}/reactions/${encodeURIComponent(emoji)}/@me`)
    expect([(await react('👍')).status, (await react('👎')).status]).to.deep.equal([204, 429])
    nowMs += 250
    expect((await react('👎')).status).to.equal(204)
  })

  it('close the edge to a bot after 10,000 requests that it should not have sent', async () => {
    const stranger = createCaller(`${sandbox.url}/api/v10`, 'no.such.token')
    expect((await stranger('GET', '/users/@me')).status).to.equal(401)
    const window = sandbox.world.limitWindows.get('Bot no.such.token invalid')
    expect(window?.used).to.equal(1)
    const { id } = createApplication(sandbox.world, { name: 'noisy' })
    const noisy = createCaller(`${sandbox.url}/api/v10`, sandbox.world.applications.get(id)!.token)
    sandbox.world.limitWindows.set(`${id} invalid`, { used: 10_000, endsAtMs: nowMs + 60_000 })
    const answer = await fetch(`${sandbox.url}/api/v10/users/@me`, {
      headers: { authorization: `Bot ${sandbox.world.applications.get(id)!.token}` },
    })
    expect([answer.status, answer.headers.get('retry-after'), await answer.text()]).to.deep.equal([
      429,
      '60',
      'error code: 1015',
    ])
    nowMs += 60_000
    expect((await noisy('GET', '/users/@me')).status).to.equal(200)
  })

  it('close a gateway connection with 4008 at the 121st payload of a minute', async () => {
    const client = dial(sandbox.url)
    await client.op(10)
    for (let at = 0; at <= 120; at += 1) client.send(1, null)
    expect(await client.closed).to.equal(4008)
  })

  it('are for what bots hear, too: messages of channels they see, and the audit log only with its permission', async () => {
    const { world, demo } = sandbox
    const guild = getGuild(world, demo.guildId)
    const bot = createApplication(world, { name: 'plain' })
    addApplication(world, guild, bot)
    for (const role of guild.roles.values()) if (role.name === 'plain') role.permissions = '0'
    const deny = [{ id: guild.id, type: 0 as const, allow: '0', deny: '1024' }]
    const hidden = addChannel(world, guild, { name: 'hidden', type: 0, overwrites: deny })
    const client = dial(sandbox.url)
    await client.op(10)
    client.send(2, { token: bot.token, intents: ALL_INTENTS, properties: {} })
    await client.event('GUILD_CREATE')
    const author = guild.members.get(demo.memberIds[0]!)!.user
    for (const channelId of [hidden.id, demo.textChannelId]) {
      postMessage(world, { guild, channelId }, { author, draft: { content: 'psst' } })
    }
    await rest('PATCH', `/guilds/${guild.id}/members/@me`, { nick: 'Usher' })
    const told: string[] = []
    for (;;) {
      const { t, d } = await client.receive()
      told.push(t === 'MESSAGE_CREATE' ? `${t} ${d.channel_id}` : t)
      if (t === 'GUILD_MEMBER_UPDATE') break
    }
    client.socket.terminate()
    expect(told).to.deep.equal([`MESSAGE_CREATE ${demo.textChannelId}`, 'GUILD_MEMBER_UPDATE'])
    expect(guild.auditLog).to.have.length(1)
  })
})
