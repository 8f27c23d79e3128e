import { expect } from 'chai'
import { Events, type Client, type TextChannel } from 'discord.js'
import type { Sandbox } from 'bandstand-sandbox'
import { createRole, getGuild, type Guild } from 'bandstand-sandbox/world'
import { may, MUSIC_BOT, Permission } from '../world/permissions.ts'
import { createChecker } from './openapi.ts'
import { createCaller, logIn, openSandbox, type Rest } from './stage.ts'

describe('the stand-in REST interface for bots that moderate', () => {
  const check = createChecker()
  const issues: string[] = []
  let nowMs = Date.now()
  let sandbox: Sandbox
  let client: Client<true>
  let rest: Rest
  let guild: Guild
  let memberId: string
  let channel: TextChannel

  before(async () => {
    sandbox = await openSandbox({ now: () => nowMs })
    sandbox.rest.onExchange((exchange) => issues.push(...check(exchange)))
    guild = getGuild(sandbox.world, sandbox.demo.guildId)
    const { KickMembers, ModerateMembers, ManageRoles, ManageMessages, PinMessages } = Permission
    const allowed = KickMembers | ModerateMembers | ManageRoles | ManageMessages | PinMessages
    for (const role of guild.roles.values()) if (role.managed) role.permissions = String(MUSIC_BOT | allowed)
    client = await logIn(sandbox)
    rest = createCaller(`${sandbox.url}/api/v10`, sandbox.demo.botToken)
    memberId = sandbox.demo.memberIds[1]!
    channel = (await client.channels.fetch(sandbox.demo.textChannelId)) as TextChannel
  })
  after(async () => {
    await client.destroy()
    await sandbox.close()
  })
  afterEach(() => {
    expect(issues.splice(0), 'against the OpenAPI document').to.deep.equal([])
  })

  const path = (rest: string) => `/guilds/${guild.id}/members/${memberId}${rest}`

  it('times a member out, who can only read until it is over', async () => {
    const member = await client.guilds.cache.get(guild.id)!.members.fetch(memberId)
    await member.timeout(60_000, 'spam')
    expect((await rest('GET', path(''))).body.communication_disabled_until).to.be.a('string')
    const text = guild.channels.get(channel.id)
    expect(may(guild, memberId, Permission.SendMessages, text)).to.equal(false)
    expect(may(guild, memberId, Permission.ViewChannel, text)).to.equal(true)
    nowMs = Math.max(nowMs, Date.now()) + 61_000
    expect(may(guild, memberId, Permission.SendMessages, text)).to.equal(true)
    const tooLong = new Date(nowMs + 29 * 86_400_000).toISOString()
    const refused = await rest('PATCH', path(''), { communication_disabled_until: tooLong })
    expect([refused.status, refused.body.code]).to.deep.equal([400, 50_035])
    const owner = await rest('PATCH', `/guilds/${guild.id}/members/${guild.ownerId}`, {
      communication_disabled_until: new Date(nowMs + 1000).toISOString(),
    })
    expect(owner.body.code).to.equal(50_013)
  })

  it('gives and takes roles below those of the bot, one by one and together, and no others', async () => {
    const high = createRole(sandbox.world, guild, { name: 'High', permissions: 0n })
    const low = guild.roles.values().find(({ name }) => name === 'DJ')
    low!.position = 0.5
    expect((await rest('PUT', path(`/roles/${low!.id}`))).status).to.equal(204)
    expect((await rest('GET', path(''))).body.roles).to.include(low!.id)
    expect((await rest('PATCH', path(''), { roles: [] })).body.roles).to.deep.equal([])
    for (const [id, code] of [
      [high.id, 50_013],
      ['1', 10_011],
    ] as const) {
      expect((await rest('PUT', path(`/roles/${id}`))).body.code, id).to.equal(code)
      expect((await rest('PATCH', path(''), { roles: [id] })).body.code, id).to.equal(code)
    }
    low!.position = 1
  })

  it('finds members by the beginning of a name, and any user by id', async () => {
    const { user } = guild.members.get(memberId)!
    const found = await rest('GET', `/guilds/${guild.id}/members/search?query=${user.username.slice(0, 3)}&limit=10`)
    expect(found.body.map((one: { user: { id: string } }) => one.user.id)).to.include(memberId)
    expect((await rest('GET', `/guilds/${guild.id}/members/search?limit=10`)).body.code).to.equal(50_035)
    expect((await client.users.fetch(memberId, { force: true })).username).to.equal(user.username)
    expect((await rest('GET', '/users/12345')).body.code).to.equal(10_013)
  })

  it('keeps pins, the latest first, and says in the channel who pinned', async () => {
    const [first, second] = [await channel.send('one'), await channel.send('two')]
    const told = new Promise((resolve) => client.once(Events.ChannelPinsUpdate, (_, at) => resolve(at)))
    await first.pin()
    expect(Number(await told)).to.be.greaterThan(0)
    nowMs += 1000
    await second.pin()
    const { items, hasMore } = await channel.messages.fetchPins()
    expect([items.map(({ message }) => message.content), hasMore]).to.deep.equal([['two', 'one'], false])
    expect((await rest('GET', `/channels/${channel.id}/pins`)).body).to.have.length(2)
    const [notice] = (await rest('GET', `/channels/${channel.id}/messages?limit=1`)).body
    expect([notice.type, notice.message_reference.message_id]).to.deep.equal([6, second.id])
    await first.unpin()
    await second.delete()
    expect((await channel.messages.fetchPins()).items).to.deep.equal([])
  })

  it('takes a message with only a poll, counts votes, and ends it', async () => {
    const poll = {
      question: { text: 'Next?' },
      answers: [{ text: 'Low Tide' }, { text: 'Night Ferry', emoji: '⛴️' }],
      duration: 1,
      allowMultiselect: false,
    }
    const message = await channel.send({ poll })
    expect(message.poll?.answers.map(({ text }) => text)).to.deep.equal(['Low Tide', 'Night Ferry'])
    const control = `${sandbox.url}/sandbox/guilds/${guild.id}/channels/${channel.id}/messages/${message.id}/vote`
    const vote = async (userId: string, answerId: number) => {
      const body = JSON.stringify({ userId, answerId })
      return (await fetch(control, { method: 'POST', headers: { 'content-type': 'application/json' }, body })).status
    }
    expect(await vote(memberId, 1)).to.equal(200)
    expect(await vote(memberId, 2)).to.equal(200)
    const counts = (await rest('GET', `/channels/${channel.id}/messages/${message.id}`)).body.poll.results.answer_counts
    expect(counts).to.deep.equal([{ id: 2, count: 1, me_voted: false }])
    const voters = await message.poll!.answers.get(2)!.voters.fetch()
    expect([...voters.keys()]).to.deep.equal([memberId])
    const ended = await message.poll!.end()
    expect(ended.poll?.resultsFinalized).to.equal(true)
    expect(await vote(memberId, 1)).to.be.within(400, 499)
  })

  it('lists no command permissions, and sets none for a bot', async () => {
    const base = `/applications/${client.user.id}/guilds/${guild.id}/commands`
    expect((await rest('GET', `${base}/permissions`)).body).to.deep.equal([])
    expect((await rest('PUT', `${base}/1/permissions`, { permissions: [] })).body.code).to.equal(20_001)
  })

  it('answers 501 with words for what Discord has and it has not, and 404 for the rest', async () => {
    for (const [method, route] of [
      ['GET', `/guilds/${guild.id}/templates`],
      ['POST', `/guilds/${guild.id}/soundboard-sounds`],
      ['PUT', `/guilds/${guild.id}/incident-actions`],
    ] as const) {
      const { status, body } = await rest(method, route, method === 'GET' ? undefined : {})
      expect([status, body.message]).to.deep.equal([501, `501: The sandbox does not implement ${method} ${route}`])
    }
    expect((await rest('GET', '/nothing/here')).status).to.equal(404)
  })
})
