import { expect } from 'chai'
import { createBotRecords } from '../../../db/projects/bots.ts'
import { createKeys } from '../../../db/projects/keys.ts'
import { createPlayerStates, type SavedPlayer } from '../../../db/music/players.ts'
import { createProjects } from '../../../db/projects/projects.ts'
import { createVault } from '../../../db/engine/vault.ts'
import { Fault } from '../../../lib/errors.ts'
import { temporaryDatabase } from '../../support/database.ts'

const BOT = '222222222222222222'

describe('bots and players', () => {
  const { db, dataDir, close } = temporaryDatabase()
  const projects = createProjects(db)
  const keys = createKeys(db)
  const bots = createBotRecords(db, createVault({ tokenKey: null, dataDir }))
  const players = createPlayerStates(db)
  let projectId: string
  let otherId: string
  after(close)

  const player = (): SavedPlayer => ({
    projectId,
    botId: BOT,
    guildId: '333333333333333333',
    channelId: '444444444444444444',
    current: 'QAAAtoken',
    queue: ['one', 'two'],
    past: ['zero'],
    recommendation: { provider: 'library', because: 'genre', of: 'Jazz' },
    requesterIds: ['555555555555555555', null, null],
    positionMs: 1234.6,
    volume: 80,
    muted: true,
    volumeBeforeMute: 100,
    paused: false,
    loop: 'queue',
    nextTrack: 'QAAB',
    sleep: { endsAtMs: 5000 },
    filters: { timescale: { speed: 1, pitch: 1, rate: 1.2 } },
  })

  beforeEach(() => {
    for (const bot of bots.listAll()) bots.remove(bot.projectId, bot.id)
    db.exec('DELETE FROM api_key')
    projectId = projects.create({ name: 'Ours', plan: 'free' }).id
    otherId = projects.create({ name: 'Theirs', plan: 'free' }).id
    bots.add({ id: BOT, projectId, name: 'Band', token: 'first token' })
  })

  it('keeps a token so that only its own bot and project read it, and never in the clear', () => {
    expect(bots.token(projectId, BOT)).to.equal('first token')
    expect(() => bots.token(otherId, BOT)).to.throw(Fault, /has no bot/)
    expect(db.prepare('SELECT sealed_token FROM bot').pluck().get()?.toString()).not.to.include('token')
  })

  it('gives a bot that is added again its new token', () => {
    const { createdAtMs } = bots.list(projectId)[0] ?? {}
    bots.add({ id: BOT, projectId, name: 'Band 2', token: 'second token' })
    expect(bots.token(projectId, BOT)).to.equal('second token')
    const bot = { id: BOT, projectId, name: 'Band 2', sandbox: false, stopped: false, mayListen: false, createdAtMs }
    expect(bots.list(projectId)).to.deep.equal([bot])
  })

  it('leaves a bot with the project that has it, until that one removes it', () => {
    const steal = () => bots.add({ id: BOT, projectId: otherId, name: 'Band', token: 'x' })
    expect(steal).to.throw(Fault, new RegExp(`belongs to the project ${projectId}`))
    expect(bots.remove(otherId, BOT)).to.equal(false)
    expect(bots.remove(projectId, BOT)).to.equal(true)
    expect(steal().projectId).to.equal(otherId)
    expect(bots.projectOf(BOT)).to.equal(otherId)
  })

  it('lets no key of a former project steer a bot in its new one', () => {
    const { id } = keys.create({ projectId, botId: BOT })
    bots.remove(projectId, BOT)
    expect(keys.list(projectId)[0]?.botId, 'the key stays linked and so hears no other bot').to.equal(BOT)
    const move = () => bots.add({ id: BOT, projectId: otherId, name: 'Band', token: 'x' })
    expect(move).to.throw(Fault, /Another project has active keys/)
    keys.revoke(projectId, id)
    expect(move().projectId).to.equal(otherId)
  })

  it('brings a saved player back as it was, to the millisecond', () => {
    players.save(player())
    expect(players.list(projectId, BOT)).to.deep.equal([{ ...player(), positionMs: 1235 }])
    players.save({ ...player(), queue: [], current: null, muted: false, volumeBeforeMute: null, paused: true })
    expect(players.list(projectId, BOT)[0]).to.deep.include({ queue: [], current: null, muted: false, paused: true })
    expect(players.list(otherId, BOT)).to.deep.equal([])
  })

  it('saves positions alone, many in one write', () => {
    players.save(player())
    players.savePositions([
      { ...player(), positionMs: 99_000.2 },
      { ...player(), guildId: '555555555555555555', positionMs: 5 },
      { ...player(), projectId: otherId, positionMs: 1 },
    ])
    expect(players.list(projectId, BOT).map((it) => it.positionMs)).to.deep.equal([99_000])
  })

  it('removes a player, and all players of a removed bot', () => {
    players.save(player())
    players.remove(otherId, BOT, player().guildId)
    expect(players.list(projectId, BOT)).to.have.length(1)
    players.remove(projectId, BOT, player().guildId)
    expect(players.list(projectId, BOT)).to.have.length(0)
    players.save(player())
    bots.remove(projectId, BOT)
    expect(players.list(projectId, BOT)).to.have.length(0)
  })

  it('does not save a player of a bot that is gone', () => {
    bots.remove(projectId, BOT)
    players.save(player())
    expect(players.list(projectId, BOT)).to.have.length(0)
  })
})
