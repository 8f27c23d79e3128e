import { expect } from 'chai'
import { LANGUAGES } from '../../../lib/texts/languages.ts'
import { until } from '../../support/bots.ts'
import { createMemberStage, type MemberStage, type Seen } from '../../support/members.ts'

function menuOf({ whole }: Seen) {
  const [row] = (whole.message ?? whole.messages.at(-1)).components
  return row.components[0]
}

function valuesOf(seen: Seen, ...names: readonly string[]) {
  return names.map((name) => menuOf(seen).options.find(({ label }: { label: string }) => label.startsWith(name)).value)
}

describe('/search and /history', () => {
  let stage: MemberStage
  beforeEach(async () => {
    stage = await createMemberStage()
  })
  afterEach(() => stage.close())

  const titles = async () => {
    const { current, queue } = await stage.music.queue(stage.scope, stage.guild.id)
    return [current, ...queue].map((track) => track?.title ?? '-').join(' ')
  }
  const playThrough = async (query: string, count: number) => {
    await stage.type('play', { query })
    for (let i = 0; i < count; i++) {
      await until('it plays', () => stage.node.voices.get(stage.guild.id)?.play !== null)
      await stage.music.skip(stage.scope, stage.guild.id)
    }
  }

  it('shows what is found to the member alone, who chooses one or several', async () => {
    await stage.sit(1)
    const found = await stage.type('search', { query: 'night day noon' }, { by: 1 })
    expect(found.isPrivate).to.equal(true)
    expect(found.text).to.contain('Results for “night day noon”').and.contain('`3.` **noon** `1:00`')
    expect(menuOf(found).max_values).to.equal(3)
    expect(
      (await stage.choose(found.messageId, menuOf(found).custom_id, valuesOf(found, 'day'), { by: 1 })).text,
    ).to.match(/Now playing/u)
    const two = valuesOf(found, 'night', 'noon')
    const queued = await stage.choose(found.messageId, menuOf(found).custom_id, two, { by: 1 })
    expect(queued.text).to.equal('Added 2 tracks, starting with **night**')
    expect(await titles()).to.equal('day night noon')
    expect((await stage.music.requesters(stage.scope, stage.guild.id)).queue).to.deep.equal([
      stage.ids[1],
      stage.ids[1],
    ])
  })

  it('puts what is chosen where it was meant to go, and asks one source alone where it was told to', async () => {
    await stage.sit(0)
    await stage.type('play', { query: 'a b' })
    const found = await stage.type('search', { query: 'c d', when: 'next', source: 'local' })
    await stage.choose(found.messageId, menuOf(found).custom_id, valuesOf(found, 'c', 'd'))
    expect(await titles()).to.equal('a c d b')
    expect((await stage.complete('search', 'source', 'lo')).choices.map(({ value }) => value)).to.deep.equal(['local'])
  })

  it('wants the member to listen before it plays what was chosen', async () => {
    const found = await stage.type('search', { query: 'a' }, { by: 1 })
    const refused = await stage.choose(found.messageId, menuOf(found).custom_id, valuesOf(found, 'a'), { by: 1 })
    expect(refused.text).to.equal('Join a voice channel, then try again.')
  })

  it('lists what was played, the newest first, by whom, page by page, and plays several of it again', async () => {
    await stage.sit(0)
    expect((await stage.type('history')).text).to.equal('Nothing has been played here yet.')
    await playThrough(Array.from({ length: 12 }, (_, i) => `t${i}.`).join(' '), 12)
    const first = await stage.type('history')
    expect(first.isPrivate).to.equal(true)
    expect(first.text).to.match(new RegExp(`<t:\\d+:R> \\*\\*t11\\.\\*\\* · <@${stage.ids[0]}>\\n.*t10`, 'u'))
    expect(first.text).not.to.contain('t1.')
    await stage.choose(first.messageId, 'replay', valuesOf(first, 't11.', 't5.'))
    expect(await titles()).to.equal('t11. t5.')
    const second = await stage.press(first.messageId, 'history:2')
    expect(second.text).to.contain('t1.').and.not.contain('t11.')
  })

  it('speak every language', async () => {
    await stage.sit(0)
    await playThrough('a', 1)
    for (const language of LANGUAGES) {
      const said = await stage.type('history', {}, { locale: language === 'en' ? 'en-US' : language })
      const found = await stage.type('search', { query: 'a' }, { locale: language === 'en' ? 'en-US' : language })
      const placeholders = [menuOf(said).placeholder, menuOf(found).placeholder]
      expect(new Set([...placeholders, said.text, found.text]).size, language).to.equal(4)
      if (language !== 'en') expect(placeholders.join(), language).not.to.match(/Choose|again/u)
    }
  })
})
