import { expect } from 'chai'
import * as fc from 'fast-check'
import { createBotRecords } from '../../../db/projects/bots.ts'
import { createKeys, keyDigest, MAX_ACTIVE_KEYS, type Keys } from '../../../db/projects/keys.ts'
import { createPools, type Pools } from '../../../db/projects/pools.ts'
import { createProjects, type Projects } from '../../../db/projects/projects.ts'
import { createSharedProjects, isNewer, merge, type SharedProjects } from '../../../db/projects/shared-projects.ts'
import { temporaryDatabase } from '../../support/database.ts'
import { faultOf } from '../../support/web.ts'

interface Place {
  readonly projects: Projects
  readonly keys: Keys
  readonly shared: SharedProjects
  readonly pools: Pools
  addBot(projectId: string, id: string): Promise<unknown>
  close(): void
}

const vault = { seal: (_: string, token: string) => Buffer.from(token), open: () => '' }
const DAY_MS = 86_400_000

function openPlace(): Place {
  const { db, store, close } = temporaryDatabase()
  const bots = createBotRecords(store, vault)
  return {
    projects: createProjects(store),
    keys: createKeys(store),
    shared: createSharedProjects(db, store),
    pools: createPools(store),
    addBot: (projectId, id) => bots.add({ id, projectId, name: 'Bot', token: 'token' }),
    close,
  }
}

/** What `from` knows reaches `to`. */
function tell(from: Place, to: Place, id: string): readonly string[] {
  const state = from.shared.find(id)
  return state ? to.shared.merge(state) : []
}

describe('projects that services share', () => {
  let a: Place
  let b: Place
  let id: string
  beforeEach(async () => {
    ;[a, b] = [openPlace(), openPlace()]
    id = (await a.projects.create({ name: 'Both', plan: 'free' })).id
    tell(a, b, id)
  })
  afterEach(() => [a, b].forEach((place) => place.close()))

  it('take a key over whole, without the key itself, and find it by its digest', async () => {
    const made = await a.keys.create({ projectId: id, name: 'x', allow: ['10.0.0.0/8'], classes: ['cheap'] })
    tell(a, b, id)
    const found = await b.keys.findByDigest(keyDigest(made.key))
    const { key, ...known } = made
    expect(found).to.deep.equal({ ...known, plan: 'free', poolBotIds: [] })
    expect(JSON.stringify(a.shared.find(id))).not.to.include(key.slice(4))
  })

  it('take a pool over with its key, and of two changes the later one, in whatever order they are told', async () => {
    const [first, second] = ['111111111111111111', '222222222222222222']
    await a.addBot(id, first)
    await b.addBot(id, second)
    const pool = await a.pools.create({ projectId: id, name: 'All', botIds: [first] })
    const { key } = await a.keys.create({ projectId: id, poolId: pool.id })
    expect(tell(a, b, id)).to.deep.equal([])
    expect((await b.keys.findByDigest(keyDigest(key)))?.poolBotIds).to.deep.equal([first])
    await b.pools.change(id, pool.id, { botIds: [first, second] })
    // What is older changes nothing.
    tell(a, b, id)
    expect((await b.pools.get(id, pool.id)).botIds).to.deep.equal([first, second])
    tell(b, a, id)
    expect((await a.keys.findByDigest(keyDigest(key)))?.poolBotIds).to.deep.equal([first, second])
    await a.pools.remove(id, pool.id)
    const removed = a.shared.find(id)!
    expect(isNewer(removed, b.shared.find(id), Date.now())).to.equal(true)
    tell(a, b, id)
    expect(await b.pools.list(id)).to.deep.equal([])
    expect(isNewer(b.shared.find(id)!, removed, Date.now())).to.equal(false)
    expect(merge(b.shared.find(id)!, removed, Date.now()).pools).to.deep.equal(removed.pools)
  })

  it('do not take over a pool with a bot that another project has here', async () => {
    await a.addBot(id, '111111111111111111')
    await b.addBot((await b.projects.create({ name: 'Theirs', plan: 'free' })).id, '111111111111111111')
    const pool = await a.pools.create({ projectId: id, name: 'All', botIds: ['111111111111111111'] })
    const { key } = await a.keys.create({ projectId: id, poolId: pool.id })
    expect(tell(a, b, id)).to.deep.equal([pool.id])
    expect((await b.keys.findByDigest(keyDigest(key)))?.poolBotIds).to.deep.equal([])
  })

  it('never give a key that ended more time, no matter who tells what last', async () => {
    const [revoked, rotated] = [await a.keys.create({ projectId: id }), await a.keys.create({ projectId: id })]
    const before = a.shared.find(id)!
    tell(a, b, id)
    await b.keys.revoke(id, revoked.id)
    await b.keys.rotate(id, rotated.id, 60_000)
    tell(b, a, id)
    for (const place of [a, b]) {
      place.shared.merge(before)
      expect((await place.keys.get(id, revoked.id)).revokedAtMs).to.be.a('number')
      expect((await place.keys.get(id, rotated.id)).expiresAtMs).to.be.below(Date.now() + 61_000)
    }
  })

  it('let the later of two names and plans count, also where its clock is behind', async () => {
    await a.projects.setPlan(id, 'advanced')
    tell(a, b, id)
    await b.projects.rename(id, 'Later')
    tell(a, b, id)
    tell(b, a, id)
    for (const place of [a, b]) expect(await place.projects.get(id)).to.include({ name: 'Later', plan: 'advanced' })
  })

  it('take more than 25 active keys together, since each was acknowledged, and let no one make more', async () => {
    for (let i = 0; i < MAX_ACTIVE_KEYS; i++) for (const { keys } of [a, b]) await keys.create({ projectId: id })
    tell(a, b, id)
    tell(b, a, id)
    for (const { keys } of [a, b]) {
      expect(await keys.list(id)).to.have.lengthOf(2 * MAX_ACTIVE_KEYS)
      expect((await faultOf(keys.create({ projectId: id }))).message).to.include('25 active keys')
    }
  })

  it('take the key of a bot that is not here, but none of a bot that another project has here', async () => {
    const [far, near] = ['111111111111111111', '222222222222222222']
    for (const bot of [far, near]) await a.addBot(id, bot)
    const made = [
      await a.keys.create({ projectId: id, botId: far }),
      await a.keys.create({ projectId: id, botId: near }),
    ]
    const other = (await b.projects.create({ name: 'Other', plan: 'free' })).id
    await b.addBot(other, near)
    expect(tell(a, b, id)).to.deep.equal([made[1]!.id])
    expect((await b.keys.list(id)).map((key) => key.id)).to.deep.equal([made[0]!.id])
    expect((await faultOf(b.addBot(other, far))).message, 'its keys would steer it').to.include(
      'Another project has active keys',
    )
  })

  it('tell which were changed since, whatever changed of them', async () => {
    const other = (await a.projects.create({ name: 'Other', plan: 'free' })).id
    let { mark } = a.shared.changedSince(0)
    const changed = () => {
      const since = a.shared.changedSince(mark)
      mark = since.mark
      return since.ids
    }
    expect(changed()).to.deep.equal([])
    const key = await a.keys.create({ projectId: id })
    expect(changed()).to.deep.equal([id])
    await a.keys.revoke(id, key.id)
    expect(changed()).to.deep.equal([id])
    await a.projects.setPlan(other, 'standard')
    await a.projects.rename(id, 'New')
    expect(changed()).to.deep.equal([other, id])
  })

  it('leave out what ended long ago, but not for anyone who takes it for alive', async () => {
    const key = await a.keys.create({ projectId: id })
    const alive = a.shared.find(id)!
    await a.keys.revoke(id, key.id)
    const dead = a.shared.find(id)!
    const later = Date.now() + 91 * DAY_MS
    expect(merge(dead, null, later).keys).to.deep.equal([])
    expect(isNewer(dead, { ...dead, keys: [] }, later)).to.equal(false)
    expect(isNewer(dead, alive, later)).to.equal(true)
    expect(merge(dead, alive, later).keys).to.have.lengthOf(1)
  })

  it('end up the same everywhere, in whatever order changes and messages come', async () => {
    const step = fc.tuple(fc.constantFrom('make', 'revoke', 'rotate', 'plan', 'tell'), fc.boolean(), fc.nat(5))
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        const { id: projectId } = await a.projects.create({ name: 'Any', plan: 'free' })
        tell(a, b, projectId)
        for (const [what, isA, which] of steps) {
          const [here, there] = isA ? [a, b] : [b, a]
          const active = (await here.keys.list(projectId)).filter(
            (key) => key.revokedAtMs === null && key.expiresAtMs === null,
          )
          const key = active[which % (active.length || 1)]
          if (what === 'make') await here.keys.create({ projectId })
          if (what === 'plan') await here.projects.setPlan(projectId, which % 2 ? 'standard' : 'scale')
          if (what === 'revoke' && key) await here.keys.revoke(projectId, key.id)
          if (what === 'rotate' && key) await here.keys.rotate(projectId, key.id, 1000 * which)
          if (what === 'tell') tell(here, there, projectId)
        }
        tell(a, b, projectId)
        tell(b, a, projectId)
        const [ofA, ofB] = [a.shared.find(projectId)!, b.shared.find(projectId)!]
        expect(isNewer(ofA, ofB, Date.now())).to.equal(false)
        expect(isNewer(ofB, ofA, Date.now())).to.equal(false)
        expect(ofA.plan).to.equal(ofB.plan)
      }),
      { numRuns: 40 },
    )
  })
})
