import { expect } from 'chai'
import { createLibraryRecords } from '../../../db/music/library.ts'
import { createPlayHistory, MAX_PLAYS, type Play } from '../../../db/music/play-history.ts'
import { createBotRecords } from '../../../db/projects/bots.ts'
import { createProjects } from '../../../db/projects/projects.ts'
import { createVault } from '../../../db/engine/vault.ts'
import { temporaryDatabase } from '../../support/database.ts'
import { UNTAGGED } from '../../support/library-rows.ts'

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

describe('the history of a guild', () => {
  const { db, dataDir, close } = temporaryDatabase()
  const history = createPlayHistory(db)
  const bots = createBotRecords(db, createVault({ tokenKey: null, dataDir }))
  let projectId: string
  after(close)
  beforeEach(() => {
    for (const bot of bots.listAll()) bots.remove(bot.projectId, bot.id)
    projectId = createProjects(db).create({ name: 'Ours', plan: 'free' }).id
    bots.add({ id: BOT, projectId, name: 'Band', token: 'token' })
  })

  it('lists what was played, the newest first, one guild apart from the others', () => {
    const asked = play('b', { requesterId: '5', heardMs: 1234.6, ended: 'skipped' })
    history.add(GUILD, play('a'))
    history.add(OTHER, play('x'))
    history.add(GUILD, asked)
    expect(history.list(GUILD, 10)).to.deep.equal([{ ...asked, heardMs: 1235 }, play('a')])
    expect(history.list(GUILD, 1)).to.have.length(1)
  })

  it('keeps the newest of each guild only', () => {
    history.add(OTHER, play('x'))
    for (let at = 0; at < MAX_PLAYS + 20; at += 1) history.add(GUILD, play(`s${at}`))
    const all = history.list(GUILD, MAX_PLAYS + 20)
    expect([all.length, all[0]?.song, all.at(-1)?.song]).to.deep.equal([MAX_PLAYS, `s${MAX_PLAYS + 19}`, 's20'])
    expect(history.list(OTHER, 5)).to.have.length(1)
  })

  it('goes with its bot, and takes nothing in for one that is gone', () => {
    history.add(GUILD, play('a'))
    bots.remove(projectId, BOT)
    history.add(GUILD, play('b'))
    bots.add({ id: BOT, projectId, name: 'Band', token: 'token' })
    expect(history.list(GUILD, 5)).to.deep.equal([])
  })

  it('knows what was liked soon after a song, the most often first', () => {
    for (const song of ['seed', 'a', 'b', 'c', 'd', 'seed', 'b', 'seed', 'b']) history.add(GUILD, play(song))
    history.add(GUILD, play('skipped', { heardMs: 1000, ended: 'skipped' }))
    history.add(GUILD, play('recommended', { provider: 'deezer' }))
    history.add(GUILD, play('half', { heardMs: 100_000, ended: 'skipped' }))
    history.add(OTHER, play('x'))
    expect(history.following(GUILD, 'seed', 9)).to.deep.equal(['b', 'half', 'a', 'c'].map((it) => `token of ${it}`))
    expect(history.following(GUILD, 'seed', 1)).to.deep.equal(['token of b'])
    expect(history.following(OTHER, 'seed', 9)).to.deep.equal([])
  })
})

describe('kinship within the library', () => {
  const { db, close } = temporaryDatabase()
  const library = createLibraryRecords(db)
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

  it('is by artist, album, genre and folder, and by chance at the end', () => {
    put('one/seed.ogg', 'Ann', 'Jazz', 'Night')
    put('two/same artist.ogg', 'Ann', 'Rock')
    put('two/same album.ogg', 'Bea', null, 'Night')
    put('two/same genre.ogg', 'Cay', 'Jazz')
    put('one/same folder.ogg', 'Dot', null)
    put('one/sub/deeper.ogg', 'Eve', null)
    put('onex/not there.ogg', 'Fay', null)
    const [{ id } = { id: '' }] = library.search('seed', 1)
    const found = library.similar({ id, author: 'Ann' }, 20)
    const shared = Object.fromEntries(found.map(({ path, shares }) => [path, shares]))
    expect(shared).to.deep.equal({
      'two/same artist.ogg': 'artist',
      'two/same album.ogg': 'album',
      'two/same genre.ogg': 'genre',
      'one/same folder.ogg': 'folder',
      'one/sub/deeper.ogg': 'folder',
      'onex/not there.ogg': null,
    })
    const foreign = library.similar({ id: null, author: 'Cay' }, 20)
    expect(foreign.filter(({ shares }) => shares !== null).map(({ path }) => path)).to.deep.equal([
      'two/same genre.ogg',
    ])
    expect(foreign).to.have.length(7)
    expect(library.similar({ id, author: '' }, 2)).to.have.length(2)
  })
})
