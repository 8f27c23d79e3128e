import { expect } from 'chai'
import { until } from '../../support/bots.ts'
import { createMemberStage, textOf, type MemberStage } from '../../support/members.ts'

describe('/lyrics', () => {
  let stage: MemberStage
  beforeEach(async () => {
    stage = await createMemberStage()
    await stage.sit(1)
  })
  afterEach(() => stage.close())

  const play = (query: string) => stage.type('play', { query }, { by: 1 })
  const followed = () =>
    stage.messages().filter((message) => JSON.stringify(message.components ?? []).includes('"words"'))
  const now = () => /\*\*➤ (.*)\*\*/u.exec(textOf(followed()[0] ?? { content: '', embeds: [] }))?.[1] ?? null
  const seek = (positionMs: number) => stage.music.patch(stage.scope, stage.guild.id, { positionMs })

  const say = async (options = {}) => (await stage.type('lyrics', options, { by: 1 })).text
  const skip = () => stage.type('skip', {}, { by: 1 })

  it('shows the words to anyone who asks, page by page, and so does the button of the card', async () => {
    await play('long')
    const shown = await stage.type('lyrics', {}, { by: 2, locale: 'de' })
    expect(shown.isPrivate).to.equal(true)
    expect(shown.text).to.contain('line 1 of').and.to.contain('Songtext von LRCLIB').and.to.contain('Seite 1 von 3')
    expect(shown.customIds).to.deep.equal(['lyrics:2'])
    const second = await stage.press(shown.messageId, 'lyrics:2', { by: 2 })
    expect(second.text).to.contain('line 41 of').and.to.not.contain('line 40 ')
    await until('the card is there', () => stage.cards().length === 1)
    const pressed = await stage.press(stage.cards()[0].id, 'card:lyrics', { by: 2 })
    expect([pressed.isPrivate, pressed.text.includes('line 1 of')]).to.deep.equal([true, true])
  })

  it('says in words when there are none, no one sings, or no one can be asked', async () => {
    expect(await say()).to.contain('Nothing is playing')
    await play('unheard hum plain down')
    expect(await say()).to.equal('There are no lyrics for **unheard**.')
    await skip()
    expect(await say()).to.equal('**hum** is instrumental.')
    expect(await say({ follow: true })).to.equal('**hum** is instrumental.')
    await skip()
    expect(await say({ follow: true })).to.contain('can’t scroll with the music')
    await skip()
    expect(await say()).to.contain('service behind /lyrics')
  })

  it('follows the music in one message: line by line, over jumps, until the track ends', async () => {
    await play('song B')
    const shown = await stage.type('lyrics', {}, { by: 1 })
    expect((await stage.press(shown.messageId, 'follow', { by: 1 })).text).to.equal(
      'The lyrics now scroll with the music.',
    )
    const [{ id }] = followed()
    expect(textOf(followed()[0])).to.contain('**♪**')
    await seek(5200)
    await until('it is at the second line', () => now() === String.raw`line 2 of \*it\*`)
    await seek(20_100)
    await until('it has jumped', () => now() === String.raw`line 8 of \*it\*`)
    expect(followed().map((message) => message.id)).to.deep.equal([id])
    await skip()
    await until('it is gone with its track', () => followed().length === 0)
  })

  it('ends when any listener stops it, when the next one starts, and at a shutdown', async () => {
    await play('song')
    await stage.type('lyrics', { follow: true }, { by: 1 })
    const [first] = followed()
    expect((await stage.press(first.id, 'words', { by: 3 })).text).to.contain('Join that channel')
    await stage.type('lyrics', { follow: true }, { by: 1 })
    await until('there is another', () => followed().length === 1 && followed()[0].id !== first.id)
    await stage.press(followed()[0].id, 'words', { by: 1 })
    await until('it is gone', () => followed().length === 0)
    expect((await stage.type('lyrics', { follow: true }, { by: 3 })).text).to.contain('Join that channel')
    await stage.type('lyrics', { follow: true }, { by: 1 })
    await stage.test.bots.close()
    expect(followed()).to.deep.equal([])
    stage.test.restart()
  })

  it('says that it is over where a crash left a message behind', async () => {
    await play('song')
    await stage.type('lyrics', { follow: true }, { by: 1 })
    const [{ id }] = followed()
    const left = structuredClone(followed()[0])
    await stage.press(id, 'words', { by: 1 })
    await until('it is gone', () => followed().length === 0)
    stage.sandbox.world.messages.get(stage.sandbox.demo.textChannelId)?.set(id, left)
    await stage.press(id, 'words', { by: 1 })
    await until('it says so', () => stage.messages().some(({ content }) => content === 'This track has ended.'))
    expect(followed()).to.deep.equal([])
  })
})
