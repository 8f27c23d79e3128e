import { expect } from 'chai'
import { createBotRecords } from '../../../db/projects/bots.ts'
import { createCardRecords } from '../../../db/music/cards.ts'
import { createCollections, MOST_FAVOURITES, MOST_PLAYLISTS } from '../../../db/music/collections.ts'
import { createGuildSettings, DEFAULT_SETTINGS } from '../../../db/music/guild-settings.ts'
import { createProjects } from '../../../db/projects/projects.ts'
import { createVault } from '../../../db/engine/vault.ts'
import { Fault } from '../../../lib/errors.ts'
import { temporaryDatabase } from '../../support/database.ts'

const BOTS = ['111111111111111111', '222222222222222222'] as const
/** Of another project. */
const FOREIGN = '666666666666666666'
const GUILD = '333333333333333333'
const [BOT, OTHER] = BOTS

describe('what members set and keep', () => {
  const { db, dataDir, close } = temporaryDatabase()
  const bots = createBotRecords(db, createVault({ tokenKey: null, dataDir }))
  const settings = createGuildSettings(db)
  const collections = createCollections(db)
  const cards = createCardRecords(db)
  const who = { botId: BOT, userId: '444444444444444444' }
  const strangers = [
    { botId: FOREIGN, userId: who.userId },
    { botId: BOT, userId: '555555555555555555' },
  ]
  let projectId: string
  after(close)
  beforeEach(() => {
    for (const bot of bots.listAll()) bots.remove(bot.projectId, bot.id)
    projectId = createProjects(db).create({ name: 'Ours', plan: 'free' }).id
    for (const id of BOTS) bots.add({ id, projectId, name: 'Band', token: `token of ${id}` })
    const foreign = createProjects(db).create({ name: 'Theirs', plan: 'free' }).id
    bots.add({ id: FOREIGN, projectId: foreign, name: 'Band', token: 'token of a foreign one' })
  })

  it('is at its defaults until it is set, for one guild and the bots of one project', () => {
    expect(settings.get(BOT, GUILD)).to.deep.equal(DEFAULT_SETTINGS)
    const changed = settings.change(BOT, GUILD, { voteRatio: 0.25, fair: true, djRoleId: '9' })
    expect(changed).to.deep.equal({ ...DEFAULT_SETTINGS, voteRatio: 0.25, fair: true, djRoleId: '9' })
    settings.change(BOT, GUILD, { djRoleId: null, mostPerMember: 5 })
    expect(settings.get(BOT, GUILD)).to.include({ voteRatio: 0.25, djRoleId: null, mostPerMember: 5 })
    expect(settings.get(OTHER, GUILD)).to.include({ voteRatio: 0.25, djRoleId: null, mostPerMember: 5 })
    expect(settings.get(FOREIGN, GUILD)).to.deep.equal(DEFAULT_SETTINGS)
    expect(settings.get(BOT, '777')).to.deep.equal(DEFAULT_SETTINGS)
    settings.reset(BOT, GUILD)
    expect(settings.get(BOT, GUILD)).to.deep.equal(DEFAULT_SETTINGS)
  })

  it('belongs to one member of one project, with all of its bots', () => {
    expect(collections.addFavourite(who, 'A')).to.equal(true)
    expect(collections.addFavourite(who, 'A')).to.equal(false)
    collections.savePlaylist(who, { name: 'Mine', tracks: ['A', 'B'] })
    for (const stranger of strangers) {
      expect(collections.favourites(stranger)).to.deep.equal([])
      expect(collections.findPlaylist(stranger, 'Mine')).to.equal(null)
      expect(collections.deletePlaylist(stranger, 'Mine')).to.equal(false)
      expect(collections.removeFavourite(stranger, 'A')).to.equal(false)
    }
    const withOther = { ...who, botId: OTHER }
    expect(collections.addFavourite(withOther, 'A')).to.equal(false)
    expect(collections.favourites(withOther)).to.deep.equal(['A'])
    collections.savePlaylist(withOther, { name: 'MINE', tracks: ['C'] })
    expect(collections.listPlaylists(who)).to.deep.equal([{ name: 'MINE', count: 1 }])
    collections.savePlaylist(who, { name: 'Mine', tracks: ['A', 'B'] })
    expect(collections.favourites(who)).to.deep.equal(['A'])
    expect(collections.findPlaylist(withOther, 'MINE')).to.deep.equal({ name: 'Mine', tracks: ['A', 'B'] })
  })

  it('is bounded: what is one too many is refused and leaves everything as it was', () => {
    for (let i = 0; i < MOST_FAVOURITES; i += 1) collections.addFavourite(who, `track ${i}`)
    expect(() => collections.addFavourite(who, 'one more')).to.throw(Fault, '500 favourites')
    expect(collections.addFavourite(who, 'track 0')).to.equal(false)
    expect(collections.favourites(who)).to.have.length(MOST_FAVOURITES)
    for (let i = 0; i < MOST_PLAYLISTS; i += 1) collections.savePlaylist(who, { name: `list ${i}`, tracks: [] })
    expect(() => collections.savePlaylist(who, { name: 'one more', tracks: [] })).to.throw(
      Fault,
      'playlists, the maximum',
    )
    collections.savePlaylist(who, { name: 'LIST 0', tracks: ['A'] })
    expect(collections.listPlaylists(who)).to.have.length(MOST_PLAYLISTS)
  })

  it('gives a request channel to one bot', () => {
    const place = { guildId: GUILD, channelId: '6', messageId: null, isStanding: true }
    cards.save(BOT, place)
    expect([cards.findOwner('6'), cards.findOwner('7'), cards.find(BOT, GUILD)]).to.deep.equal([BOT, null, place])
    cards.save(BOT, { ...place, isStanding: false })
    expect(cards.findOwner('6')).to.equal(null)
  })

  it('goes with its bot', () => {
    settings.change(BOT, GUILD, { stays: true })
    collections.addFavourite(who, 'A')
    cards.save(BOT, { guildId: GUILD, channelId: '6', messageId: '7', isStanding: false })
    bots.remove(projectId, BOT)
    expect([settings.get(BOT, GUILD).stays, collections.favourites(who), cards.list(BOT)]).to.deep.equal([
      false,
      [],
      [],
    ])
    cards.save(BOT, { guildId: GUILD, channelId: '6', messageId: '7', isStanding: false })
    expect(cards.list(BOT)).to.deep.equal([])
  })
})
