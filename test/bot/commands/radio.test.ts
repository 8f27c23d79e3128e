import { expect } from 'chai'
import type { Sources } from '../../../bot/sources/source.ts'
import { encodeToken } from '../../../bot/tracks/track-token.ts'
import { createMemberStage, type MemberStage } from '../../support/members.ts'
import { testSources, trackNamed } from '../../support/stage.ts'

/** A directory with two stations, of which every search finds those whose names begin so. */
const stations = ['Nordic Jazz', 'Nordic Folk'].map((title) =>
  Object.assign(trackNamed('radio'), {
    title,
    identifier: title,
    author: 'Norway',
    sourceName: 'radio',
    probe: null,
  }),
)
const withRadio: Sources = {
  ...testSources,
  names: ['local', 'radio'],
  search: async (text, { limit, source, signal }) => {
    if (source !== 'radio') return testSources.search(text, { limit, signal })
    const found = stations.filter(({ title }) => title.toLowerCase().startsWith(text.toLowerCase()))
    return found.slice(0, limit).map((it) => Object.assign({}, it, { source: 'radio' }))
  },
}

describe('/radio', () => {
  let stage: MemberStage
  const open = async (sources?: Sources) => {
    stage = await createMemberStage(sources ? { sources } : {})
    await stage.sit(1)
  }
  afterEach(() => stage.close())

  it('offers stations while a member types, and plays exactly what was chosen', async () => {
    await open(withRadio)
    const { choices } = await stage.complete('radio', 'station', 'nordic', { by: 1 })
    expect(choices.map(({ name }) => name)).to.deep.equal(['Nordic Jazz · Norway', 'Nordic Folk · Norway'])
    const answer = await stage.type('radio', { station: choices[1]?.value }, { by: 1 })
    expect(answer.text).to.contain('Nordic Folk')
    expect((await stage.music.info(stage.scope, stage.guild.id)).current).to.include({
      title: 'Nordic Folk',
      isStream: true,
    })
    // Elsewhere the same words mean all sources.
    expect((await stage.complete('play', 'query', 'nordic', { by: 1 })).choices[0]?.name).to.equal('nordic · somebody')
  })

  it('finds a station by what was typed, and says when there is none', async () => {
    await open(withRadio)
    expect((await stage.type('radio', { station: 'nordic j' }, { by: 1 })).text).to.contain('Nordic Jazz')
    const none = await stage.type('radio', { station: 'polka' }, { by: 1, locale: 'fr' })
    expect([none.text, none.isPrivate]).to.deep.equal(['Aucune radio ne s’appelle «\u00A0polka\u00A0».', true])
    expect((await stage.type('radio', { station: 'nordic' }, { by: 2 })).text).to.contain('Join that channel')
  })

  it('offers the stations that a member keeps, before anything is typed and first', async () => {
    await open(withRadio)
    const [jazz, folk] = stations
    for (const info of [trackNamed('A'), folk!])
      await stage.test.collections.addFavourite(
        { botId: stage.scope.botId, userId: stage.ids[1] ?? '' },
        encodeToken(info),
      )
    expect((await stage.complete('radio', 'station', '', { by: 1 })).choices.map(({ name }) => name)).to.deep.equal([
      '⭐ Nordic Folk · Norway',
    ])
    const { choices } = await stage.complete('radio', 'station', 'nordic', { by: 1 })
    expect(choices.map(({ name }) => name)).to.deep.equal(['⭐ Nordic Folk · Norway', `${jazz?.title} · Norway`])
    expect((await stage.complete('radio', 'station', '', { by: 2 })).choices).to.deep.equal([])
    expect((await stage.type('radio', { station: choices[0]?.value }, { by: 1 })).text).to.contain('Nordic Folk')
  })

  it('says so where there is no directory of stations', async () => {
    await open()
    expect((await stage.type('radio', { station: 'x' }, { by: 1 })).text).to.equal(
      'Radio search isn’t available on this bot.',
    )
  })
})
