import { expect } from 'chai'
import { createApplication, addApplication } from 'bandstand-sandbox/world'
import type { Sandbox } from 'bandstand-sandbox'
import { dial } from './dial.ts'
import { createCaller, openSandbox, withNumbers, type Rest } from './stage.ts'

const GUILDS = 1
const MESSAGES = 512
const CONTENT = 32_768
/** Menus by the number of their type; the last four are of IDs. */
const MENUS = [3, 5, 6, 7, 8]

const field = (component: object) => ({ type: 18, label: 'Field', component })

describe('the stand-in, to clients that write and read as the others do not,', () => {
  let sandbox: Sandbox
  let token: string
  let rest: Rest
  const open: { socket: { terminate(): void } }[] = []

  before(async () => {
    sandbox = await openSandbox({ demoMember: false })
    token = sandbox.demo.botToken
    rest = createCaller(`${sandbox.url}/api/v10`, token)
  })
  after(() => sandbox.close())
  afterEach(() => {
    for (const { socket } of open.splice(0)) socket.terminate()
  })

  async function logIn(identify: object = { intents: GUILDS }, query?: string) {
    const client = dial(sandbox.url, query)
    open.push(client)
    await client.op(10)
    client.send(2, { token, properties: {}, ...identify })
    const { d } = await client.event('READY')
    const sendNumbers = (op: number, body: unknown) => client.socket.send(withNumbers({ op, d: body }))
    return { client, ready: d, sendNumbers }
  }

  async function post(path: string, body: string | FormData) {
    const headers = { authorization: `Bot ${token}` }
    const json = typeof body === 'string' ? { 'content-type': 'application/json' } : {}
    const response = await fetch(`${sandbox.url}/api/v10${path}`, {
      method: 'POST',
      headers: { ...headers, ...json },
      body,
    })
    return { status: response.status, body: (await response.json()) as any }
  }

  const answer = ({ id, token: secret }: { id: string; token: string }, type: number, data: object) =>
    rest('POST', `/interactions/${id}/${secret}/callback?with_response=true`, { type, data })

  it('takes IDs as numbers in bodies, with all their digits', async () => {
    const { textChannelId, memberIds, guildId } = sandbox.demo
    const messages = `/channels/${textChannelId}/messages`
    const { body: first } = await rest('POST', messages, { content: 'first' })
    const answer = {
      content: `<@${memberIds[0]}> <@${memberIds[1]}>`,
      allowed_mentions: { parse: [], users: [memberIds[1]], replied_user: false },
      message_reference: { message_id: first.id, channel_id: textChannelId, guild_id: guildId },
    }
    const { body: reply } = await post(messages, withNumbers(answer))
    expect(reply.message_reference.message_id).to.equal(first.id)
    expect(reply.mentions.map(({ id }: { id: string }) => id)).to.deep.equal([memberIds[1]])
    const form = new FormData()
    form.set('payload_json', withNumbers({ message_reference: { message_id: first.id }, attachments: [{ id: 0 }] }))
    form.set('files[0]', new Blob(['words']), 'words.txt')
    const { body: upload } = await post(messages, form)
    expect(upload.referenced_message.id).to.equal(first.id)
    expect(upload.attachments[0].filename).to.equal('words.txt')
    const { body: dm } = await post('/users/@me/channels', withNumbers({ recipient_id: memberIds[0] }))
    expect(dm.recipients[0].id).to.equal(memberIds[0])
  })

  it('takes an ID of few digits too, and what else the forms of Discord read as another type', async () => {
    const path = `/channels/${sandbox.demo.textChannelId}/messages`
    const missing = await post(path, '{"content":"x","message_reference":{"message_id":1}}')
    expect(missing.body.code).to.equal(10_008)
    const said = await post(
      path,
      '{"content":7,"tts":0,"flags":"4","components":[{"type":"1","components":[{"type":2,"style":"1","custom_id":9}]}]}',
    )
    expect(said.body).to.include({ content: '7', tts: false, flags: 4 })
    expect(said.body.components[0].components[0]).to.include({ style: 1, custom_id: '9' })
    for (const [field, value, code] of [
      ['content', '{}', 'STRING_TYPE_CONVERT'],
      ['content', 'true', 'STRING_TYPE_CONVERT'],
      ['tts', '2', 'BOOLEAN_TYPE_CONVERT'],
      ['flags', '"four"', 'NUMBER_TYPE_COERCE'],
      ['embeds', '1', 'LIST_TYPE_CONVERT'],
    ] as const) {
      const { body } = await post(path, `{"content":"x","${field}":${value}}`)
      expect(body.errors?.[field]?._errors[0].code, `${field} ${value}`).to.equal(code)
    }
  })

  it('takes null for what may be left out, as discord.js 13 writes it, and asks for what may not', async () => {
    const path = `/channels/${sandbox.demo.textChannelId}/messages`
    const option = { label: 'Red', value: 'red', description: null, emoji: null, default: false }
    const menu = {
      type: 3,
      custom_id: 'colour',
      options: [option],
      placeholder: null,
      min_values: null,
      disabled: null,
    }
    const { body } = await rest('POST', path, { content: 'x', components: [{ type: 1, components: [menu] }] })
    expect(body.components?.[0].components[0]).to.include({ custom_id: 'colour', min_values: 1 })
    const lacks = { ...menu, custom_id: null }
    const refused = await rest('POST', path, { content: 'x', components: [{ type: 1, components: [lacks] }] })
    expect(refused.body.code).to.equal(50_035)
  })

  it('knows a bot by its ID too where it says @me, and names a type where an answer has no body', async () => {
    const { applicationId, memberIds, textChannelId } = sandbox.demo
    const { status, body } = await rest('POST', `/users/${applicationId}/channels`, { recipient_id: memberIds[0] })
    expect([status, body.recipients[0].id]).to.deep.equal([200, memberIds[0]])
    const other = await rest('POST', `/users/${memberIds[1]}/channels`, { recipient_id: memberIds[0] })
    expect(other.status).to.equal(404)
    const typing = await rest('POST', `/channels/${textChannelId}/typing`)
    expect([typing.status, typing.headers.get('content-type')]).to.deep.equal([204, 'text/html; charset=utf-8'])
  })

  it('writes permissions for versions 6 and 7 as numbers, and types of overwrites as words, and reads them so', async () => {
    const { guildId } = sandbox.demo
    const guild = sandbox.world.guilds.get(guildId)!
    for (const role of guild.roles.values()) if (role.managed) role.permissions = String(2n ** 45n + 8n)
    const { client } = await logIn({}, '?v=6&encoding=json')
    const { roles } = (await client.event('GUILD_CREATE')).d
    const mine = roles.find(({ permissions }: { permissions: unknown }) => permissions === 8)
    expect(mine.permissions_new).to.equal(String(2n ** 45n + 8n))
    const old = createCaller(`${sandbox.url}/api/v7`, token)
    const overwrite = { id: guildId, type: 'role', allow: 0, deny: 1024 }
    const { body } = await old('POST', `/guilds/${guildId}/channels`, {
      name: 'old',
      permission_overwrites: [overwrite],
    })
    expect(body.permission_overwrites).to.deep.equal([{ ...overwrite, allow_new: '0', deny_new: '1024' }])
    const member = { type: 'member', allow: 1024, deny: 0 }
    const path = `/channels/${body.id}/permissions/${sandbox.demo.memberIds[0]}`
    expect((await old('PUT', path, member)).status).to.equal(204)
    const now = (await rest('GET', `/channels/${body.id}`)).body.permission_overwrites
    expect(now[1]).to.deep.equal({ id: sandbox.demo.memberIds[0], type: 1, allow: '1024', deny: '0' })
    expect((await rest('PUT', path, member)).body.code, 'in version 10').to.equal(50_035)
  })

  it('reads the one embed of a message before version 10, and no such field from then on', async () => {
    const path = `/channels/${sandbox.demo.textChannelId}/messages`
    for (const version of [7, 8, 9, 10]) {
      const said = createCaller(`${sandbox.url}/api/v${version}`, token)
      const { body } = await said('POST', path, { content: 'x', embed: { title: 'One' } })
      expect(body.embeds.length, `v${version}`).to.equal(version < 10 ? 1 : 0)
    }
  })

  it('takes IDs as numbers on the gateway: the members of a guild, and its voice channels', async () => {
    const { guildId, memberIds, voiceChannelId, applicationId } = sandbox.demo
    const { client, sendNumbers } = await logIn({ intents: GUILDS | 2 | 128 })
    sendNumbers(8, { guild_id: guildId, query: '', limit: 0, presences: false, user_ids: null, nonce: null })
    expect((await client.event('GUILD_MEMBERS_CHUNK')).d.members.length).to.be.greaterThan(memberIds.length)
    sendNumbers(8, { guild_id: guildId, user_ids: [memberIds[1], '123456789012345678'], limit: 0 })
    const { d } = await client.event('GUILD_MEMBERS_CHUNK')
    expect(d.members.map(({ user }: any) => user.id)).to.deep.equal([memberIds[1]])
    expect(d.not_found).to.deep.equal(['123456789012345678'])
    // The format of Eris.
    client.send(8, { guild_id: [guildId], user_ids: [memberIds[0]], presences: 0 })
    expect((await client.event('GUILD_MEMBERS_CHUNK')).d.members).to.have.length(1)
    sendNumbers(4, { guild_id: guildId, channel_id: voiceChannelId, self_mute: 0, self_deaf: false })
    expect((await client.event('VOICE_STATE_UPDATE')).d).to.include({
      channel_id: voiceChannelId,
      user_id: applicationId,
    })
    sendNumbers(4, { guild_id: guildId, channel_id: null, self_mute: false, self_deaf: false })
    expect((await client.event('VOICE_STATE_UPDATE')).d.channel_id).to.equal(null)
  })

  it('serves the gateway in version 9 and in the deprecated ones, each as it was', async () => {
    const path = `/channels/${sandbox.demo.textChannelId}/messages`
    for (const version of [6, 7, 8, 9, 10]) {
      const identify = version < 8 ? {} : { intents: GUILDS | MESSAGES }
      const { client, ready } = await logIn(identify, `?v=${version}&encoding=json`)
      expect(ready.v).to.equal(version)
      // Another's words: a bot always reads its own.
      const other = createApplication(sandbox.world, { name: `Speaker ${version}` })
      addApplication(sandbox.world, sandbox.world.guilds.get(sandbox.demo.guildId)!, other)
      await createCaller(`${sandbox.url}/api/v${version}`, other.token)('POST', path, { content: 'words' })
      // Only the intent counts from version 10, before it the setting of the application.
      expect((await client.event('MESSAGE_CREATE')).d.content, `v${version}`).to.equal(version < 10 ? 'words' : '')
    }
    const strange = dial(sandbox.url, '?v=5&encoding=json')
    expect(await strange.closed).to.equal(4012)
    const late = dial(sandbox.url, '?v=8&encoding=json')
    await late.op(10)
    late.send(2, { token, properties: {} })
    expect(await late.closed).to.equal(4013)
  })

  it('lists the games that the app detects, with a token and without', async () => {
    const path = '/applications/detectable'
    const { status, body } = await rest('GET', path)
    expect([status, body[0].executables[0].os]).to.deep.equal([200, 'win32'])
    expect((await createCaller(`${sandbox.url}/api/v8`)('GET', path)).body).to.deep.equal(body)
  })

  describe('in interactions,', () => {
    let bot: Awaited<ReturnType<typeof logIn>>
    let actor: string
    let messageId: string
    beforeEach(async () => {
      bot = await logIn({ intents: GUILDS | MESSAGES | CONTENT })
    })
    before(async () => {
      const { applicationId, memberIds } = sandbox.demo
      actor = memberIds[0]!
      const sub = { type: 1, name: 'move', description: 'Moves' }
      await rest('PUT', `/applications/${applicationId}/commands`, [
        { name: 'panel', description: 'Panel', options: [{ type: 6, name: 'for', description: 'For whom' }] },
        {
          name: 'queue',
          description: 'Queue',
          options: [{ type: 2, name: 'tracks', description: 'T', options: [sub] }],
        },
      ])
    })

    const act = (how: string, body: object) =>
      createCaller(`${sandbox.url}/sandbox`)('POST', `/guilds/${sandbox.demo.guildId}/interactions/${how}`, {
        userId: actor,
        ...body,
      })
    const told = async () => (await bot.client.event('INTERACTION_CREATE')).d

    it('names the command in the message that answers it, in the newer field and in the older', async () => {
      const acting = act('command', { command: 'queue tracks move' })
      const interaction = await told()
      expect(interaction.data).to.not.have.property('resolved')
      const { message } = (await answer(interaction, 4, { content: 'moved' })).body.resource
      expect(message.interaction).to.deep.include({ id: interaction.id, type: 2, name: 'queue tracks move' })
      expect(message.interaction.user.id).to.equal(actor)
      expect(message.interaction_metadata).to.include({ id: interaction.id, type: 2 })
      await acting
      const further = `/webhooks/${sandbox.demo.applicationId}/${interaction.token}`
      const { body } = await rest('POST', further, { content: 'and more' })
      expect(body).to.not.have.property('interaction')
      expect(body.interaction_metadata.original_response_message_id).to.equal(message.id)
    })

    it('resolves IDs where some were chosen, and has no such field elsewhere', async () => {
      const { roles } = sandbox.world.guilds.get(sandbox.demo.guildId)!
      const chosen = [['x'], [actor], [[...roles.keys()][0]!], [actor], [sandbox.demo.textChannelId]]
      const kinds = [undefined, 'users', 'roles', 'users', 'channels']
      const acting = act('command', { command: 'panel', options: { for: actor } })
      const interaction = await told()
      expect(interaction.data.resolved.users[actor].id).to.equal(actor)
      const options = [{ label: 'X', value: 'x' }]
      const menus = MENUS.map((type) => ({ type, custom_id: `menu ${type}`, ...(type === 3 ? { options } : {}) }))
      const rows = menus.map((menu) => ({ type: 1, components: [menu] }))
      await answer(interaction, 4, { components: rows })
      messageId = (await acting).body.message.id
      for (const [at, type] of MENUS.entries()) {
        const values = chosen[at]!
        const choosing = act('select', { messageId, customId: `menu ${type}`, values })
        const { data, message, ...rest } = await told()
        expect(message.interaction.name).to.equal('panel')
        const kind = kinds[at]
        if (kind === undefined) expect(data).to.not.have.property('resolved')
        else expect(Object.keys(data.resolved[kind])).to.deep.equal(values)
        await answer(rest as never, 6, {})
        await choosing
      }
    })

    it('resolves what was chosen in the menus of a form', async () => {
      const acting = act('command', { command: 'panel' })
      const components = [field({ type: 5, custom_id: 'who' }), field({ type: 4, custom_id: 'why', style: 1 })]
      await answer(await told(), 9, { custom_id: 'form', title: 'Form', components })
      const { interactionId } = (await acting).body
      const sending = act('modal', { interactionId, fields: { who: [actor], why: 'so' } })
      const { data, ...rest } = await told()
      expect(data.resolved.users[actor].id).to.equal(actor)
      await answer(rest, 4, { content: 'thanks' })
      await sending
    })
  })
})
