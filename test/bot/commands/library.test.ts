import { expect } from 'chai'
import type { FoundList, ListRequest, Sources } from '../../../bot/sources/source.ts'
import { createMemberStage, type MemberStage } from '../../support/members.ts'
import { testSources, trackNamed } from '../../support/stage.ts'

const LISTS: readonly (FoundList & { readonly source: string })[] = [
  {
    kind: 'album',
    title: 'Harbour',
    author: 'The Quays',
    trackCount: 2,
    uri: 'library://album/1',
    artworkUrl: null,
    source: 'library',
  },
  {
    kind: 'album',
    title: 'Harbour Live',
    author: null,
    trackCount: 9,
    uri: 'library://album/2',
    artworkUrl: null,
    source: 'library',
  },
  {
    kind: 'artist',
    title: 'The Quays',
    author: null,
    trackCount: 11,
    uri: 'library://artist/The%20Quays',
    artworkUrl: null,
    source: 'library',
  },
  // Longer than a choice may be.
  {
    kind: 'podcast',
    title: 'Tide Tables',
    author: 'Radio',
    trackCount: null,
    uri: `podcast://a.example/${'x'.repeat(200)}.xml`,
    artworkUrl: null,
    source: 'podcast',
  },
]

describe('/library and /podcast', () => {
  let stage: MemberStage
  let asked: ListRequest[]
  let played: string[]

  const sources: Sources = {
    ...testSources,
    names: ['library', 'podcast'],
    lists: async (request) => {
      asked.push(request)
      const words = request.text.toLowerCase()
      const found = LISTS.filter(({ kind, title }) => kind === request.kind && title.toLowerCase().includes(words))
      return found.slice(0, request.limit)
    },
    find: async (query) => {
      played.push(query)
      return { tracks: [trackNamed('one'), trackNamed('two')], playlist: 'A list' }
    },
  }

  beforeEach(async () => {
    ;[asked, played] = [[], []]
    stage = await createMemberStage({ sources })
    await stage.sit(1)
  })
  afterEach(() => stage.close())

  it('offers what there is, before anything is typed, and plays all of what was chosen', async () => {
    const { choices } = await stage.complete('library album', 'name', '', { by: 1 })
    expect(choices.map(({ name }) => name)).to.deep.equal(['Harbour · The Quays', 'Harbour Live'])
    const answer = await stage.type('library album', { name: choices[1]?.value }, { by: 1 })
    expect([played, answer.isPrivate]).to.deep.equal([['library://album/2'], false])
    expect((await stage.music.info(stage.scope, stage.guild.id)).queue).to.have.length(1)
  })

  it('takes words for the first that has them, and says where there is none in the language of the member', async () => {
    await stage.type('library artist', { name: 'quays' }, { by: 1 })
    expect(played).to.deep.equal(['library://artist/The%20Quays'])
    const none = await stage.type('library playlist', { name: 'polka' }, { by: 1, locale: 'de' })
    expect([none.text, none.isPrivate]).to.deep.equal(['Keine Treffer. Prüfe die Schreibweise.', true])
    expect((await stage.type('library album', { name: 'harbour' }, { by: 2 })).text).to.contain('Join that channel')
  })

  it('plays the newest episode of a show, or as many as are asked for, by name or by feed', async () => {
    const { choices } = await stage.complete('podcast', 'show', 'tide', { by: 1 })
    await stage.type('podcast', { show: choices[0]?.value }, { by: 1 })
    await stage.type('podcast', { show: 'https://show.example/feed.xml#old', episodes: 3 }, { by: 1 })
    expect(played).to.deep.equal([`${LISTS[3]?.uri}#newest=1`, 'https://show.example/feed.xml#newest=3'])
  })

  it('asks the directory of podcasts for no address, and for no less than three letters', async () => {
    for (const typed of ['', 'ti', 'https://show.example/feed.xml'])
      expect((await stage.complete('podcast', 'show', typed, { by: 1 })).choices).to.deep.equal([])
    expect(asked).to.deep.equal([])
  })
})
