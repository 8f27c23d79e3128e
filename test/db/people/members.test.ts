import { expect } from 'chai'
import sql, { join } from 'sql-template-tag'
import { createCardRecords, type CardRecords } from '../../../db/music/cards.ts'
import { createCollections, MOST_FAVOURITES, MOST_PLAYLISTS, type Collections } from '../../../db/music/collections.ts'
import { createGuildSettings, DEFAULT_SETTINGS, type GuildSettingsRecords } from '../../../db/music/guild-settings.ts'
import { Fault } from '../../../lib/errors.ts'
import { insertProject, removeBot } from '../../support/store-rows.ts'
import { describeOnEachEngine } from '../../support/stores.ts'

const BOTS = ['111111111111111111', '222222222222222222'] as const
/** Bot of another project. */
const FOREIGN = '666666666666666666'
const GUILD = '333333333333333333'
const [BOT, OTHER] = BOTS
const who = { botId: BOT, userId: '444444444444444444' }
const strangers = [
  { botId: FOREIGN, userId: who.userId },
  { botId: BOT, userId: '555555555555555555' },
]

async function refuses(work: Promise<unknown>, message: string): Promise<void> {
  const fault = await work.catch((error: unknown) => error)
  expect(fault).to.be.instanceOf(Fault)
  expect((fault as Fault).message).to.include(message)
}

describeOnEachEngine('What members set and keep', (opened) => {
  let settings: GuildSettingsRecords
  let collections: Collections
  let cards: CardRecords
  beforeEach(async () => {
    const { store } = opened
    await insertProject(store, 'prj_ours', BOTS)
    await insertProject(store, 'prj_theirs', [FOREIGN])
    settings = createGuildSettings(store)
    collections = createCollections(store)
    cards = createCardRecords(store)
  })

  it('is at its defaults until it is set, for one guild and the bots of one project', async () => {
    expect(await settings.get(BOT, GUILD)).to.deep.equal(DEFAULT_SETTINGS)
    const changed = await settings.change(BOT, GUILD, { voteRatio: 0.25, fair: true, djRoleId: '9' })
    expect(changed).to.deep.equal({ ...DEFAULT_SETTINGS, voteRatio: 0.25, fair: true, djRoleId: '9' })
    await settings.change(BOT, GUILD, { djRoleId: null, mostPerMember: 5 })
    expect(await settings.get(BOT, GUILD)).to.include({ voteRatio: 0.25, djRoleId: null, mostPerMember: 5 })
    expect(await settings.get(OTHER, GUILD)).to.include({ voteRatio: 0.25, djRoleId: null, mostPerMember: 5 })
    expect(await settings.get(FOREIGN, GUILD)).to.deep.equal(DEFAULT_SETTINGS)
    expect(await settings.get(BOT, '777')).to.deep.equal(DEFAULT_SETTINGS)
    await settings.reset(BOT, GUILD)
    expect(await settings.get(BOT, GUILD)).to.deep.equal(DEFAULT_SETTINGS)
  })

  it('keeps every setting as it was set', async () => {
    const all = {
      ...DEFAULT_SETTINGS,
      djRoleId: '1',
      permissions: { skip: 'everyone' },
      stays: true,
      volume: 33.5,
      announceChannelId: '2',
      language: 'ja',
      duplicates: false,
      levelled: false,
      screenshots: false,
      areasOff: ['gestures'],
      autoplay: true,
      sponsorBlock: ['sponsor', 'intro'],
      crossfadeMs: 3000,
      fadeMs: 0,
    } as const
    await settings.change(BOT, GUILD, all)
    expect(await settings.get(BOT, GUILD)).to.deep.equal(all)
  })

  it('loses no change of settings that are changed at the same time', async () => {
    const names = ['skip', 'stop', 'seek', 'pause', 'loop']
    const changes = names.map((name) =>
      settings.change(BOT, GUILD, ({ permissions }) => ({ permissions: { ...permissions, [name]: 'dj' } })),
    )
    await Promise.all([...changes, settings.change(OTHER, GUILD, { volume: 50 })])
    const set = await settings.get(OTHER, GUILD)
    expect([Object.keys(set.permissions).toSorted(), set.volume]).to.deep.equal([names.toSorted(), 50])
  })

  it('belongs to one member of one project, with all of its bots', async () => {
    expect(await collections.addFavourite(who, 'A')).to.equal(true)
    expect(await collections.addFavourite(who, 'A')).to.equal(false)
    await collections.savePlaylist(who, { name: 'Mine', tracks: ['A', 'B'] })
    for (const stranger of strangers) {
      expect(await collections.favourites(stranger)).to.deep.equal([])
      expect(await collections.findPlaylist(stranger, 'Mine')).to.equal(null)
      expect(await collections.deletePlaylist(stranger, 'Mine')).to.equal(false)
      expect(await collections.removeFavourite(stranger, 'A')).to.equal(false)
    }
    const withOther = { ...who, botId: OTHER }
    expect(await collections.addFavourite(withOther, 'A')).to.equal(false)
    expect(await collections.favourites(withOther)).to.deep.equal(['A'])
    await collections.savePlaylist(withOther, { name: 'MINE', tracks: ['C'] })
    expect(await collections.listPlaylists(who)).to.deep.equal([{ name: 'MINE', count: 1 }])
    await collections.savePlaylist(who, { name: 'Mine', tracks: ['A', 'B'] })
    expect(await collections.favourites(who)).to.deep.equal(['A'])
    expect(await collections.findPlaylist(withOther, 'MINE')).to.deep.equal({ name: 'Mine', tracks: ['A', 'B'] })
    expect(await collections.deletePlaylist(withOther, 'mine')).to.equal(true)
    expect(await collections.removeFavourite(withOther, 'A')).to.equal(true)
  })

  it('is listed in order: favourites the newest first, playlists by name', async () => {
    let now = 0
    const dated = createCollections(opened.store, () => (now += 1))
    for (const track of ['A', 'B', 'C']) await dated.addFavourite(who, track)
    for (const name of ['walk', 'Sleep', 'run']) await dated.savePlaylist(who, { name, tracks: [name] })
    expect(await dated.favourites(who, 2)).to.deep.equal(['C', 'B'])
    expect((await dated.listPlaylists(who)).map(({ name }) => name)).to.deep.equal(['run', 'Sleep', 'walk'])
  })

  it('is bounded, also for those who add at the same time: what is one too many is refused', async () => {
    const rows = Array.from({ length: MOST_FAVOURITES - 1 }, (_, i) => sql`(${BOT}, ${who.userId}, ${`track ${i}`}, 0)`)
    await opened.store.run(sql`INSERT INTO favourite (bot_id, user_id, track, added_at_ms) VALUES ${join(rows)}`)
    const added = await Promise.allSettled(['x', 'y', 'z'].map((track) => collections.addFavourite(who, track)))
    expect(added.filter(({ status }) => status === 'fulfilled')).to.have.length(1)
    await refuses(collections.addFavourite(who, 'one more'), 'Favourites limit reached (500)')
    expect(await collections.addFavourite(who, 'track 0')).to.equal(false)
    expect(await collections.favourites(who)).to.have.length(MOST_FAVOURITES)
  })

  it('is bounded in playlists, of which one takes the place of the one that has its name', async () => {
    for (let i = 0; i < MOST_PLAYLISTS; i += 1) await collections.savePlaylist(who, { name: `list ${i}`, tracks: [] })
    await refuses(collections.savePlaylist(who, { name: 'one more', tracks: [] }), 'Playlist limit reached')
    await collections.savePlaylist(who, { name: 'LIST 0', tracks: ['A'] })
    expect(await collections.listPlaylists(who)).to.have.length(MOST_PLAYLISTS)
    expect(await collections.findPlaylist(who, 'list 0')).to.deep.equal({ name: 'LIST 0', tracks: ['A'] })
  })

  it('adds to a playlist up to its bound, and renames it, known by any bot of the project', async () => {
    const withOther = { ...who, botId: OTHER }
    await collections.addToPlaylist(who, { name: 'Mine', tracks: ['A'] })
    await collections.addToPlaylist(withOther, { name: 'MINE', tracks: ['B', 'A'] })
    expect(await collections.findPlaylist(who, 'mine')).to.deep.equal({ name: 'Mine', tracks: ['A', 'B', 'A'] })
    const many = Array.from({ length: 998 }, (_, i) => `track ${i}`)
    await refuses(collections.addToPlaylist(who, { name: 'Mine', tracks: many }), 'at most 1000 tracks')
    await collections.savePlaylist(who, { name: 'Other', tracks: [] })
    expect(await collections.renamePlaylist(withOther, 'mine', 'OTHER')).to.equal('taken')
    expect(await collections.renamePlaylist(withOther, 'mine', 'MINE')).to.equal('renamed')
    expect(await collections.renamePlaylist(who, 'none', 'x')).to.equal('missing')
    expect((await collections.listPlaylists(who)).map(({ name }) => name)).to.deep.equal(['MINE', 'Other'])
  })

  it('gives a request channel to one bot', async () => {
    const place = { guildId: GUILD, channelId: '6', messageId: null, isStanding: true }
    await cards.save(BOT, place)
    expect([await cards.findOwner('6'), await cards.findOwner('7')]).to.deep.equal([BOT, null])
    expect(await cards.find(BOT, GUILD)).to.deep.equal(place)
    expect(await cards.save(OTHER, { ...place }).catch((error: unknown) => error)).to.be.an('error')
    await cards.save(BOT, { ...place, isStanding: false })
    expect(await cards.findOwner('6')).to.equal(null)
    await cards.remove(BOT, GUILD)
    expect(await cards.find(BOT, GUILD)).to.equal(null)
  })

  it('goes with its bot', async () => {
    const card = { guildId: GUILD, channelId: '6', messageId: '7', isStanding: false }
    await settings.change(BOT, GUILD, { stays: true })
    await collections.addFavourite(who, 'A')
    await cards.save(BOT, card)
    await removeBot(opened.store, BOT)
    expect((await settings.get(BOT, GUILD)).stays).to.equal(false)
    expect([await collections.favourites(who), await cards.list(BOT)]).to.deep.equal([[], []])
    await cards.save(BOT, card)
    expect(await cards.list(BOT)).to.deep.equal([])
  })
})
