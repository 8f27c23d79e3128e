import { expect } from 'chai'
import { createBotRecords } from '../../../db/projects/bots.ts'
import { createKeys, keyDigest } from '../../../db/projects/keys.ts'
import { createPools, MAX_POOLS } from '../../../db/projects/pools.ts'
import { createProjects } from '../../../db/projects/projects.ts'
import { createVault } from '../../../db/engine/vault.ts'
import { Fault } from '../../../lib/errors.ts'
import { temporaryDatabase } from '../../support/database.ts'

const [FIRST, SECOND, FOREIGN] = ['111111111111111111', '222222222222222222', '333333333333333333'] as const

describe('pools', () => {
  const { db, dataDir, close } = temporaryDatabase()
  const projects = createProjects(db)
  const keys = createKeys(db)
  const pools = createPools(db)
  const bots = createBotRecords(db, createVault({ tokenKey: null, dataDir }))
  let projectId: string
  let otherId: string
  after(close)
  beforeEach(() => {
    for (const bot of bots.listAll()) bots.remove(bot.projectId, bot.id)
    projectId = projects.create({ name: 'Ours', plan: 'free' }).id
    otherId = projects.create({ name: 'Theirs', plan: 'free' }).id
    for (const id of [FIRST, SECOND]) bots.add({ id, projectId, name: 'Bot', token: 'token' })
    bots.add({ id: FOREIGN, projectId: otherId, name: 'Bot', token: 'token' })
  })
  const create = (botIds: readonly string[] = [FIRST, SECOND]) => pools.create({ projectId, name: 'All', botIds })
  const botsOf = (key: string) => keys.findByDigest(keyDigest(key))?.poolBotIds

  it('hold bots of their project in the order in which they were given, each once', () => {
    const pool = create([SECOND, FIRST, SECOND])
    expect(pool).to.deep.include({ projectId, name: 'All', botIds: [SECOND, FIRST] })
    expect(pools.list(projectId)).to.deep.equal([pool])
    expect([pools.projectOf(pool.id), pools.list(otherId)]).to.deep.equal([projectId, []])
    expect(() => create([FOREIGN])).to.throw(Fault, 'has no bot')
    expect(() => create(['444444444444444444'])).to.throw(Fault, 'has no bot')
    expect(() => pools.change(projectId, pool.id, { botIds: [FIRST, FOREIGN] })).to.throw(Fault, 'has no bot')
    expect(() => pools.get(otherId, pool.id)).to.throw(Fault, 'has no pool')
    expect(() => pools.change(otherId, pool.id, { name: 'Mine now' })).to.throw(Fault, 'has no pool')
    expect(() => pools.remove(otherId, pool.id)).to.throw(Fault, 'has no pool')
  })

  it('are followed by their keys from the next look-up on', () => {
    const pool = create()
    const { key, botId, poolId } = keys.create({ projectId, poolId: pool.id })
    expect([botId, poolId, botsOf(key)]).to.deep.equal([null, pool.id, [FIRST, SECOND]])
    pools.change(projectId, pool.id, { botIds: [SECOND] })
    expect(botsOf(key)).to.deep.equal([SECOND])
    bots.remove(projectId, SECOND)
    expect([botsOf(key), pools.get(projectId, pool.id).botIds]).to.deep.equal([[], []])
    pools.change(projectId, pool.id, { botIds: [FIRST] })
    pools.remove(projectId, pool.id)
    expect([botsOf(key), keys.list(projectId)[0]?.poolId]).to.deep.equal([[], pool.id])
    expect(() => pools.get(projectId, pool.id)).to.throw(Fault, 'has no pool')
  })

  it('are linked by keys of their project alone, which keep them, and which have no bot besides', () => {
    const pool = create()
    expect(() => keys.create({ projectId: otherId, poolId: pool.id })).to.throw(Fault, 'has no pool')
    expect(() => keys.create({ projectId, poolId: 'pol_none' })).to.throw(Fault, 'has no pool')
    expect(() => keys.create({ projectId, poolId: pool.id, botId: FIRST })).to.throw(Fault, 'not both')
    const old = keys.create({ projectId, poolId: pool.id })
    expect(keys.rotate(projectId, old.id, 0).poolId).to.equal(pool.id)
    expect(() => db.prepare('UPDATE api_key SET pool_id = NULL').run()).to.throw('key_is_final')
    pools.remove(projectId, pool.id)
    expect(() => keys.create({ projectId, poolId: pool.id })).to.throw(Fault, 'has no pool')
  })

  it('never hold a bot that belongs to another project here, whatever writes them', () => {
    const pool = create()
    const write = db.prepare('UPDATE pool SET bot_ids = ? WHERE id = ?')
    expect(() => write.run(JSON.stringify([FOREIGN]), pool.id)).to.throw('bot_not_of_this_project')
    expect(() => db.prepare('UPDATE pool SET project_id = ? WHERE id = ?').run(otherId, pool.id)).to.throw('keeps_its')
  })

  it('are 25 at most in a project', () => {
    for (let i = 0; i < MAX_POOLS; i += 1) create([FIRST])
    expect(() => create([FIRST])).to.throw(Fault, '25 are the most')
    pools.remove(projectId, pools.list(projectId)[0]?.id ?? '')
    create([FIRST])
  })
})
