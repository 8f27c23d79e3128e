import { expect } from 'chai'
import { Fault, SOURCE_REASONS } from '../../../lib/errors.ts'
import { until } from '../../support/bots.ts'
import { createMemberStage, type MemberStage } from '../../support/members.ts'
import { trackNamed, testSources } from '../../support/stage.ts'

/** Members use slash commands in the stand-in Discord; the real discord.js hears of them. */
describe('commands', () => {
  let stage: MemberStage
  beforeEach(async () => {
    stage = await createMemberStage()
  })
  afterEach(() => stage.close())

  const titles = async () => {
    const { current, queue } = await stage.music.queue(stage.scope, stage.guild.id)
    return [current?.title ?? '-', ...queue.map(({ title }) => title)].join(' ')
  }

  describe('/play', () => {
    it('plays in the channel of the member who asks, and queues behind what plays', async () => {
      await stage.sit(0)
      const first = await stage.type('play', { query: 'A' })
      expect(first.text).to.match(/^🎵 Now playing\n\*\*A\*\*\n/u)
      expect(first.isPrivate).to.equal(false)
      expect(stage.node.calls).to.include(`join ${stage.sandbox.demo.voiceChannelId}`)
      expect((await stage.type('play', { query: 'B' })).text).to.equal('Added **B** · #1 in the queue')
      expect((await stage.type('play', { query: 'C D' })).text).to.equal('Added 2 tracks, starting with **C**')
      expect(await titles()).to.equal('A B C D')
    })

    it('wants a member who listens, in their own language and for their eyes alone', async () => {
      const refused = await stage.type('play', { query: 'A' }, { locale: 'de' })
      expect(refused.text).to.match(/^Tritt einem Sprachkanal bei/)
      expect(refused.isPrivate).to.equal(true)
      expect(stage.node.calls).to.deep.equal([])
    })

    it('says where the music plays to a member elsewhere; managers pass', async () => {
      await stage.sit(1)
      await stage.type('play', { query: 'A' }, { by: 1 })
      await stage.sit(2, stage.sandbox.demo.secondVoiceChannelId)
      const elsewhere = await stage.type('play', { query: 'B' }, { by: 2 })
      expect(elsewhere.text).to.contain(`<#${stage.sandbox.demo.voiceChannelId}>`)
      expect(elsewhere.isPrivate).to.equal(true)
      await stage.type('play', { query: 'C' }, { by: 0 })
      expect(await titles()).to.equal('A C')
    })

    it('says so when nothing is found', async () => {
      await stage.sit(0)
      const refused = await stage.type('play', { query: 'nothing' }, { locale: 'fr' })
      expect(refused.text).to.match(/^Aucun résultat/)
      expect(refused.isPrivate).to.equal(true)
    })

    it('says of everything that cannot be played why, in the language of the member', async () => {
      await stage.close()
      const reasons = [...SOURCE_REASONS]
      const find = async (query: string) => {
        const reason = reasons.find((one) => one === query)
        throw new Fault('validation_error', 'In English.', { reason, source: 'youtube' })
      }
      stage = await createMemberStage({ sources: { ...testSources, find } })
      await stage.sit(0)
      for (const locale of ['en-US', 'de', 'es-ES', 'fr', 'ja', 'pt-BR']) {
        const said = new Set<string>()
        for (const query of reasons) said.add((await stage.type('play', { query }, { locale })).text)
        expect(said.size, locale).to.equal(reasons.length)
        for (const text of said) expect(text, locale).to.contain('YouTube').and.have.length.above(15)
      }
      const said = async (query: string, locale: string) => (await stage.type('play', { query }, { locale })).text
      expect(await said('source_off', 'de')).to.contain('ausgeschaltet')
      expect(await said('age', 'en-US')).to.contain('age-restricted')
      expect(await said('region', 'en-US')).not.to.contain('spelling')
    })

    it('offers what a search finds while the member types, and plays exactly what was chosen', async () => {
      await stage.sit(0)
      const { choices } = await stage.complete('play', 'query', 'night day')
      expect(choices.map(({ name }) => name)).to.deep.equal(['night · somebody', 'day · somebody'])
      const [, day] = choices
      expect(day?.value).to.match(/^day #[\w-]{12}$/)
      await stage.type('play', { query: day?.value })
      expect(await titles()).to.equal('day')
      expect((await stage.complete('play', 'query', 'https://example.org/x')).choices).to.deep.equal([])
    })

    it('puts a track ahead of what waits, or plays it at once', async () => {
      await stage.sit(0)
      await stage.type('play', { query: 'a b' })
      expect((await stage.type('play', { query: 'c', when: 'next' })).text).to.equal('Added **c** · #1 in the queue')
      expect((await stage.type('play', { query: 'd', when: 'now' })).text).to.match(/Now playing\n\*\*d\*\*/u)
      const { current, queue } = await stage.music.queue(stage.scope, stage.guild.id)
      expect([current, ...queue].map((track) => track?.title)).to.deep.equal(['d', 'c', 'b'])
    })

    it('needs a song, so that apps open the field, and offers the last tracks while it is empty', async () => {
      const refused = await stage.type('play', {}).catch(String)
      expect(refused).to.contain('Option \\"query\\" is required')
      const offered = async () => (await stage.complete('play', 'query', '')).choices.map(({ name }) => name)
      expect(await offered()).to.deep.equal([])
      await stage.sit(0)
      await stage.type('play', { query: 'kept' })
      await stage.type('favourites add')
      for (const query of ['A', 'B', 'A']) await stage.type('play', { query, when: 'now' })
      await until('the plays are known', async () => (await offered()).length === 3)
      expect(await offered()).to.deep.equal(['B · somebody', 'A · somebody', 'kept · somebody'])
      const [, { value } = { value: '' }] = (await stage.complete('play', 'query', ' ')).choices
      expect((await stage.type('play', { query: value })).text).to.equal('Added **A** · #1 in the queue')
    })

    it('calls no one and links nowhere unexpected, no matter what a title is', async () => {
      await stage.sit(0)
      const { text } = await stage.type('play', { query: '@everyone_*x*_](https://evil.example)' })
      expect(text).to.match(/\\\]\(https:\u200B\/\/evil/u)
      expect(text).to.contain(String.raw`\*x\*`)
      expect(stage.messages().at(-1)?.mention_everyone).to.equal(false)
    })

    it('shows no preview and no invite of an address in a title', async () => {
      await stage.sit(0)
      const addresses = ['https://evil.example/page', 'discord.gg/abcdef', 'DISCORD.com/invite/abcdef', 'http://[::1]/']
      for (const address of addresses) {
        const { text } = await stage.type('play', { query: `listen|${address}` })
        expect(text).to.contain('listen')
        expect(text, address).not.to.match(/https?:\/\/(?!player\.test)|discord\S*\.(?:gg|com)\//iu)
      }
    })
  })

  describe('/play-file', () => {
    it('plays a music file that was sent along, and takes nothing else', async () => {
      await stage.sit(0)
      const song = { name: 'song.mp3', type: 'audio/mpeg', base64: Buffer.from('a song').toString('base64') }
      await stage.type('play', { query: 'a b' })
      const next = await stage.type('play-file', { file: song, when: 'next' })
      expect(next.text).to.match(/^Added \*\*http:.*\/attach.* · #1 in the queue/u)
      const picture = { ...song, name: 'cat.png', type: 'image/png' }
      expect((await stage.type('play-file', { file: picture })).text).to.equal('This isn’t a music file.')
      expect(await stage.type('play-file', {}).catch(String)).to.contain('Option \\"file\\" is required')
    })
  })

  describe('/skip', () => {
    it('skips at once for the requester of the track, and says when the queue is empty', async () => {
      await stage.sit(1)
      await stage.sit(2)
      await stage.sit(3)
      await stage.type('play', { query: 'A B' }, { by: 1 })
      expect((await stage.type('skip', {}, { by: 1 })).text).to.equal('Skipped. Now playing **B**')
      expect((await stage.type('skip', {}, { by: 1 })).text).to.equal('Skipped. The queue is empty.')
      const refused = await stage.type('skip', {}, { by: 1, locale: 'ja' })
      expect([refused.text, refused.isPrivate]).to.deep.equal(['何も再生していません。', true])
    })

    it('asks the listeners otherwise: half of them, each once, and only those who listen', async () => {
      for (const member of [1, 2, 3, 4]) await stage.sit(member)
      await stage.music.play(stage.scope, stage.guild.id, {
        query: 'A B C',
        channelId: stage.sandbox.demo.voiceChannelId,
      })
      const vote = (by: number) => stage.type('skip', {}, { by })
      expect((await vote(1)).text).to.contain('**1 of 2** votes')
      expect((await vote(1)).text).to.equal('Your vote counts: 1 of 2.')
      await stage.sit(1, null)
      expect((await vote(2)).text).to.contain('1 of 2')
      expect((await vote(3)).text).to.equal('Skipped. Now playing **B**')
      expect((await vote(3)).text).to.contain('1 of 2')
    })

    it('is a manager’s right, and no one’s who does not listen', async () => {
      for (const member of [1, 2, 3]) await stage.sit(member)
      await stage.type('play', { query: 'A B C' }, { by: 1 })
      expect((await stage.type('skip', {}, { by: 4 })).text).to.contain('Join that channel')
      expect((await stage.type('skip', {}, { by: 0 })).text).to.equal('Skipped. Now playing **B**')
    })

    it('has a way back', async () => {
      await stage.sit(1)
      await stage.type('play', { query: 'A B' }, { by: 1 })
      const refused = await stage.type('previous', {}, { by: 1, locale: 'es-419' })
      expect(refused.text).to.equal('No hay ninguna pista anterior.')
      await stage.type('skip', {}, { by: 1 })
      expect((await stage.type('previous', {}, { by: 1 })).text).to.equal('Back to **A**')
      expect(await titles()).to.equal('A B')
    })
  })

  describe('/queue', () => {
    it('shows pages with buttons to the others, and who asked for what', async () => {
      await stage.sit(1)
      const names = Array.from({ length: 26 }, (_, index) => `track${index}`).join(' ')
      await stage.type('play', { query: names }, { by: 1 })
      const first = await stage.type('queue', {}, { by: 2 })
      expect(first.isPrivate).to.equal(true)
      expect(first.text).to.contain('Now playing: **track0**')
      expect(first.text).to.contain(`\`1.\` **track1** \`1:00\` · <@${stage.ids[1]}>`)
      expect(first.text).to.contain('Page 1 of 3 · 25 tracks · 2')
      expect(first.customIds).to.deep.equal(['add', 'queue:2'])
      const second = await stage.press(first.messageId, 'queue:2', { by: 2, locale: 'pt-BR' })
      expect(second.answer).to.equal('update')
      expect(second.text).to.contain('`11.` **track11**').and.to.contain('Página 2 de 3')
      expect(second.customIds).to.deep.equal(['add', 'queue:1', 'queue:3'])
      const last = await stage.type('queue', { page: 99 }, { by: 2 })
      expect(last.text).to.contain('Page 3 of 3')
    })

    it('has a button that opens a form, and what is written there is queued', async () => {
      await stage.sit(1)
      await stage.type('play', { query: 'A' }, { by: 1 })
      const { messageId } = await stage.type('queue', {}, { by: 1 })
      const { whole } = await stage.press(messageId, 'add', { by: 1, locale: 'fr' })
      expect(whole.modal.title).to.equal('Ajouter à la file')
      const sent = await stage.send(whole.interactionId, { query: ' B ' })
      expect([sent.text, sent.isPrivate]).to.deep.equal(['Added **B** · #1 in the queue', false])
      const { messageId: again } = await stage.type('queue', {}, { by: 2 })
      expect((await stage.press(again, 'add', { by: 2 })).text).to.contain('Join that channel')
    })

    it('says when there is no player', async () => {
      expect((await stage.type('queue')).text).to.equal('Nothing is playing. Start something with /play.')
    })
  })
})

describe('a command', () => {
  it('is answered in time and then in full, however slow the source is', async () => {
    const stage = await createMemberStage({
      sources: {
        ...testSources,
        async find(query) {
          await new Promise((resolve) => setTimeout(resolve, 3300))
          return { tracks: [trackNamed(query)], playlist: null }
        },
        search: async () => new Promise(() => undefined),
      },
    })
    try {
      await stage.sit(0)
      const [played, suggested] = await Promise.all([
        stage.type('play', { query: 'slow' }),
        stage.complete('play', 'query', 'slow'),
      ])
      expect(played.answer).to.equal('deferred message')
      expect(played.text).to.match(/^🎵 Now playing\n\*\*slow\*\*\n/u)
      expect(suggested.choices).to.deep.equal([])
    } finally {
      await stage.close()
    }
  })

  it('that fails unexpectedly says so with a reference, and the bot lives on', async () => {
    const stage = await createMemberStage({
      sources: {
        ...testSources,
        find: async () => {
          throw new TypeError('a bug')
        },
      },
    })
    try {
      await stage.sit(0)
      const { text, isPrivate } = await stage.type('play', { query: 'A' }, { locale: 'de' })
      expect(text).to.match(/^Da ist etwas schiefgegangen.*\d{17,20}\.$/)
      expect(text).not.to.contain('a bug')
      expect(isPrivate).to.equal(true)
      expect((await stage.type('queue')).text).to.contain('Nothing is playing')
    } finally {
      await stage.close()
    }
  })
})
