import { expect } from 'chai'
import {
  ActionRowBuilder,
  ButtonBuilder,
  ButtonStyle,
  EmbedBuilder,
  SlashCommandBuilder,
  StringSelectMenuBuilder,
  type Client,
  type TextChannel,
  ContextMenuCommandBuilder,
} from 'discord.js'
import type { Sandbox } from 'bandstand-sandbox'
import { Permission } from 'bandstand-sandbox/world'
import { createChecker } from './openapi.ts'
import { createCaller, logIn, openSandbox, type Rest } from './stage.ts'

const names = ({ attachments }: { attachments: readonly { filename: string }[] }) =>
  attachments.map(({ filename }) => filename)

describe('the stand-in REST interface', () => {
  const check = createChecker()
  const issues: string[] = []
  let sandbox: Sandbox
  let client: Client<true>
  let rest: Rest

  before(async () => {
    sandbox = await openSandbox()
    sandbox.rest.onExchange((exchange) => issues.push(...check(exchange)))
    client = await logIn(sandbox)
    rest = createCaller(`${sandbox.url}/api/v10`, sandbox.demo.botToken)
  })
  after(async () => {
    await client.destroy()
    await sandbox.close()
  })
  afterEach(() => {
    expect(issues.splice(0), 'against the OpenAPI document').to.deep.equal([])
  })

  it('reports an answer that the OpenAPI document of Discord does not allow', () => {
    const exchange = { method: 'GET', path: '/gateway', status: 200, multipart: false, request: undefined }
    expect(check({ ...exchange, response: { url: 'wss://gateway.test' } })).to.deep.equal([])
    expect(check({ ...exchange, response: { url: 5 } }).join()).to.contain('must be string')
  })

  it('tells a bot who it is and how to reach the gateway', async () => {
    const application = await client.application.fetch()
    expect(application.name).to.equal('Bandstand')
    expect(application.approximateGuildCount).to.equal(1)
    const bot = await rest('GET', '/gateway/bot')
    expect(bot.body.url).to.equal(sandbox.url.replace('http', 'ws'))
    expect(bot.body.session_start_limit).to.include({ total: 1000, max_concurrency: 1 })
    for (const path of ['/gateway', '/users/@me', '/oauth2/applications/@me', '/users/@me/guilds', '/voice/regions']) {
      expect((await rest('GET', path)).status, path).to.equal(200)
    }
    expect((await rest('PATCH', '/users/@me', { username: 'Bandstand' })).body.username).to.equal('Bandstand')
    expect((await rest('PATCH', '/applications/@me', {})).body.name).to.equal('Bandstand')
  })

  it('keeps commands, global and of a guild, through every verb', async () => {
    const play = new SlashCommandBuilder()
      .setName('play')
      .setDescription('Play a track')
      .addStringOption((o) => o.setName('query').setDescription('What').setRequired(true).setAutocomplete(true))
      .addIntegerOption((o) => o.setName('at').setDescription('Where').addChoices({ name: 'first', value: 1 }))
    const queue = new SlashCommandBuilder()
      .setName('queue')
      .setDescription('The queue')
      .addSubcommand((s) =>
        s
          .setName('move')
          .setDescription('Move')
          .addIntegerOption((o) => o.setName('from').setDescription('From')),
      )
    const menu = new ContextMenuCommandBuilder().setName('Queue this').setType(3)
    const set = await client.application.commands.set([play, queue, menu])
    expect([...set.values()].map(({ name }) => name)).to.have.members(['play', 'queue', 'Queue this'])
    const again = await client.application.commands.set([play])
    expect(again.first()!.id).to.equal(set.find(({ name }) => name === 'play')!.id)
    const local = await client.application.commands.create(queue, sandbox.demo.guildId)
    await client.application.commands.edit(local, { description: 'Another' }, sandbox.demo.guildId)
    expect((await client.application.commands.fetch({ guildId: sandbox.demo.guildId })).first()!.description).to.equal(
      'Another',
    )
    await client.application.commands.delete(local, sandbox.demo.guildId)
    expect((await client.application.commands.fetch({ guildId: sandbox.demo.guildId })).size).to.equal(0)
    const wrong = await rest('PUT', `/applications/${sandbox.demo.applicationId}/commands`, [
      { name: 'NOT OK', description: 'x' },
    ])
    expect(wrong.status).to.equal(400)
    expect(wrong.body).to.include({ code: 50_035 })
  })

  it('leaves out the parts of an embed that have nothing to show', async () => {
    const empty = { image: {}, thumbnail: { url: null }, footer: {}, author: { name: '' } }
    const path = `/channels/${sandbox.demo.textChannelId}/messages`
    const { status, body } = await rest('POST', path, { embeds: [{ description: 'Joined', ...empty }] })
    expect(status, JSON.stringify(body)).to.equal(200)
    expect(body.embeds).to.deep.equal([{ type: 'rich', description: 'Joined' }])
    await rest('DELETE', `${path}/${body.id}`)
  })

  it('sends, edits, lists and deletes messages with embeds, components and files', async () => {
    const channel = (await client.channels.fetch(sandbox.demo.textChannelId)) as TextChannel
    const row = new ActionRowBuilder<ButtonBuilder>().addComponents(
      new ButtonBuilder().setCustomId('skip').setLabel('Skip').setStyle(ButtonStyle.Primary).setEmoji('⏭️'),
      new ButtonBuilder().setURL('https://example.com').setLabel('Web').setStyle(ButtonStyle.Link),
    )
    const select = new ActionRowBuilder<StringSelectMenuBuilder>().addComponents(
      new StringSelectMenuBuilder().setCustomId('pick').addOptions({ label: 'One', value: '1' }),
    )
    const embed = new EmbedBuilder()
      .setTitle('Now playing')
      .setColor(0x33_66_99)
      .addFields({ name: 'By', value: 'Someone' })
    const message = await channel.send({
      content: `hello <@${sandbox.demo.memberIds[0]}>`,
      embeds: [embed.setImage('attachment://cover.png')],
      components: [row, select],
      files: [{ attachment: Buffer.from('not really a picture'), name: 'cover.png' }],
    })
    expect(message.mentions.users.first()!.username).to.equal('mira')
    expect(message.attachments.first()!.size).to.equal(20)
    expect(await (await fetch(message.attachments.first()!.url)).text()).to.equal('not really a picture')
    expect(message.embeds[0]!.image!.url).to.equal(message.attachments.first()!.url)
    const edited = await message.edit({ content: 'edited', components: [] })
    expect(edited.editedTimestamp).to.be.a('number')
    expect(edited.embeds).to.have.length(1)
    await message.react('👍')
    const reply = await message.reply('a reply')
    expect((await reply.fetchReference()).id).to.equal(message.id)
    expect((await channel.messages.fetch({ limit: 10 })).size).to.equal(2)
    await channel.sendTyping()
    await message.delete()
    const gone = await rest('GET', `/channels/${channel.id}/messages/${message.id}`)
    expect(gone).to.deep.include({ status: 404, body: { message: 'Unknown Message', code: 10_008 } })
  })

  it('replaces the files of a message by new ones, unless they are named', async () => {
    const path = `/channels/${sandbox.demo.textChannelId}/messages`
    const upload = async (method: string, at: string, name: string, payload: object = {}) => {
      const form = new FormData()
      form.set('payload_json', JSON.stringify(payload))
      form.set('files[0]', new Blob([name]), name)
      const headers = { authorization: `Bot ${sandbox.demo.botToken}` }
      const response = await fetch(`${sandbox.url}/api/v10${at}`, { method, headers, body: form })
      return (await response.json()) as { id: string; attachments: { id: string; filename: string }[] }
    }
    const { id } = await upload('POST', path, 'one.txt')
    const second = await upload('PATCH', `${path}/${id}`, 'two.txt')
    expect(names(second)).to.deep.equal(['two.txt'])
    const kept = { attachments: [{ id: second.attachments[0]!.id }, { id: 0 }] }
    expect(names(await upload('PATCH', `${path}/${id}`, 'three.txt', kept))).to.deep.equal(['two.txt', 'three.txt'])
    await rest('DELETE', `${path}/${id}`)
  })

  it('refuses what Discord refuses, in its words', async () => {
    const messages = `/channels/${sandbox.demo.textChannelId}/messages`
    const cases: [string, string, unknown, number, number][] = [
      ['POST', messages, {}, 400, 50_006],
      ['POST', messages, { content: 'x'.repeat(2001) }, 400, 50_035],
      ['GET', '/channels/1', undefined, 404, 10_003],
      ['GET', '/guilds/1', undefined, 404, 10_004],
      ['GET', `/guilds/${sandbox.demo.guildId}/members/1`, undefined, 404, 10_007],
      ['PATCH', `/channels/${sandbox.demo.textChannelId}`, { name: 'mine' }, 403, 50_013],
      ['GET', `/guilds/${sandbox.demo.guildId}/voice-states/@me`, undefined, 404, 10_065],
      ['PATCH', `/guilds/${sandbox.demo.guildId}/members/${sandbox.demo.memberIds[1]}`, { mute: true }, 400, 40_032],
      ['POST', '/interactions/1/nothing/callback', { type: 5 }, 404, 10_062],
      ['GET', '/nonsense', undefined, 404, 0],
    ]
    for (const [method, path, body, status, code] of cases) {
      const answer = await rest(method, path, body)
      expect([answer.status, answer.body.code], `${method} ${path}`).to.deep.equal([status, code])
    }
    const long = await rest('POST', messages, { content: 'x'.repeat(2001) })
    expect(long.body.errors.content._errors[0]).to.deep.equal({
      code: 'BASE_TYPE_MAX_LENGTH',
      message: 'Must be 2000 or fewer in length.',
    })
    const stranger = createCaller(`${sandbox.url}/api/v10`, 'no.such.token')
    expect(await stranger('GET', '/users/@me')).to.deep.include({
      status: 401,
      body: { message: '401: Unauthorized', code: 0 },
    })
  })

  it('shows rate limits in headers, and enforces them when told to', async () => {
    const path = `/channels/${sandbox.demo.textChannelId}/messages`
    const free = await rest('POST', path, { content: 'one' })
    expect(free.headers.get('x-ratelimit-limit')).to.equal('5')
    expect(Number(free.headers.get('x-ratelimit-reset-after'))).to.be.within(0, 5)
    sandbox.world.rules.rateLimits = true
    const answers = await Promise.all(Array.from({ length: 7 }, () => rest('POST', path, { content: 'again' })))
    sandbox.world.rules.rateLimits = false
    const refused = answers.filter(({ status }) => status === 429)
    expect(refused).not.to.have.length(0)
    expect(refused[0]!.body).to.include({ message: 'You are being rate limited.', global: false })
    expect(refused[0]!.body.retry_after).to.be.within(0.001, 5)
    expect(refused[0]!.headers.get('retry-after')).to.match(/^[1-5]$/)
  })

  it('moves, mutes and disconnects members, and sets the line under a channel', async () => {
    const { guildId, voiceChannelId, secondVoiceChannelId } = sandbox.demo
    const guild = client.guilds.cache.get(guildId)!
    guild.shard.send({ op: 4, d: { guild_id: guildId, channel_id: voiceChannelId, self_mute: false, self_deaf: true } })
    const states = `/guilds/${guildId}/voice-states`
    while ((await rest('GET', `${states}/@me`)).status === 404);
    expect((await rest('PUT', `/channels/${voiceChannelId}/voice-status`, { status: 'Playing' })).status).to.equal(204)
    const me = `/guilds/${guildId}/members/${client.user.id}`
    expect((await rest('PATCH', me, { channel_id: secondVoiceChannelId })).status).to.equal(200)
    expect((await rest('GET', `${states}/${client.user.id}`)).body.channel_id).to.equal(secondVoiceChannelId)
    expect((await rest('PATCH', me, { mute: true })).body.mute).to.equal(true)
    expect((await rest('PATCH', `${states}/@me`, { suppress: true })).body.code, 'no stage').to.equal(50_024)
    expect((await rest('PATCH', me, { channel_id: null, mute: false })).status).to.equal(200)
    expect((await rest('GET', `${states}/@me`)).status).to.equal(404)
    for (const path of [
      '',
      '?with_counts=true',
      '/channels',
      '/roles',
      '/members?limit=10',
      `/members/${client.user.id}`,
    ]) {
      expect((await rest('GET', `/guilds/${guildId}${path}`)).status, path).to.equal(200)
    }
    expect((await rest('PATCH', `/guilds/${guildId}/members/@me`, { nick: 'DJ' })).body.nick).to.equal('DJ')
  })

  it('gives the word on a stage to who may take it, and to others only the question for it', async () => {
    const { guildId, stageChannelId, voiceChannelId, memberIds } = sandbox.demo
    const states = `/guilds/${guildId}/voice-states`
    const speak = (change: object, who = '@me') => rest('PATCH', `${states}/${who}`, change)
    const mine = async () => (await rest('GET', `${states}/@me`)).body
    expect((await speak({ suppress: false })).body.code, 'nowhere').to.equal(10_065)
    const join = { guild_id: guildId, channel_id: stageChannelId, self_mute: false, self_deaf: true }
    client.guilds.cache.get(guildId)!.shard.send({ op: 4, d: join })
    while ((await rest('GET', `${states}/@me`)).status === 404);
    expect(await mine()).to.include({ suppress: true, request_to_speak_timestamp: null })
    expect((await speak({ channel_id: voiceChannelId, suppress: false })).body.code, 'elsewhere').to.equal(50_024)
    expect((await speak({ channel_id: stageChannelId, suppress: false })).status).to.equal(204)
    expect((await mine()).suppress).to.equal(false)

    const deny = (permissions: bigint) =>
      fetch(`${sandbox.url}/sandbox/guilds/${guildId}/channels/${stageChannelId}`, {
        method: 'PATCH',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ deny: [{ userId: client.user.id, permissions: String(permissions) }] }),
      })
    await deny(Permission.MuteMembers)
    expect((await speak({ suppress: true })).status).to.equal(204)
    expect((await speak({ suppress: false })).body.code).to.equal(50_013)
    expect((await speak({ suppress: false }, memberIds[3])).body.code, 'not in voice').to.equal(10_065)
    const now = new Date().toISOString()
    expect((await speak({ request_to_speak_timestamp: now })).status).to.equal(204)
    expect((await mine()).request_to_speak_timestamp).to.equal(now)
    await deny(Permission.MuteMembers | Permission.RequestToSpeak)
    expect((await speak({ request_to_speak_timestamp: null })).status).to.equal(204)
    expect((await speak({ request_to_speak_timestamp: now })).body.code).to.equal(50_013)
    await deny(0n)
    expect((await rest('PATCH', `/guilds/${guildId}/members/${client.user.id}`, { channel_id: null })).status).to.equal(
      200,
    )
  })

  it('writes to people directly', async () => {
    const user = await client.users.createDM(sandbox.demo.memberIds[2]!)
    const message = await user.send('psst')
    expect(message.content).to.equal('psst')
    await message.edit('psst!')
    await message.delete()
  })
})
