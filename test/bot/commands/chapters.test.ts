import { expect } from 'chai'
import type { Sources } from '../../../bot/sources/source.ts'
import { until } from '../../support/bots.ts'
import { createMemberStage, textOf, type MemberStage } from '../../support/members.ts'
import { testSources } from '../../support/stage.ts'

const LOCALES = ['en-US', 'de', 'fr', 'es-ES', 'pt-BR', 'ja']

/** `long` has 60 chapters of a second each, some with names that Discord would read as markup. */
const sources: Sources = {
  ...testSources,
  chapters: async (track, signal) =>
    track.identifier === 'long'
      ? Array.from({ length: 60 }, (_, index) => ({ title: `*Part* ${index + 1}`, startMs: index * 1000 }))
      : testSources.chapters(track, signal),
}

describe('chapters in a server', () => {
  let stage: MemberStage
  beforeEach(async () => {
    stage = await createMemberStage({ sources })
    await stage.sit(1)
  })
  afterEach(() => stage.close())

  const info = () => stage.music.info(stage.scope, stage.guild.id)
  const play = async (query: string) => {
    await stage.type('play', { query }, { by: 1 })
    await until('the chapters are read', async () => (await info()).chapters.length > 0)
  }

  it('are on the card, in a list, and lead to their places', async () => {
    await play('book')
    await until('the card names the chapter', () => stage.cards().some((card) => textOf(card).includes('🔖 1/3 · One')))
    const listed = await stage.type('chapters', {}, { by: 1 })
    expect(listed.isPrivate).to.equal(true)
    expect(textOf(listed.whole.message)).to.include('▶️ **`0:00` 1. One**').and.to.include('`0:20` 2. Two')
    const chosen = await stage.choose(listed.messageId, 'chapter:1', ['3'], { by: 1 })
    expect(textOf(chosen.whole.message)).to.include('▶️ **`0:40` 3. Three**')
    expect((await info()).positionMs).to.be.at.least(40_000)
    await until('the card follows', () => stage.cards().some((card) => textOf(card).includes('🔖 3/3 · Three')))
  })

  it('come in pages of 25, the first one with what sounds', async () => {
    await play('long')
    const listed = await stage.type('chapters', {}, { by: 1 })
    expect(listed.whole.message.components[0].components[0].options).to.have.length(25)
    expect(textOf(listed.whole.message))
      .to.include('Page 1 of 3 · 60 chapters')
      .and.to.include(String.raw`\*Part\* 25`)
    await stage.press(listed.messageId, 'chapters:2', { by: 1 })
    const last = await stage.press(listed.messageId, 'chapters:3', { by: 1 })
    expect(last.whole.message.components[0].components[0].options).to.have.length(10)
    await stage.type('seek', { time: '0:30' }, { by: 1 })
    expect(textOf((await stage.type('chapters', {}, { by: 1 })).whole.message)).to.include('Page 2 of 3')
  })

  it('are told of in the language of the member where there are none', async () => {
    expect((await stage.type('chapters', {}, { by: 1 })).text).to.include('Nothing is playing')
    await stage.type('play', { query: 'A' }, { by: 1 })
    const said = new Set<string>()
    for (const locale of LOCALES) said.add((await stage.type('chapters', {}, { by: 1, locale })).text)
    expect(said.size).to.equal(LOCALES.length)
    expect([...said]).to.include('Dieser Titel hat keine Kapitel.')
    await stage.type('skip', {}, { by: 1 })
    await play('book')
    const menus = new Set<string>()
    for (const locale of LOCALES) {
      const { components } = (await stage.type('chapters', {}, { by: 1, locale })).whole.message
      menus.add(components[0].components[0].placeholder)
    }
    expect(menus.size).to.equal(LOCALES.length)
  })

  it('are changed by those alone who may seek', async () => {
    await play('book')
    await stage.sit(2)
    await stage.giveRole(2)
    const roleId = await stage.giveRole(2)
    await stage.type('settings dj', { role: roleId })
    const listed = await stage.type('chapters', {}, { by: 3 })
    const refused = await stage.choose(listed.messageId, 'chapter:1', ['2'], { by: 3 })
    expect(refused.isPrivate).to.equal(true)
    expect((await info()).positionMs).to.be.below(20_000)
  })
})
