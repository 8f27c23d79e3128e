import { expect } from 'chai'
import { createLibraryRecords } from '../../../db/music/library.ts'
import { createPlayHistory, MAX_PLAYS, type Play, type PlayHistory } from '../../../db/music/play-history.ts'
import { temporaryDatabase } from '../../support/database.ts'
import { UNTAGGED } from '../../support/library-rows.ts'
import { insertBot, insertProject, removeBot } from '../../support/store-rows.ts'
import { describeOnEachEngine } from '../../support/stores.ts'

const BOT = '111111111111111111'
const GUILD = { botId: BOT, guildId: '333333333333333333' }
const OTHER = { botId: BOT, guildId: '444444444444444444' }

const FILE = {
  ...UNTAGGED,
  sizeBytes: 1,
  modifiedAtMs: 1,
  lengthMs: 1000,
  isrc: null,
  probe: 'ogg',
  codec: 'ogg-opus' as const,
}

function play(song: string, more: Partial<Play> = {}): Play {
  const common = { requesterId: null, provider: null, startedAtMs: 1, heardMs: 200_000, lengthMs: 200_000 }
  return { track: `token of ${song}`, song, artist: 'a', ...common, ended: 'finished', ...more }
}

describeOnEachEngine('The history of a guild', (opened) => {
  let history: PlayHistory
  beforeEach(async () => {
    await insertProject(opened.store, 'prj_ours', [BOT])
    history = createPlayHistory(opened.store)
  })

  it('lists what was played, the newest first, one guild apart from the others', async () => {
    const asked = play('b', { requesterId: '5', heardMs: 1234.6, ended: 'skipped' })
    await history.add(GUILD, play('a'))
    await history.add(OTHER, play('x'))
    await history.add(GUILD, asked)
    expect(await history.list(GUILD, 10)).to.deep.equal([{ ...asked, heardMs: 1235 }, play('a')])
    expect(await history.list(GUILD, 1)).to.have.length(1)
  })

  it('keeps the newest of each guild only', async () => {
    await history.add(OTHER, play('x'))
    await opened.store.atomically(async () => {
      for (let at = 0; at < MAX_PLAYS + 20; at += 1) await history.add(GUILD, play(`s${at}`))
    })
    const all = await history.list(GUILD, MAX_PLAYS + 20)
    expect([all.length, all[0]?.song, all.at(-1)?.song]).to.deep.equal([MAX_PLAYS, `s${MAX_PLAYS + 19}`, 's20'])
    expect(await history.list(OTHER, 5)).to.have.length(1)
    expect(await history.hasAny(['other', BOT])).to.equal(true)
  })

  it('goes with its bot, and takes nothing in for one that is gone', async () => {
    await history.add(GUILD, play('a'))
    await removeBot(opened.store, BOT)
    await history.add(GUILD, play('b'))
    await insertBot(opened.store, 'prj_ours', BOT)
    expect(await history.list(GUILD, 5)).to.deep.equal([])
    expect([await history.hasAny([BOT]), await history.hasAny([])]).to.deep.equal([false, false])
  })

  it('knows what was liked soon after a song, the most often first', async () => {
    for (const song of ['seed', 'a', 'b', 'c', 'd', 'seed', 'b', 'seed', 'b']) await history.add(GUILD, play(song))
    await history.add(GUILD, play('skipped', { heardMs: 1000, ended: 'skipped' }))
    await history.add(GUILD, play('recommended', { provider: 'deezer' }))
    await history.add(GUILD, play('half', { heardMs: 100_000, ended: 'skipped' }))
    await history.add(OTHER, play('x'))
    expect(await history.following(GUILD, 'seed', 9)).to.deep.equal(
      ['b', 'half', 'a', 'c'].map((it) => `token of ${it}`),
    )
    expect(await history.following(GUILD, 'seed', 1)).to.deep.equal(['token of b'])
    expect(await history.following(OTHER, 'seed', 9)).to.deep.equal([])
  })
})

describe('kinship within the library', () => {
  const { store, close } = temporaryDatabase()
  const library = createLibraryRecords(store)
  after(close)

  const put = (path: string, author: string, genre: string | null, album: string | null = null) =>
    library.put([
      {
        ...FILE,
        path,
        title: path,
        author,
        album,
        genre,
      },
    ])

  it('is by artist, album, genre and folder, and by chance at the end', async () => {
    await put('one/seed.ogg', 'Ann', 'Jazz', 'Night')
    await put('two/same artist.ogg', 'Ann', 'Rock')
    await put('two/same album.ogg', 'Bea', null, 'Night')
    await put('two/same genre.ogg', 'Cay', 'Jazz')
    await put('one/same folder.ogg', 'Dot', null)
    await put('one/sub/deeper.ogg', 'Eve', null)
    await put('onex/not there.ogg', 'Fay', null)
    const [{ id } = { id: '' }] = await library.search('seed', 1)
    const found = await library.similar({ id, author: 'Ann' }, 20)
    const shared = Object.fromEntries(found.map(({ path, shares }) => [path, shares]))
    expect(shared).to.deep.equal({
      'two/same artist.ogg': 'artist',
      'two/same album.ogg': 'album',
      'two/same genre.ogg': 'genre',
      'one/same folder.ogg': 'folder',
      'one/sub/deeper.ogg': 'folder',
      'onex/not there.ogg': null,
    })
    const foreign = await library.similar({ id: null, author: 'Cay' }, 20)
    expect(foreign.filter(({ shares }) => shares !== null).map(({ path }) => path)).to.deep.equal([
      'two/same genre.ogg',
    ])
    expect(foreign).to.have.length(7)
    expect(await library.similar({ id, author: '' }, 2)).to.have.length(2)
  })
})
