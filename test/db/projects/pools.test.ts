import { expect } from 'chai'
import sql, { type Sql } from 'sql-template-tag'
import { brokenRule } from '../../../db/engine/open.ts'
import { createBotRecords, type BotRecords } from '../../../db/projects/bots.ts'
import { createKeys, keyDigest, type Keys } from '../../../db/projects/keys.ts'
import { createPools, MAX_POOLS, type Pools } from '../../../db/projects/pools.ts'
import { createProjects } from '../../../db/projects/projects.ts'
import { createVault } from '../../../db/engine/vault.ts'
import { describeOnEachEngine } from '../../support/stores.ts'
import { faultOf } from '../../support/web.ts'

const [FIRST, SECOND, FOREIGN] = ['111111111111111111', '222222222222222222', '333333333333333333'] as const

describeOnEachEngine('Pools', (opened) => {
  let keys: Keys
  let pools: Pools
  let bots: BotRecords
  let projectId: string
  let otherId: string
  beforeEach(async () => {
    keys = createKeys(opened.store)
    pools = createPools(opened.store)
    bots = createBotRecords(opened.store, createVault({ tokenKey: '07'.repeat(32), dataDir: '/nowhere' }))
    const projects = createProjects(opened.store)
    projectId = (await projects.create({ name: 'Ours', plan: 'free' })).id
    otherId = (await projects.create({ name: 'Theirs', plan: 'free' })).id
    for (const id of [FIRST, SECOND]) await bots.add({ id, projectId, name: 'Bot', token: 'token' })
    await bots.add({ id: FOREIGN, projectId: otherId, name: 'Bot', token: 'token' })
  })
  const ruleOf = async (query: Sql) => brokenRule(await opened.store.run(query).catch((error: unknown) => error))
  const create = (botIds: readonly string[] = [FIRST, SECOND]) => pools.create({ projectId, name: 'All', botIds })
  const botsOf = async (key: string) => (await keys.findByDigest(keyDigest(key)))?.poolBotIds

  it('hold bots of their project in the order in which they were given, each once', async () => {
    const pool = await create([SECOND, FIRST, SECOND])
    expect(pool).to.deep.include({ projectId, name: 'All', botIds: [SECOND, FIRST] })
    expect(await pools.list(projectId)).to.deep.equal([pool])
    expect([await pools.projectOf(pool.id), await pools.list(otherId)]).to.deep.equal([projectId, []])
    expect((await faultOf(create([FOREIGN]))).message).to.include('has no bot')
    expect((await faultOf(create(['444444444444444444']))).message).to.include('has no bot')
    expect((await faultOf(pools.change(projectId, pool.id, { botIds: [FIRST, FOREIGN] }))).message).to.include(
      'has no bot',
    )
    expect((await faultOf(pools.get(otherId, pool.id))).message).to.include('has no pool')
    expect((await faultOf(pools.change(otherId, pool.id, { name: 'Mine now' }))).message).to.include('has no pool')
    expect((await faultOf(pools.remove(otherId, pool.id))).message).to.include('has no pool')
  })

  it('are followed by their keys from the next look-up on', async () => {
    const pool = await create()
    const { key, botId, poolId } = await keys.create({ projectId, poolId: pool.id })
    expect([botId, poolId, await botsOf(key)]).to.deep.equal([null, pool.id, [FIRST, SECOND]])
    await pools.change(projectId, pool.id, { botIds: [SECOND] })
    expect(await botsOf(key)).to.deep.equal([SECOND])
    await bots.remove(projectId, SECOND)
    expect([await botsOf(key), (await pools.get(projectId, pool.id)).botIds]).to.deep.equal([[], []])
    await pools.change(projectId, pool.id, { botIds: [FIRST] })
    await pools.remove(projectId, pool.id)
    expect([await botsOf(key), (await keys.list(projectId))[0]?.poolId]).to.deep.equal([[], pool.id])
    expect((await faultOf(pools.get(projectId, pool.id))).message).to.include('has no pool')
  })

  it('are linked by keys of their project alone, which keep them, and which have no bot besides', async () => {
    const pool = await create()
    expect((await faultOf(keys.create({ projectId: otherId, poolId: pool.id }))).message).to.include('has no pool')
    expect((await faultOf(keys.create({ projectId, poolId: 'pol_none' }))).message).to.include('has no pool')
    expect((await faultOf(keys.create({ projectId, poolId: pool.id, botId: FIRST }))).message).to.include('not both')
    const old = await keys.create({ projectId, poolId: pool.id })
    expect((await keys.rotate(projectId, old.id, 0)).poolId).to.equal(pool.id)
    expect(await ruleOf(sql`UPDATE api_key SET pool_id = NULL`)).to.equal('key_is_final')
    await pools.remove(projectId, pool.id)
    expect((await faultOf(keys.create({ projectId, poolId: pool.id }))).message).to.include('has no pool')
  })

  it('never hold a bot that belongs to another project here, whatever writes them', async () => {
    const pool = await create()
    const foreign = JSON.stringify([FOREIGN])
    const hold = sql`UPDATE pool SET bot_ids = ${foreign} WHERE id = ${pool.id}`
    expect(await ruleOf(hold)).to.equal('bot_not_of_this_project')
    const move = sql`UPDATE pool SET project_id = ${otherId} WHERE id = ${pool.id}`
    expect(await ruleOf(move)).to.equal('pool_keeps_its_project')
  })

  it('are 25 at most in a project', async () => {
    for (let i = 0; i < MAX_POOLS; i += 1) await create([FIRST])
    expect((await faultOf(create([FIRST]))).message).to.include('Pool limit reached (25)')
    await pools.remove(projectId, (await pools.list(projectId))[0]?.id ?? '')
    await create([FIRST])
  })
})
