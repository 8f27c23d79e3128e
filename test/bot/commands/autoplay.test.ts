import { expect } from 'chai'
import type { Recommenders } from '../../../bot/tracks/recommenders.ts'
import { until } from '../../support/bots.ts'
import { createMemberStage, textOf, type MemberStage } from '../../support/members.ts'
import { trackNamed } from '../../support/stage.ts'

/** `B` to `E` go well with everything. */
const recommenders: Recommenders = {
  all: [
    {
      name: 'deezer',
      find: async () =>
        ['B', 'C', 'D', 'E'].map((name) => {
          const wanted = { ...trackNamed(name), author: `Artist ${name}` }
          return { wanted, track: null }
        }),
    },
  ],
  mirror: async ({ title, author }) => ({ ...trackNamed(title), author, source: 'local' }),
}

describe('autoplay in a server', () => {
  let stage: MemberStage
  beforeEach(async () => {
    stage = await createMemberStage({ recommenders })
    await stage.sit(1)
  })
  afterEach(() => stage.close())

  const card = () => stage.cards().map(textOf).join('\n')
  const info = () => stage.music.info(stage.scope, stage.guild.id)
  /** Play ID in the audio thread, updated a moment after the player has moved on. */
  const playId = () => stage.node.voices.get(stage.guild.id)?.play?.playId
  const play = async () => {
    await stage.type('play', { query: 'A' }, { by: 1 })
    await until('the card is there', () => stage.cards().length === 1)
  }

  it('is set on by a member, continues when the queue runs out, and the card says what comes and why', async () => {
    await play()
    const answer = await stage.type('autoplay', { on: true }, { by: 1 })
    expect(answer.text).to.equal(
      'Autoplay is on: similar tracks follow when the queue ends. Use /autoplay again to turn it off.',
    )
    await until('a track is chosen', async () => (await info()).suggestion !== null)
    const { title = '' } = (await info()).suggestion ?? {}
    await stage.type('volume', { percent: 60 }, { by: 1 })
    await until('the card says what comes', () => card().includes('✨ Up next') && card().includes(`**${title}**`))
    stage.node.finish(stage.guild.id)
    await until('the card says why', () => card().includes('✨ Autoplay: like **A**'))
    expect((await info()).current?.title).to.equal(title)
    await stage.type('settings language', { language: 'de' })
    await until('it says so in German', () => card().includes('Autoplay: passt zu **A**'))
    expect((await stage.type('autoplay', { on: false }, { by: 1, locale: 'fr' })).text).to.include('désactivée')
    stage.node.finish(stage.guild.id)
    await until('the music has ended', async () => (await info()).current === null)
  })

  it('says in the channel of the card when it finds nothing more, in the language of the server', async () => {
    await stage.type('settings autoplay', { on: true })
    await stage.type('settings language', { language: 'de' })
    await play()
    for (const _ of [1, 2, 3, 4]) {
      await until('a track is chosen', async () => (await info()).suggestion !== null)
      const { suggestion } = await info()
      const ended = playId()
      stage.node.finish(stage.guild.id)
      await until('it plays', async () => (await info()).current?.title === suggestion?.title && playId() !== ended)
    }
    const said = () => stage.messages().map(textOf).join('\n')
    await until('it says so', () => said().includes('Autoplay findet keine ähnlichen Titel mehr'))
    stage.node.finish(stage.guild.id)
    await until('the music has ended', async () => (await info()).current === null)
  })
})
