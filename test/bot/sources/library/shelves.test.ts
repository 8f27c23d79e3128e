import { expect } from 'chai'
import { createLibraryRecords, type LibraryRecords, type NewLibraryTrack } from '../../../../db/music/library.ts'
import { createSources } from '../../../../bot/sources/index.ts'
import { createReader } from '../../../../bot/sources/library/reader.ts'
import type { ListKind, Sources } from '../../../../bot/sources/source.ts'
import { createLog } from '../../../../lib/log.ts'
import { makeAudio } from '../../../support/audio-files.ts'
import { closing } from '../../../support/closing.ts'
import { temporaryDatabase, temporaryFolder } from '../../../support/database.ts'
import { UNTAGGED } from '../../../support/library-rows.ts'
import { eventually } from '../../../support/service.ts'
import { faultOf } from '../../../support/web.ts'

const { signal } = new AbortController()
const FILE = {
  ...UNTAGGED,
  sizeBytes: 1,
  modifiedAtMs: 1,
  lengthMs: 1000,
  isrc: null,
  probe: 'mp3',
  codec: 'other',
} as const

function row(path: string, tags: Partial<NewLibraryTrack>): NewLibraryTrack {
  return { ...FILE, path, title: path, author: 'Unknown artist', album: null, genre: null, ...tags }
}

describe('the shelves of the library', () => {
  const own = closing()
  let records: LibraryRecords
  beforeEach(() => {
    records = createLibraryRecords(own(temporaryDatabase()).store)
  })

  const albums = async (page: { text?: string; artist?: string } = {}) => {
    const found = await records.shelves.albums({ limit: 50, ...page })
    return found.map(({ title, artist, trackCount }) => [title, artist, trackCount])
  }
  const artists = async (text = '') =>
    (await records.shelves.artists({ text, limit: 50 })).map(({ name, trackCount }) => [name, trackCount])

  it('hold albums by whose they are: one over several discs, and two of one name apart', async () => {
    await records.put([
      row('q/cd1/1.mp3', {
        author: 'The Quays',
        albumArtist: 'The Quays',
        album: 'Harbour',
        discNumber: 1,
        trackNumber: 2,
      }),
      row('q/cd2/1.mp3', {
        author: 'The Quays feat. Ann',
        albumArtist: 'The Quays',
        album: 'Harbour',
        discNumber: 2,
        trackNumber: 1,
      }),
      row('q/cd1/0.mp3', {
        author: 'The Quays',
        albumArtist: 'The Quays',
        album: 'Harbour',
        discNumber: 1,
        trackNumber: 10,
      }),
      row('hits/1.mp3', { author: 'Björk', album: 'Greatest Hits' }),
      row('other/1.mp3', { author: 'Ann', album: 'Greatest Hits' }),
      row('other/2.mp3', { author: 'Bea', album: 'Greatest Hits' }),
      row('single.mp3', { author: 'Cay' }),
    ])
    expect(await albums()).to.have.deep.members([
      ['Greatest Hits', 'Björk', 1],
      ['Greatest Hits', null, 2],
      ['Harbour', 'The Quays', 3],
    ])
    expect(await artists()).to.deep.equal([
      ['Ann', 1],
      ['Bea', 1],
      ['Björk', 1],
      ['Cay', 1],
      ['The Quays', 3],
    ])
    const [harbour] = await records.shelves.albums({ text: 'harb', limit: 1 })
    const order = (await records.shelves.albumTracks(harbour?.id ?? '', 9)).map(({ path }) => path)
    expect(order).to.deep.equal(['q/cd1/1.mp3', 'q/cd1/0.mp3', 'q/cd2/1.mp3'])
    expect((await records.shelves.artistTracks('The Quays', 2)).map(({ path }) => path)).to.deep.equal(
      order.slice(0, 2),
    )
  })

  it('are searched like tracks: without accents, by beginnings, by artist', async () => {
    await records.put([
      row('a.mp3', { author: 'Björk', album: 'Homogenic' }),
      row('b/b.mp3', { author: 'Ann', album: 'Home' }),
    ])
    expect(await artists('bjo')).to.deep.equal([['Björk', 1]])
    expect(await artists('bjork x')).to.deep.equal([])
    expect(await artists('?!')).to.deep.equal([])
    expect(await albums({ text: 'hom' })).to.have.length(2)
    expect(await albums({ text: 'bjork homogenic' })).to.deep.equal([['Homogenic', 'Björk', 1]])
    expect(await albums({ artist: 'Ann' })).to.deep.equal([['Home', 'Ann', 1]])
    expect(await albums({ artist: 'Ann', text: 'homogenic' })).to.deep.equal([])
  })

  it('take ten thousand files of one album, and still know whose it is', async () => {
    const paths = Array.from({ length: 10_000 }, (_, n) => `all/${n}.mp3`)
    for (let at = 0; at < paths.length; at += 500)
      await records.put(paths.slice(at, at + 500).map((path) => row(path, { author: 'Ann', album: 'Music' })))
    expect(await albums()).to.deep.equal([['Music', 'Ann', 10_000]])
    await records.put([row('all/x.mp3', { author: 'Bea', album: 'Music' })])
    expect(await albums()).to.deep.equal([['Music', null, 10_001]])
  })

  it('follow files that change and go, and keep nothing empty', async () => {
    await records.put([
      row('a/1.mp3', { author: 'Ann', album: 'One' }),
      row('a/2.mp3', { author: 'Ann', album: 'One' }),
    ])
    await records.put([row('a/1.mp3', { author: 'Bea', album: 'One' })])
    expect(await albums()).to.deep.equal([['One', null, 2]])
    await records.put([row('a/2.mp3', { author: 'Bea', album: 'One' })])
    expect(await albums()).to.deep.equal([['One', 'Bea', 2]])
    await records.put([row('a/2.mp3', { author: 'Bea', album: 'Two' })])
    expect(await albums()).to.deep.equal([
      ['One', 'Bea', 1],
      ['Two', 'Bea', 1],
    ])
    await records.remove(['a/1.mp3', 'a/2.mp3'])
    const left = [await albums(), await artists(), await albums({ text: 'one' }), await artists('bea')]
    expect(left).to.deep.equal([[], [], [], []])
  })

  it('name what plays: an album in its order, or all of an artist', async () => {
    const folder = temporaryFolder()
    own({ close: folder.remove })
    const song = (name: string, tags: Readonly<Record<string, string>>) =>
      makeAudio(`${folder.path}/${name}.mp3`, { seconds: 0.3, tags: { artist: 'AC/DC & Friends', ...tags } })
    song('z', { title: 'First', album: 'Volts', track: '1/2' })
    song('a', { title: 'Second', album: 'Volts', track: '2/2' })
    song('m', { title: 'Alone' })
    const log = createLog('silent')
    const reader = own(createReader({ allowHosts: [], log }))
    const library = { folders: [folder.path], records }
    const sources: Sources = own(
      await createSources({ names: ['library', 'http'], library, reader, allowHosts: [], log }),
    )
    await eventually(
      () => records.count(),
      (count) => count === 3,
    )
    const lists = (kind: ListKind, text = '') => sources.lists({ kind, text, limit: 5, offset: 0, signal })
    const play = async (uri: string) => (await sources.find(uri, signal)).tracks.map(({ title }) => title)
    const [album] = await lists('album', 'volts')
    expect(album).to.include({ title: 'Volts', author: 'AC/DC & Friends', trackCount: 2, source: 'library' })
    expect(await play(album?.uri ?? '')).to.deep.equal(['First', 'Second'])
    const [artist] = await lists('artist')
    expect(artist?.uri).to.equal('library://artist/AC%2FDC%20%26%20Friends')
    expect(await play(artist?.uri ?? '')).to.deep.equal(['First', 'Second', 'Alone'])
    expect(await lists('playlist')).to.deep.equal([])
    for (const uri of ['library://album/none', 'library://artist/', 'library://song/x', 'library://album/%ff']) {
      expect((await faultOf(sources.find(uri, signal))).reason, uri).to.equal('nothing_found')
    }
  })
})
