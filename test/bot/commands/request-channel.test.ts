import { expect } from 'chai'
import { WORDS } from '../../../bot/commands/common-text.ts'
import { languageOf } from '../../../lib/texts/languages.ts'
import { postMessage } from 'bandstand-sandbox/world'
import { until } from '../../support/bots.ts'
import { createMemberStage, customIdsOf, labelsOf, textOf, type MemberStage } from '../../support/members.ts'

const LOCALES = ['en-US', 'de', 'fr', 'es-ES', 'pt-BR', 'ja']
const VIEW = 1n << 10n
const MANAGE_CHANNELS = 1n << 4n
const MANAGE_MESSAGES = 1n << 13n

/** Real discord.js, real bots and the stand-in Discord; the members write, press and fill in. */
describe('the request channel', () => {
  let stage: MemberStage
  let wishes: string
  const open = async (options: Parameters<typeof createMemberStage>[0] = {}) => {
    stage = await createMemberStage(options)
    await stage.sit(1)
    const path = `/guilds/${stage.guild.id}/channels`
    wishes = (await stage.control('POST', path, { name: 'wishes', type: 'text' })).body.id
  }
  afterEach(() => stage.close())

  const inside = (channelId = wishes) => [...(stage.sandbox.world.messages.get(channelId)?.values() ?? [])] as any[]
  const card = (channelId = wishes) => inside(channelId).find((one) => customIdsOf(one.components).includes('add'))
  const shown = () => (card() ? textOf(card()) : '')
  const others = () => inside().filter((one) => one !== card())
  const answers = () => others().map(textOf).join('\n')
  const ownChannel = (facts: object) => stage.control('PATCH', `/guilds/${stage.guild.id}/channels/${wishes}`, facts)
  const deny = (permissions: bigint) =>
    ownChannel({ deny: permissions ? [{ userId: stage.scope.botId, permissions: String(permissions) }] : [] })
  const write = (content: string, by = 1) =>
    stage.control('POST', `/guilds/${stage.guild.id}/channels/${wishes}/messages`, { userId: stage.ids[by], content })
  const take = async () => {
    const answer = await stage.type('setup', { channel: wishes })
    await until('the card stands', () => card() !== undefined)
    return answer
  }
  /** Deletes the card while it shows a new request; returns the milliseconds until it is back. */
  const timeToReturn = async (query: string) => {
    await stage.type('play', { query }, { by: 1 })
    await until('it shows the music', () => shown().includes(`**${query}**`))
    const { id } = card()
    const deletedAtMs = Date.now()
    await stage.control('DELETE', `/guilds/${stage.guild.id}/channels/${wishes}/messages/${id}`)
    await until('it is back', () => card() !== undefined && card().id !== id)
    return Date.now() - deletedAtMs
  }
  /** Whether the card is back at once; the next regular change, after ten seconds or more, would restore it, too. */
  const isAtOnce = async (query: string) => (await timeToReturn(query)) < 8000
  const titles = async () => {
    const { current, queue } = await stage.music.queue(stage.scope, stage.guild.id)
    return [current, ...queue].map((track) => track?.title).join(' ')
  }

  describe('of a bot without any privileged intent', () => {
    beforeEach(() => open({ messageContent: false }))

    it('has one card that says how to ask, and shows what plays and waits for as long as it does', async () => {
      const answer = await take()
      expect([answer.isPrivate, answer.text.includes('Message Content Intent')]).to.deep.equal([true, true])
      expect(shown()).to.contain('Nothing is playing').and.to.contain('press **Add**')
      expect(shown()).not.to.contain('write')
      const { id } = card()
      const form = await stage.press(id, 'add', { by: 1 })
      const sent = await stage.send(form.whole.interactionId, { query: 'A B C' })
      expect([sent.isPrivate, sent.text]).to.deep.equal([true, 'Added 3 tracks, starting with **A**'])
      await until('it shows the queue', () => shown().includes('`1.` **B** `1:00`'))
      expect(shown()).to.contain('🎵 Now playing\n**A**')
      await stage.press(id, 'card:stop', { by: 1 })
      await until('it is as before', () => shown().includes('Nothing is playing'))
      expect(inside().map((one) => one.id)).to.deep.equal([id])
    })

    it('takes the card wherever music is asked for, and what is answered in it the member alone sees', async () => {
      await take()
      const played = await stage.type('play', { query: 'A B' }, { by: 1 })
      expect([played.isPrivate, played.text]).to.deep.equal([false, 'Added 2 tracks, starting with **A**'])
      expect(stage.cards()).to.deep.equal([])
      await until('it shows the music', () => shown().includes('**A**'))
      const skipped = await stage.press(card().id, 'card:stop', { by: 1 })
      expect([skipped.isPrivate, skipped.text.includes('Stopped')]).to.deep.equal([true, true])
      expect(others()).to.deep.equal([])
    })

    it('is made by the bot where it may, closed to what it cannot read; otherwise the words say what to do', async () => {
      const refused = await stage.type('setup')
      expect([refused.isPrivate, refused.text.includes('Manage Channels')]).to.deep.equal([true, true])
      const role = { name: 'maker', permissions: String(MANAGE_CHANNELS), userIds: [stage.scope.botId] }
      await stage.control('POST', `/guilds/${stage.guild.id}/roles`, role)
      const made = await stage.type('setup', {}, { locale: 'de' })
      const [, channelId = ''] = /<#(\d+)>/u.exec(made.text) ?? []
      await until('its card stands', () => card(channelId) !== undefined)
      const channel = stage.guild.channels.get(channelId) as any
      expect([channel.name, channel.topic.includes('Hinzufügen')]).to.deep.equal(['musikwünsche', true])
      const path = `/guilds/${stage.guild.id}/channels/${channelId}/messages`
      expect((await stage.control('POST', path, { userId: stage.ids[1], content: 'hello' })).status).to.equal(403)
    })

    it('is repaired by asking again, moved by naming another, and given up again with what plays', async () => {
      await take()
      const first = card().id
      await stage.type('setup')
      await until('it is a new message', () => inside().length === 1 && card().id !== first)
      await stage.type('play', { query: 'A' }, { by: 1 })
      const path = `/guilds/${stage.guild.id}/channels`
      const other = (await stage.control('POST', path, { name: 'other', type: 'text' })).body.id
      await stage.type('setup', { channel: other })
      await until('it has moved', () => inside().length === 0 && card(other) !== undefined)
      const over = await stage.type('setup', { off: true })
      expect(over.text).to.contain('no longer the request channel')
      await until('the card is where it was asked', () => inside(other).length === 0 && stage.cards().length === 1)
      expect((await stage.type('setup', { off: true })).text).to.contain('There is no request channel')
    })

    it('is for managers to set up', async () => {
      const refused = await stage.type('setup', { channel: wishes }, { by: 2 })
      expect(refused.text).to.contain('Manage Server')
      expect(card()).to.equal(undefined)
    })

    it('survives restarts, with the music and without', async () => {
      await take()
      const { id } = card()
      await stage.type('play', { query: 'A' }, { by: 1 })
      await until('it plays', () => shown().includes('**A**'))
      await stage.test.bots.close()
      expect(shown()).to.contain('Nothing is playing')
      stage.test.restart()
      await until('it goes on', () => shown().includes('**A**'))
      expect(inside().map((one) => one.id)).to.deep.equal([id])
    })

    it('forgets a channel that is deleted, and the music plays on', async () => {
      await take()
      await stage.type('play', { query: 'A' }, { by: 1 })
      await stage.control('DELETE', `/guilds/${stage.guild.id}/channels/${wishes}`)
      await until('it is forgotten', async () => {
        const answer = await stage.type('setup', { off: true })
        return answer.text.includes('There is no request channel')
      })
      const brought = await stage.type('nowplaying', {}, { by: 1 })
      await until('the card is an ordinary one', () => stage.cards()[0]?.id === brought.messageId)
    })

    it('has a card where more is asked for, when its channel was deleted while the bot was away', async () => {
      await take()
      await stage.type('play', { query: 'A' }, { by: 1 })
      await stage.test.bots.close()
      await stage.control('DELETE', `/guilds/${stage.guild.id}/channels/${wishes}`)
      stage.test.restart()
      await until('the bot is back', () => stage.test.bots.isConnected(stage.scope.botId))
      await until('it plays on', async () => (await stage.type('queue', {}, { by: 1 })).text.includes('A'))
      await stage.type('play', { query: 'B' }, { by: 1 })
      await until('the card is there', () => stage.cards().map(textOf).join('').includes('**A**'))
    })

    it('says where it may not show the card, asks in vain for nothing, and continues when it may', async () => {
      await take()
      await deny(VIEW)
      const refused: string[] = []
      stage.sandbox.rest.onExchange(({ path, status }) => status === 403 && refused.push(path))
      const played = await stage.type('play', { query: 'A' }, { by: 1, locale: 'fr' })
      expect(played.text).to.contain(`Je ne peux pas afficher la carte dans <#${wishes}>`)
      expect((await stage.type('setup')).text).to.contain('I can’t post in that channel')
      expect(shown()).to.contain('Nothing is playing')
      await deny(0n)
      await until('it shows the music', () => shown().includes('**A**'))
      expect(refused.filter((path) => path.includes(wishes))).to.deep.equal([])
    })
  })

  describe('of a bot that may read messages', () => {
    beforeEach(() => open())

    it('takes what is written for a request, tidies it away, and answers for a moment', async () => {
      const answer = await take()
      expect(answer.text).to.contain('I delete these messages')
      expect(shown()).to.contain('You can also type a song name or link here.')
      await write('A')
      await write('<https://example.org/b.mp3>')
      await until('both are queued', async () => (await titles()) === 'A https://example.org/b.mp3')
      await until('they are gone', () => inside().every(({ author }) => author.id === stage.scope.botId))
      const wanted = [`<@${stage.ids[1]}> Now playing **A**`, '#1 in the queue']
      await until('both are answered', () => wanted.every((text) => answers().includes(text)))
      await until('the answers are gone, too', () => others().length === 0)
    })

    it('says why a request cannot be played, in the language of the guild, and to whom', async () => {
      await stage.type('settings language', { language: 'de' })
      await take()
      await write('nothing')
      await until('it is answered', () => others().some((one) => textOf(one).includes('“nothing”')))
      expect(others().map(textOf).join('\n')).to.contain(`<@${stage.ids[1]}>`).and.to.contain('Keine Treffer')
      await write('A', 3)
      await until('who is not in voice is told', () => others().some((one) => textOf(one).includes('Sprachkanal')))
    })

    it('leaves alone what is written elsewhere, and what other bots write', async () => {
      await take()
      await stage.write('A', { by: 1 })
      const [author] = [...stage.sandbox.world.applications.values()].map(({ user }) => user)
      if (!author) throw new Error('The bot has an account.')
      postMessage(stage.sandbox.world, { guild: stage.guild, channelId: wishes }, { author, draft: { content: 'B' } })
      await write('C')
      await until('the request plays', async () => (await titles()) === 'C')
      expect(stage.messages().map(({ content }) => content)).to.deep.equal(['A'])
      expect(inside().some(({ content }) => content === 'B')).to.equal(true)
    })

    it('stands again at once when its message is deleted', async () => {
      await take()
      expect((await isAtOnce('A')) || (await isAtOnce('B')) || (await isAtOnce('C'))).to.equal(true)
    })

    it('says at setup and once in the channel that it may not tidy up, and plays what is asked for', async () => {
      await deny(MANAGE_MESSAGES)
      expect((await take()).text).to.contain('Manage Messages')
      await write('A')
      await write('B')
      await until('both are queued', async () => (await titles()) === 'A B')
      await until('it says so', () => others().some((one) => textOf(one).includes('Manage Messages')))
      expect(inside().filter(({ content }) => ['A', 'B'].includes(content))).to.have.length(2)
      expect(others().filter((one) => textOf(one).includes('Manage Messages'))).to.have.length(1)
    })

    it('stays within Discord’s limits when members flood it, and tells them', async () => {
      stage.sandbox.world.rules.rateLimits = true
      await take()
      const statuses: number[] = []
      const posts: string[] = []
      stage.sandbox.rest.onExchange(({ method, path, status }) => {
        statuses.push(status)
        if (method === 'POST' && path.endsWith(`${wishes}/messages`)) posts.push(path)
      })
      for (let index = 0; index < 40; index += 1) await write(`T${index}`)
      await until('all are gone', () => inside().every(({ author }) => author.id === stage.scope.botId))
      await until('it said so', () => others().some((one) => textOf(one).includes('Too many requests')))
      expect(statuses).to.not.include(429)
      expect(posts.length).to.be.below(10)
    })

    it('logs in without the intent where Discord refuses it after all', async () => {
      await stage.test.bots.close()
      const [application] = [...stage.sandbox.world.applications.values()]
      stage.sandbox.rest.onExchange(({ path }) => {
        if (/applications\/(?:@|%40)me$/u.test(path) && application) application.privileged = 0
      })
      stage.test.restart()
      await until('the bot is connected', () => stage.test.bots.isConnected(stage.scope.botId))
      expect((await take()).text).to.contain('Message Content Intent')
    })
  })

  describe('in every language', () => {
    beforeEach(() => open({ messageContent: false }))

    for (const locale of LOCALES) {
      it(`speaks ${locale}: command, answers, card, buttons and form`, async () => {
        const words = WORDS[languageOf(locale)]
        await stage.type('settings language', { language: languageOf(locale) })
        const ready = await stage.type('setup', { channel: wishes }, { locale })
        expect(ready.text).to.equal(`${words.setup.ready({ channel: `<#${wishes}>` })}\n${words.setup.buttons}`)
        await until('the card stands', () => card() !== undefined)
        expect(shown()).to.equal(`💤 ${words.standing.idle}\n${words.standing.how}`)
        const labels = labelsOf(card().components)
        expect(new Set(labels).size).to.equal(8)
        const disabled = card().components.flatMap(({ components }: any) => components.map((one: any) => one.disabled))
        expect(disabled.filter(Boolean)).to.have.length(7)
        const form = await stage.press(card().id, 'add', { by: 1, locale })
        expect(form.whole.modal.title).to.equal(words.adding.title)
        await stage.send(form.whole.interactionId, { query: 'A B' })
        await until('it shows the queue', () => shown().includes(`📜 ${words.standing.queue}\n\`1.\` **B**`))
        const over = await stage.type('setup', { off: true }, { locale })
        expect(over.text).to.equal(words.setup.over({ channel: `<#${wishes}>` }))
        expect((await stage.type('setup', { off: true }, { locale })).text).to.equal(words.setup.none)
        expect((await stage.type('setup', {}, { locale })).text).to.equal(words.setup.mayNotMake)
      })
    }
  })
})
