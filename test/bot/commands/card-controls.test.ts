import { expect } from 'chai'
import { WORDS } from '../../../bot/commands/common-text.ts'
import { languageOf } from '../../../lib/texts/languages.ts'
import { until } from '../../support/bots.ts'
import { createMemberStage, labelsOf, textOf, type MemberStage } from '../../support/members.ts'

const LOCALES = ['en-US', 'de', 'fr', 'es-ES', 'pt-BR', 'ja']

describe('the buttons of the now-playing card', () => {
  let stage: MemberStage
  beforeEach(async () => {
    stage = await createMemberStage()
    for (const member of [1, 2]) await stage.sit(member)
  })
  afterEach(() => stage.close())

  const shown = () => stage.cards().map(textOf).join('\n---\n')
  const play = async (query: string) => {
    await stage.type('play', { query }, { by: 1 })
    await until('the card is there', () => stage.cards().length === 1)
    return stage.cards()[0]
  }
  const info = () => stage.music.info(stage.scope, stage.guild.id)

  it('do what their commands do, by the same rules', async () => {
    const { id } = await play('A B C D')
    const press = (action: string, by = 1) => stage.press(id, `card:${action}`, { by, locale: 'de' })
    expect((await press('pause')).answer).to.equal('deferred update')
    expect((await info()).paused).to.equal(true)
    await press('pause')
    expect((await info()).paused).to.equal(false)
    const voted = await press('skip', 2)
    expect(voted.text).to.contain('A überspringen?').and.to.contain('**1 von 2** Stimmen')
    expect((await press('skip')).answer).to.equal('deferred update')
    await press('previous')
    expect((await info()).current?.title).to.equal('A')
    const queue = await press('queue')
    expect([queue.answer, queue.isPrivate]).to.deep.equal(['message', true])
    expect(queue.text).to.contain('Warteschlange')
    const form = await stage.press(id, 'add', { by: 1 })
    await stage.send(form.whole.interactionId, { query: 'E' })
    expect((await info()).queue.map(({ title }) => title)).to.include('E')
    const elsewhere = await press('stop', 3)
    expect([elsewhere.isPrivate, elsewhere.text.includes('Komm in diesen Kanal')]).to.deep.equal([true, true])
    expect((await press('stop')).text).to.contain('Beendet')
    await until('it is gone', () => stage.cards().length === 0)
  })

  it('lead to the rare ones behind “More”, in a panel that shows what each did', async () => {
    const { id } = await play('A B C D')
    const panel = await stage.press(id, 'card:more', { by: 1 })
    expect([panel.isPrivate, panel.text]).to.deep.equal([true, '⚙️ More controls\n🔊 100% · ➡️'])
    const press = (action: string, by = 1) => stage.press(panel.messageId, `more:${action}`, { by })
    expect((await press('loop')).text).to.contain('🔂')
    expect((await press('quieter')).text).to.contain('90%')
    expect((await press('mute')).text).to.contain('🔇')
    expect(await info()).to.include({ loop: 'track', volume: 90, muted: true })
    await press('mute')
    await press('louder')
    expect(await info()).to.include({ volume: 100, muted: false })
    const order = (await info()).queue.map(({ title }) => title)
    await press('shuffle')
    expect((await info()).queue.map(({ title }) => title)).to.have.members(order)
    await press('autoplay')
    expect((await info()).autoplay).to.equal(true)
    expect((await press('favourite')).text).to.contain('**A**')
  })

  it('show the code of an encrypted call to the member who asks for it', async () => {
    const { botId } = stage.scope
    const { id } = await play('A')
    const before = await stage.press(id, 'card:more', { by: 1 })
    expect(before.customIds).not.to.include('more:privacyCode')
    const code = '123456789012345678901234567890'
    stage.node.tell({ type: 'privacyCode', botId, guildId: stage.guild.id, code })
    const panel = await stage.press(id, 'card:more', { by: 2 })
    const asked = await stage.press(panel.messageId, 'more:privacyCode', { by: 2 })
    expect([asked.isPrivate, asked.text.includes('`12345 67890 12345 67890 12345 67890`')]).to.deep.equal([true, true])
    expect(shown()).not.to.contain('12345')
  })

  for (const locale of LOCALES) {
    it(`have labels on every button, panel and form in ${locale}, each of them its own`, async () => {
      await stage.type('settings language', { language: locale === 'en-US' ? 'en' : locale })
      await play('A B')
      const { botId } = stage.scope
      stage.node.tell({ type: 'privacyCode', botId, guildId: stage.guild.id, code: '123456789012345678901234567890' })
      const { id, components } = stage.cards()[0]
      const panel = await stage.press(id, 'card:more', { by: 1, locale })
      const { message } = panel.whole
      const labels = [...labelsOf(components), ...labelsOf((message ?? panel.whole.messages.at(-1)).components)]
      expect(labels).to.have.length(16)
      expect(new Set(labels).size, labels.join(', ')).to.equal(16)
      for (const label of labels) expect(label.length, label).to.be.within(1, 30)
      for (const action of ['loop', 'mute', 'quieter', 'louder', 'shuffle', 'autoplay', 'favourite', 'privacyCode']) {
        const pressed = await stage.press(panel.messageId, `more:${action}`, { by: 1, locale })
        expect(pressed.text, action).to.match(/\S{2}/u)
      }
      const form = await stage.press(id, 'add', { by: 1, locale })
      expect([form.answer, form.whole.modal.title]).to.deep.equal(['modal', WORDS[languageOf(locale)].adding.title])
      expect((await stage.send(form.whole.interactionId, { query: 'C' })).text).to.contain('**C**')
      for (const action of ['queue', 'lyrics', 'previous', 'pause', 'skip', 'stop']) {
        const { answer, text } = await stage.press(id, `card:${action}`, { by: 1, locale })
        if (answer !== 'deferred update') expect(text, action).to.match(/\S{2}/u)
      }
    })
  }
})
