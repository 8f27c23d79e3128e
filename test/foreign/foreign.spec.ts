import { spawnSync } from 'node:child_process'
import { expect } from 'chai'
import { listenIn, type Ear } from '../support/ear.ts'
import { eventually } from '../support/service.ts'
import { openStage, TONE_HZ, type ForeignBot, type Stage } from './stage.ts'

interface Library {
  readonly name: string
  readonly voice: 'speaks and listens' | 'speaks' | 'joins'
  /** Requests all members of its guilds at login. */
  readonly wantsMembers?: true
}

/** Each with its defaults, as it comes from npm, and one from Debian. */
const LIBRARIES: readonly Library[] = [
  { name: 'discord.js', voice: 'speaks and listens' },
  { name: 'discordjs-core', voice: 'speaks and listens' },
  { name: 'oceanic', voice: 'speaks and listens' },
  { name: 'oceanic-compressed', voice: 'speaks and listens' },
  { name: 'discordeno', voice: 'speaks and listens' },
  { name: 'dysnomia', voice: 'speaks and listens' },
  // discord-player has no receiver of its own.
  { name: 'discord-player', voice: 'speaks' },
  // Version 2.2, of 2023, which writes IDs as numbers. Discord has dropped its encryption since.
  { name: 'discord.py', voice: 'joins', wantsMembers: true },
]

/** Debian's Python has discord.py and what it needs for voice. */
const hasPython = () => spawnSync('/usr/bin/python3', ['-c', 'import discord, nacl']).status === 0

describe('a bot of a library, unchanged', () => {
  let stage: Stage
  before(async () => {
    stage = await openStage()
  })
  after(() => stage.close())

  for (const library of LIBRARIES) describe(library.name, () => checks(() => stage, library))
})

function checks(stageOf: () => Stage, { name, voice, wantsMembers }: Library): void {
  let stage: Stage
  let bot: ForeignBot
  let channelId: string
  let guildId: string
  let actor: string

  before(async function () {
    if (name === 'discord.py' && !hasPython()) this.skip()
    stage = stageOf()
    ;({ textChannelId: channelId, guildId } = stage.sandbox.demo)
    ;[actor] = stage.members
    bot = await stage.startBot(name)
  })
  after(() => bot?.close())
  afterEach(() => expect(bot.told.filter((one) => one.startsWith('error'))).to.deep.equal([]))

  const messages = async () => (await stage.control('GET', `/guilds/${guildId}/channels/${channelId}/messages`)).body
  const act = async (how: string, body: object) => {
    const place = { userId: actor, applicationId: bot.userId, channelId }
    const path = `/guilds/${guildId}/interactions/${how}`
    const answer = await stage.control('POST', path, { ...place, ...body })
    expect(answer.status, JSON.stringify(answer.body)).to.equal(200)
    return answer.body
  }

  it('logs in and learns of its guild', async () => {
    await bot.hears(`guild ${stage.sandbox.world.guilds.get(guildId)?.name}`)
  })

  it('sends, edits, and deletes messages, and hears those of members', async () => {
    const id = await bot.call('say', channelId, 'first words')
    const mine = async () => (await messages()).find((one: { id: string }) => one.id === id)
    expect(await mine()).to.include({ content: 'first words', authorId: bot.userId, bot: true })
    await bot.call('edit', channelId, id, 'better words')
    expect(await mine()).to.include({ content: 'better words' })
    expect((await mine()).editedAt).to.be.a('string')
    await bot.call('remove', channelId, id)
    expect(await mine()).to.equal(undefined)

    const path = `/guilds/${guildId}/channels/${channelId}/messages`
    const { body: ping } = await stage.control('POST', path, { userId: actor, content: '!ping' })
    await bot.hears('message !ping')
    const reply = await eventually(
      async () => (await messages()).findLast((one: { authorId: string }) => one.authorId === bot.userId),
      (message) => message?.content === 'pong',
    )
    expect(reply.replyTo.id).to.equal(ping.id)
    await bot.call('react', channelId, ping.id, '👍')
    await bot.hears('reaction 👍')
  })

  it('registers commands and answers them, at once or after it thought', async () => {
    await bot.call('register')
    const echoed = await act('command', { command: 'echo', options: { text: 'hear, hear' } })
    expect(echoed).to.include({ answer: 'message', settled: true })
    expect(echoed.message).to.include({ content: 'hear, hear', authorId: bot.userId })
    const later = await act('command', { command: 'later' })
    const done = await eventually(
      async () => (await messages()).find((one: { id: string }) => one.id === later.message.id),
      (message) => message?.content === 'done',
    )
    expect(done).to.include({ loading: false })
  })

  it('shows buttons and a menu, and answers who uses them', async () => {
    const { message } = await act('command', { command: 'panel' })
    const chosen = await act('select', { messageId: message.id, customId: 'colour', values: ['blue'] })
    expect(chosen.message).to.include({ content: 'you chose blue', ephemeral: true })
    const pressed = await act('button', { messageId: message.id, customId: 'press' })
    expect(pressed.answer).to.equal('update')
    const now = (await messages()).find((one: { id: string }) => one.id === message.id)
    expect(now).to.deep.include({ content: 'pressed', components: [] })
  })

  it('shows a modal and reads what a member wrote', async () => {
    const { message } = await act('command', { command: 'panel' })
    const { interactionId, modal } = await act('button', { messageId: message.id, customId: 'form' })
    expect(modal).to.include({ title: 'Who are you?', custom_id: 'who' })
    const sent = await act('modal', { interactionId, fields: { name: 'Ada' } })
    expect(sent.message).to.include({ content: 'hello Ada' })
  })

  it('uploads a file, which comes back byte for byte', async () => {
    const bytes = Buffer.from(Array.from({ length: 70_000 }, (_, at) => (at * at) & 0xff))
    const id = await bot.call('upload', channelId, 'notes.bin', bytes.toString('base64'))
    const { attachments } = (await messages()).find((one: { id: string }) => one.id === id)
    expect(attachments[0]).to.include({ filename: 'notes.bin', size: bytes.length })
    const loaded = Buffer.from(await (await fetch(attachments[0].url)).arrayBuffer())
    expect(loaded.equals(bytes)).to.equal(true)
  })

  if (wantsMembers)
    it('learns of all members at once, and writes to one', async () => {
      const guild = stage.sandbox.world.guilds.get(guildId)!
      await bot.hears(`members ${guild.members.size} of ${guild.members.size}`)
      const id = await bot.call('write', actor, 'between us')
      const [message] = stage.sandbox.world.messages.get(String(id))!.values()
      expect(message).to.deep.include({ content: 'between us' })
    })

  if (voice === 'joins')
    it('joins a voice channel, where an old version finds no encryption that it knows, and leaves', async () => {
      const { voiceChannelId } = stage.sandbox.demo
      const place = () => stage.sandbox.world.guilds.get(guildId)?.voice.get(bot.userId)?.channelId
      await bot.call('join', guildId, voiceChannelId)
      await eventually(place, (channel) => channel === voiceChannelId)
      expect(await bot.call('speak', voiceChannelId)).to.be.oneOf(['no encryption mode', 'connected'])
      await bot.call('leave')
      await eventually(place, (channel) => channel === undefined)
    })
  else
    describe('in a voice channel', () => {
      let ear: Ear
      let voiceChannelId: string
      before(async () => {
        ;({ voiceChannelId } = stage.sandbox.demo)
        ear = await listenIn(stage.sandbox, stage.members[1], voiceChannelId)
      })
      after(() => ear.leave())

      it('plays, and a member hears it encrypted end to end, without a gap', async () => {
        await bot.call('join', guildId, voiceChannelId, stage.song)
        await eventually(
          () => ear.sound(),
          ({ hz, ms }) => ms >= 400 && Math.abs(hz - TONE_HZ) < 5,
        )
        expect(ear.isEncrypted).to.equal(true)
        const packets = async () => stage.sandbox.voice.packets(guildId, bot.userId)
        const { packets: from } = await packets()
        const report = await eventually(packets, (now) => now.packets >= from + 100)
        expect(report.lost).to.equal(0)
      })

      if (voice === 'speaks and listens')
        it('hears a member who speaks', async () => {
          const member = `/guilds/${guildId}/members/${actor}`
          const joined = await stage.control('POST', `${member}/join`, { channelId: voiceChannelId })
          expect(joined.status).to.equal(200)
          await stage.control('POST', `${member}/speak`, { seconds: 20 })
          await bot.hears(`heard ${actor}`, 20)
          await stage.control('POST', `${member}/leave`)
        })

      it('leaves', async () => {
        await bot.call('leave')
        await eventually(
          () => stage.sandbox.world.guilds.get(guildId)?.voice.has(bot.userId),
          (isThere) => isThere === false,
        )
      })
    })
}
