import { expect } from 'chai'
import {
  createPlayerStates,
  type PlayerChange,
  type PlayerStates,
  type SavedPlayer,
} from '../../../db/music/players.ts'
import { createShardLeases } from '../../../db/shard-leases.ts'
import { insertProject, removeBot } from '../../support/store-rows.ts'
import { describeOnEachEngine } from '../../support/stores.ts'

const BOT = '222222222222222222'
const GUILD = '333333333333333333'

function player(more: Partial<SavedPlayer> = {}): SavedPlayer {
  return {
    projectId: 'prj_one',
    botId: BOT,
    guildId: GUILD,
    channelId: '444444444444444444',
    current: 'QAAAtoken',
    queue: ['one', 'two'],
    past: ['zero'],
    recommendation: { provider: 'library', because: 'genre', of: 'Jazz' },
    requesterIds: ['555555555555555555', null, '666666666666666666'],
    positionMs: 1234.5,
    volume: 12.5,
    muted: true,
    volumeBeforeMute: 12.5,
    paused: false,
    loop: 'queue',
    nextTrack: 'three',
    sleep: { endsAtMs: 5 },
    filters: { speed: 1.25 },
    ...more,
  }
}

const saving = (state: SavedPlayer, lease = 0): PlayerChange => ({ ...state, state, lease })
const removing = (state: SavedPlayer, lease = 0): PlayerChange => ({ ...state, state: null, lease })

describeOnEachEngine('Saved players', (opened) => {
  let players: PlayerStates
  beforeEach(async () => {
    await insertProject(opened.store, 'prj_one', [BOT])
    await insertProject(opened.store, 'prj_two')
    players = createPlayerStates(opened.store)
  })

  const list = () => players.list('prj_one', BOT)

  it('come back as they were, to the millisecond', async () => {
    await players.write([saving(player())])
    expect(await list()).to.deep.equal([player({ positionMs: 1235 })])
    const silent = { queue: [], current: null, muted: false, volumeBeforeMute: null, paused: true, sleep: null }
    await players.write([saving(player({ ...silent, recommendation: null, nextTrack: null }))])
    expect((await list())[0]).to.deep.include({ ...silent, recommendation: null, nextTrack: null })
    expect(await players.list('prj_two', BOT)).to.deep.equal([])
  })

  it('are listed for some guilds alone', async () => {
    await players.write([saving(player()), saving(player({ guildId: '7' })), saving(player({ guildId: '8' }))])
    const some = await players.list('prj_one', BOT, ['8', GUILD, 'unknown'])
    expect(some.map(({ guildId }) => guildId).toSorted()).to.deep.equal([GUILD, '8'])
    expect(await players.list('prj_one', BOT, [])).to.deep.equal([])
  })

  it('have their positions saved alone, any number in one write', async () => {
    const guildIds = Array.from({ length: 120 }, (_, at) => String(1000 + at))
    await players.write(guildIds.map((guildId) => saving(player({ guildId }))))
    const moved = guildIds.map((guildId, at) => ({ ...player({ guildId }), positionMs: at + 0.2, lease: 0 }))
    await players.savePositions([...moved, { ...player({ guildId: '5' }), positionMs: 5, lease: 0 }])
    await players.savePositions([{ ...player({ guildId: '1000' }), projectId: 'prj_two', positionMs: 77, lease: 0 }])
    expect((await list()).map(({ positionMs }) => positionMs)).to.deep.equal(guildIds.map((_, at) => at))
  })

  it('say how long ago they were saved, or their positions', async () => {
    await players.write([saving(player()), saving(player({ guildId: '7' }))])
    const ages = await players.ages(BOT, [GUILD, '7', '8'])
    expect([...ages.keys()].toSorted()).to.deep.equal([GUILD, '7'])
    for (const ageMs of ages.values()) expect(ageMs).to.be.within(0, 60_000)
  })

  it('are removed, and with their bot', async () => {
    await players.write([saving(player())])
    await players.write([removing(player({ projectId: 'prj_two' }))])
    expect(await list()).to.have.length(1)
    await players.write([removing(player())])
    expect(await list()).to.have.length(0)
    await players.write([saving(player())])
    await removeBot(opened.store, BOT)
    expect(await players.write([saving(player())])).to.deep.equal([])
    expect(await list()).to.have.length(0)
  })

  it('are not saved by who has an older lease, nor removed, nor moved', async () => {
    const other = player({ guildId: '7' })
    await players.write([saving(player(), 5), saving(other, 5)])
    await players.claim(BOT, [GUILD], 6)
    const late = [saving(player({ volume: 99 }), 5), removing(player(), 5), saving(other, 5)]
    expect(await players.write(late)).to.deep.equal(late.slice(0, 2))
    await players.savePositions([{ ...player(), positionMs: 9, lease: 5 }])
    expect((await list())[0]).to.include({ volume: 12.5, positionMs: 1235 })
    await players.claim(BOT, undefined, 4)
    expect(await players.write([saving(player({ volume: 99 }), 6), saving(other, 5)])).to.deep.equal([])
    expect((await list())[0]).to.include({ volume: 99 })
  })

  it('are not written again by a former owner of their shard after the present one has ended them', async () => {
    const leases = createShardLeases(opened.store, { serviceId: 'b', lifeMs: 3000 })
    const elsewhere = player({ guildId: String(BigInt(GUILD) + (1n << 22n)) })
    await players.write([saving(player(), 5)])
    await leases.claim([{ key: `${BOT}:4:${(BigInt(GUILD) >> 22n) % 4n}`, token: 6 }])
    expect(await players.write([removing(player(), 6)])).to.deep.equal([])
    const late = saving(player(), 5)
    expect(await players.write([late, saving(elsewhere, 5)])).to.deep.equal([late])
    expect((await list()).map(({ guildId }) => guildId)).to.deep.equal([elsewhere.guildId])
  })

  it('are saved all or none', async () => {
    const broken = saving(player({ guildId: '7', positionMs: 0, volume: 500 }))
    expect(await players.write([saving(player()), broken]).catch((error: unknown) => error)).to.be.an('error')
    expect(await list()).to.have.length(0)
  })
})
