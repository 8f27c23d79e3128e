import { expect } from 'chai'
import { GatewayIntentBits } from 'discord.js'
import { ALL_INTENTS } from '../../gateway/intents.ts'
import type { Sandbox } from '../../start.ts'
import { Permission } from '../../world/permissions.ts'
import { getGuild } from '../../world/world.ts'
import { readFields } from '../openapi.ts'
import { createCaller, openSandbox, withNumbers, type Rest } from '../stage.ts'
import { dial } from '../dial.ts'
import { guildWritings } from './guild-writings.ts'
import { ownWritings, UNSEEN, type Places, type Values, type Writing } from './writings.ts'

/** The IDs of the users and roles that a message notifies. */
const seen = ({ mentions, mention_roles }: any) => [mentions.map(({ id }: any) => id), mention_roles]

/** Whether an answer has what was sent: Discord may add fields, write times and numbers its own way, and hash pictures. */
function keeps(kept: unknown, sent: unknown): boolean {
  if (typeof sent === 'string' && sent.startsWith('data:'))
    return typeof kept === 'string' && /^[\da-f]{32}$/.test(kept)
  if (Array.isArray(sent)) return Array.isArray(kept) && sent.every((one, at) => keeps(kept[at], one))
  if (typeof sent === 'object' && sent !== null) {
    return Object.entries(sent).every(([name, value]) => keeps((kept as Values | undefined)?.[name], value))
  }
  if (typeof sent === 'string' && sent.endsWith('Z')) return Date.parse(String(kept)) === Date.parse(sent)
  return String(kept) === String(sent)
}

/** Whether a value has an ID in it. */
const hasId = (value: unknown) => typeof value !== 'symbol' && withNumbers(value) !== JSON.stringify(value)

describe('the REST stand-in', () => {
  let sandbox: Sandbox
  let rest: Rest
  let at: Places

  before(async () => {
    sandbox = await openSandbox({ demoMember: false })
    const { guildId, applicationId, memberIds, botToken } = sandbox.demo
    for (const role of getGuild(sandbox.world, guildId).roles.values()) {
      if (role.managed) role.permissions = String(Permission.Administrator)
    }
    rest = createCaller(`${sandbox.url}/api/v10`, botToken)
    const make = async (path: string, body: object) => (await rest('POST', path, body)).body
    const channel = async (type: number) => (await make(`/guilds/${guildId}/channels`, { name: 'place', type })).id
    const text = await channel(0)
    at = {
      me: applicationId,
      guild: guildId,
      member: memberIds[1]!,
      role: (await make(`/guilds/${guildId}/roles`, { name: 'role' })).id,
      text,
      voice: await channel(2),
      category: await channel(4),
      forum: await channel(15),
      stage: await channel(13),
      thread: (await make(`/channels/${text}/threads`, { name: 'thread', type: 12 })).id,
      message: (await make(`/channels/${text}/messages`, { content: 'first' })).id,
      webhook: await make(`/channels/${text}/webhooks`, { name: 'hook' }),
    }
  })
  after(() => sandbox.close())

  /** Whether a field is there afterwards, or refused as one that the sandbox has not. */
  async function isHonest(
    { method, path, base, values, isRemoved }: Writing,
    field: string,
    send = rest,
  ): Promise<boolean> {
    const value = values[field]
    if (value === UNSEEN) return true
    const { status, body } = await send(method, path, { ...base, [field]: value })
    if (isRemoved) await rest('DELETE', `${path}/${body.id}`)
    if (status === 501) return body.message.includes(field)
    const shown = method === 'PATCH' && status === 200 ? await rest('GET', path) : null
    const kept = shown?.status === 200 ? shown.body : body
    return keeps(kept?.[field], value)
  }

  it('keeps every field of Discord that it takes, and answers 501 with its name to one that it has not', async () => {
    const dropped: string[] = []
    for (const writing of [...ownWritings(at), ...guildWritings(at)]) {
      const fields = readFields(writing.method, writing.operation)
      const title = `${writing.method} ${writing.operation}`
      expect(fields, title).to.not.deep.equal([])
      expect(
        fields.filter((field) => !(field in writing.values)),
        `${title} has no value in this test`,
      ).to.deep.equal([])
      for (const field of fields) if (!(await isHonest(writing, field))) dropped.push(`${title} ${field}`)
    }
    expect(dropped).to.deep.equal([])
  })

  it('takes an ID as a number in every field that has one', async () => {
    const numbers = createCaller(`${sandbox.url}/api/v10`, sandbox.demo.botToken, withNumbers)
    const dropped: string[] = []
    for (const writing of [...ownWritings(at), ...guildWritings(at)]) {
      const { method, operation, values } = writing
      const fields = readFields(method, operation).filter((field) => hasId(values[field] ?? UNSEEN))
      for (const field of fields) {
        if (!(await isHonest(writing, field, numbers))) dropped.push(`${method} ${operation} ${field}`)
      }
    }
    expect(dropped).to.deep.equal([])
  })

  it('counts the uses of an invite, gives its roles, and ends it with the last use', async () => {
    // All privileged intents, of which the test above has left one.
    await rest('PATCH', '/applications/@me', { flags: (1 << 13) | (1 << 15) | (1 << 19) })
    const bot = dial(sandbox.url)
    await bot.op(10)
    bot.send(2, {
      token: sandbox.demo.botToken,
      intents: ALL_INTENTS & ~GatewayIntentBits.GuildPresences,
      properties: {},
    })
    await bot.event('GUILD_CREATE')
    await rest('PATCH', `/guilds/${at.guild}`, { features: [] })
    const facts = { max_uses: 2, role_ids: [at.role], target_type: 2, target_application_id: at.me, unique: true }
    const { body: invite } = await rest('POST', `/channels/${at.text}/invites`, facts)
    expect(invite.target_application.id).to.equal(at.me)
    expect(invite.roles.map(({ id }: { id: string }) => id)).to.deep.equal([at.role])
    const come = (name: string) => sandbox.client.createMember(at.guild, name, { invite: invite.code })
    await come('first')
    expect((await bot.event('GUILD_MEMBER_ADD')).d).to.deep.include({ roles: [at.role] })
    expect((await rest('GET', `/channels/${at.text}/invites`)).body[0].uses).to.equal(1)
    await come('second')
    expect((await bot.event('INVITE_DELETE')).d.code).to.equal(invite.code)
    expect((await bot.event('GUILD_MEMBER_ADD')).d.user.username).to.equal('second')
    expect(await come('third').catch(String)).to.contain("doesn't exist")
    bot.socket.terminate()
  })

  it('notifies those whom a message may notify', async () => {
    const path = `/channels/${at.text}/messages`
    const content = `<@${at.member}> <@&${at.role}>`
    const say = async (more: object) => (await rest('POST', path, { content, ...more })).body
    expect(seen(await say({}))).to.deep.equal([[at.member], [at.role]])
    expect(seen(await say({ allowed_mentions: { parse: [] } }))).to.deep.equal([[], []])
    expect(seen(await say({ allowed_mentions: { users: [at.member] } }))).to.deep.equal([[at.member], []])
    const reference = { message_reference: { message_id: at.message } }
    expect(seen(await say({ ...reference, content: 'yes' }))).to.deep.equal([[at.me], []])
    const quiet = { ...reference, content: 'yes', allowed_mentions: { replied_user: false } }
    expect(seen(await say(quiet))).to.deep.equal([[], []])
  })

  it('forwards a message, and sends one with an enforced nonce once', async () => {
    const forward = { type: 1, channel_id: at.text, message_id: at.message }
    const { body } = await rest('POST', `/channels/${at.voice}/messages`, { message_reference: forward })
    expect(body.message_snapshots[0].message.content).to.be.a('string').and.not.equal('')
    expect(body.content).to.equal('')
    const once = { content: 'once', nonce: '7', enforce_nonce: true }
    const first = await rest('POST', `/channels/${at.text}/messages`, once)
    expect((await rest('POST', `/channels/${at.text}/messages`, once)).body.id).to.equal(first.body.id)
  })

  it('shows the picture that a message of a webhook names', async () => {
    const url = 'https://example.org/usher.png'
    const path = `/webhooks/${at.webhook.id}/${at.webhook.token}?wait=true`
    const { author } = (await rest('POST', path, { content: 'Hi', avatar_url: url })).body
    const picture = await fetch(`${sandbox.url}/cdn/avatars/${author.id}/${author.avatar}.png`, { redirect: 'manual' })
    expect(picture.headers.get('location')).to.equal(url)
  })
})
