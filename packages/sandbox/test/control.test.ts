import { once } from 'node:events'
import { expect } from 'chai'
import {
  ActionRowBuilder,
  ButtonBuilder,
  ButtonStyle,
  Events,
  ModalBuilder,
  SlashCommandBuilder,
  StringSelectMenuBuilder,
  TextInputBuilder,
  type ChatInputCommandInteraction,
  type Client,
  type Interaction,
} from 'discord.js'
import type { Sandbox } from 'bandstand-sandbox'
import { createChecker } from './openapi.ts'
import { createCaller, logIn, openSandbox, type Rest } from './stage.ts'

const COMMANDS = [
  new SlashCommandBuilder().setName('ping').setDescription('Answers'),
  new SlashCommandBuilder().setName('slow').setDescription('Thinks first'),
  new SlashCommandBuilder().setName('secret').setDescription('For you alone'),
  new SlashCommandBuilder().setName('buttons').setDescription('Something to press'),
  new SlashCommandBuilder().setName('form').setDescription('Something to fill in'),
  new SlashCommandBuilder().setName('mute').setDescription('Says nothing'),
  new SlashCommandBuilder()
    .setName('play')
    .setDescription('Play')
    .addStringOption((o) => o.setName('query').setDescription('What').setRequired(true).setAutocomplete(true)),
  new SlashCommandBuilder()
    .setName('queue')
    .setDescription('Queue')
    .addSubcommand((s) =>
      s
        .setName('move')
        .setDescription('Move')
        .addIntegerOption((o) => o.setName('from').setDescription('From').setRequired(true).setMinValue(1))
        .addUserOption((o) => o.setName('for').setDescription('For whom')),
    ),
]

const HANDLERS: Record<string, (i: ChatInputCommandInteraction<'cached'>) => Promise<unknown>> = {
  ping: (i) =>
    i.reply({ content: `pong for ${i.member.displayName} in ${i.member.voice.channel?.name ?? 'no channel'}` }),
  async slow(i) {
    await i.deferReply()
    await i.editReply('thought about it')
    await i.followUp('and once more')
    await i.fetchReply()
  },
  secret: (i) => i.reply({ content: 'psst', flags: 64, withResponse: true }),
  buttons: (i) =>
    i.reply({
      content: 'press',
      components: [
        new ActionRowBuilder<ButtonBuilder>().addComponents(
          new ButtonBuilder().setCustomId('go').setLabel('Go').setStyle(ButtonStyle.Primary),
          new ButtonBuilder().setCustomId('off').setLabel('Off').setStyle(ButtonStyle.Danger).setDisabled(true),
        ),
        new ActionRowBuilder<StringSelectMenuBuilder>().addComponents(
          new StringSelectMenuBuilder()
            .setCustomId('pick')
            .addOptions({ label: 'One', value: '1' }, { label: 'Two', value: '2' }),
        ),
      ],
    }),
  form: (i) =>
    i.showModal(
      new ModalBuilder()
        .setCustomId('ask')
        .setTitle('Ask')
        .addComponents(
          new ActionRowBuilder<TextInputBuilder>().addComponents(
            new TextInputBuilder().setCustomId('why').setLabel('Why').setStyle(1),
          ),
        ),
    ),
  mute: async () => undefined,
  play: (i) => i.reply(`playing ${i.options.getString('query')}`),
  queue: (i) =>
    i.reply(`${i.options.getSubcommand()} ${i.options.getInteger('from')} ${i.options.getUser('for')?.username}`),
}

async function onInteraction(i: Interaction): Promise<void> {
  if (!i.inCachedGuild()) return
  if (i.isChatInputCommand()) await HANDLERS[i.commandName]!(i)
  else if (i.isAutocomplete()) await i.respond([{ name: `${i.options.getFocused()}!`, value: 'x' }])
  else if (i.isButton()) await i.update({ content: 'pressed', components: [] })
  else if (i.isStringSelectMenu()) {
    await i.deferUpdate()
    await i.followUp(`picked ${i.values.join()}`)
  } else if (i.isModalSubmit()) await i.reply(`because ${i.fields.getTextInputValue('why')}`)
}

describe('the controls of the stand-in', () => {
  const check = createChecker()
  const issues: string[] = []
  let sandbox: Sandbox
  let client: Client<true>
  let call: Rest
  let guild: string
  let mira: string

  before(async () => {
    sandbox = await openSandbox()
    sandbox.rest.onExchange((exchange) => issues.push(...check(exchange)))
    client = await logIn(sandbox)
    client.on(Events.InteractionCreate, (i) => void onInteraction(i))
    await client.application.commands.set(COMMANDS)
    call = createCaller(`${sandbox.url}/sandbox`)
    guild = `/guilds/${sandbox.demo.guildId}`
    mira = sandbox.demo.memberIds[0]!
  })
  after(async () => {
    await client.destroy()
    await sandbox.close()
  })
  afterEach(() => {
    expect(issues.splice(0), 'against the OpenAPI document').to.deep.equal([])
  })

  async function command(name: string, options: Record<string, unknown> = {}, more: object = {}) {
    return call('POST', `${guild}/interactions/command`, { userId: mira, command: name, options, ...more })
  }

  it('describe themselves', async () => {
    const { status, body } = await call('GET', '')
    expect(status).to.equal(200)
    const join = body.routes.find(({ path }: { path: string }) => path.endsWith('/join'))
    expect(join.summary).to.be.a('string')
    expect(join.body.properties).to.have.keys('channelId', 'client', 'selfMute', 'selfDeaf')
    const page = await fetch(`${sandbox.url}/`, { headers: { accept: 'text/html' } })
    expect(page.headers.get('content-type')).to.match(/^text\/html/)
  })

  it('type a command and bring back the answer', async () => {
    const { status, body } = await command('ping')
    expect(status).to.equal(200)
    expect(body).to.include({ answer: 'message', settled: true })
    expect(body.message.content).to.equal('pong for Mira in The Pier')
    expect(body.message.raw.interaction_metadata.user.id).to.equal(mira)
  })

  it('wait until a bot that is thinking has thought, and see what is for one person alone', async () => {
    const slow = await command('slow')
    expect(slow.body).to.include({ answer: 'deferred message', settled: true })
    expect(slow.body.message.content).to.equal('thought about it')
    const secret = await command('secret')
    expect(secret.body.message).to.include({ content: 'psst', ephemeral: true })
    const { body } = await call('GET', `${guild}/channels/${sandbox.demo.textChannelId}/messages`)
    const texts = body.map(({ content }: { content: string }) => content)
    expect(texts).to.include('thought about it')
    expect(texts).not.to.include('psst')
  })

  it('fill in options as the app would, and refuse what it would refuse', async () => {
    const moved = await command('queue move', { from: 3, for: sandbox.demo.memberIds[1] })
    expect(moved.body.message.content).to.equal('move 3 jonas')
    const cases: [string, Record<string, unknown>, RegExp][] = [
      ['play', {}, /"query" is required/],
      ['play', { query: 1 }, /must be a string/],
      ['queue move', { from: 0 }, /between 1 and/],
      ['queue', {}, /subcommand: move/],
      ['nonsense', {}, /Unknown command "nonsense"\. Commands of this type: ping/],
      ['ping', { loud: true }, /Unknown option "loud"/],
    ]
    for (const [name, options, message] of cases) {
      const { status, body } = await command(name, options)
      expect(status, name).to.equal(422)
      expect(body.error.message).to.match(message)
    }
  })

  it('offer choices while someone types', async () => {
    const { body } = await call('POST', `${guild}/interactions/autocomplete`, {
      userId: mira,
      command: 'play',
      options: { query: 'boh' },
      focused: 'query',
    })
    expect(body.choices).to.deep.equal([{ name: 'boh!', value: 'x' }])
  })

  it('press buttons, choose, and send forms', async () => {
    const { message } = (await command('buttons')).body
    const at = { userId: mira, messageId: message.id }
    const off = await call('POST', `${guild}/interactions/button`, { ...at, customId: 'off' })
    expect(off.status).to.equal(409)
    const pick = await call('POST', `${guild}/interactions/select`, { ...at, customId: 'pick', values: ['2'] })
    expect(pick.body.answer).to.equal('deferred update')
    const pressed = await call('POST', `${guild}/interactions/button`, { ...at, customId: 'go' })
    expect(pressed.body).to.deep.include({ answer: 'update' })
    expect(pressed.body.message).to.deep.include({ content: 'pressed', components: [] })
    const again = await call('POST', `${guild}/interactions/button`, { ...at, customId: 'go' })
    expect(again.status).to.equal(404)
    const form = await command('form')
    expect(form.body.modal.title).to.equal('Ask')
    const sent = await call('POST', `${guild}/interactions/modal`, {
      interactionId: form.body.interactionId,
      fields: { why: 'it rains' },
    })
    expect(sent.body.message.content).to.equal('because it rains')
  })

  it('say so when a bot does not answer', async () => {
    const { status, body } = await command('mute', {}, { waitMs: 50 })
    expect(status).to.equal(504)
    expect(body.error.message).to.match(/didn't respond within 50 ms/)
  })

  it('make further bots and guilds, which are told at once', async () => {
    const made = await call('POST', '/applications', { name: 'Second' })
    expect(made.body).to.include.keys('id', 'token')
    const second = await logIn(sandbox, { token: made.body.token })
    expect(second.guilds.cache.size).to.equal(1)
    const told = once(second, Events.GuildCreate)
    const created = await call('POST', '/guilds', {
      name: 'New',
      voiceChannels: 2,
      members: 3,
      applications: [made.body.id],
    })
    expect(created.body.channels).to.have.length(3)
    const [joined] = await told
    expect(joined.name).to.equal('New')
    expect(client.guilds.cache.size).to.equal(1)
    const gone = once(second, Events.GuildDelete)
    expect((await call('DELETE', `/guilds/${created.body.id}`)).status).to.equal(204)
    await gone
    await second.destroy()
  })

  it('make a guild unavailable and available again', async () => {
    const lost = once(client, Events.GuildUnavailable)
    await call('PATCH', guild, { unavailable: true })
    await lost
    const back = once(client, Events.GuildAvailable)
    await call('PATCH', guild, { unavailable: false })
    await back
  })

  it('say what is wrong with a request', async () => {
    const cases: [string, string, unknown, number][] = [
      ['POST', '/applications', {}, 422],
      ['POST', `${guild}/members/1/leave`, undefined, 404],
      ['POST', `${guild}/members/${sandbox.demo.memberIds[1]}/move`, { channelId: sandbox.demo.voiceChannelId }, 409],
      ['GET', '/nothing', undefined, 404],
      ['DELETE', '/certificate.pem', undefined, 405],
    ]
    for (const [method, path, body, status] of cases) {
      const answer = await call(method, path, body)
      expect(answer.status, `${method} ${path}`).to.equal(status)
      expect(answer.body.error.message).to.be.a('string')
    }
    const types = await call('POST', '/applications', { name: 7, shards: '2' })
    expect(types.body.error.message).to.include('name: Must be a string: quote it.').and.include('without quotes.')
    const wrong = await fetch(`${sandbox.url}/sandbox/applications`, {
      method: 'POST',
      body: '{',
      headers: { 'content-type': 'application/json' },
    })
    expect(wrong.status).to.equal(400)
  })

  it('answer no one who was led here by another site', async () => {
    for (const origin of ['https://evil.example', 'http://127.0.0.1:8080', 'http://localhost', 'null']) {
      const other = await fetch(`${sandbox.url}/sandbox`, { headers: { origin } })
      expect(other.status, origin).to.equal(403)
    }
    const own = await fetch(`${sandbox.url}/sandbox`, { headers: { origin: sandbox.url } })
    expect(own.status).to.equal(200)
  })
})
