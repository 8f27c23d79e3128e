import { expect } from 'chai'
import * as fc from 'fast-check'
import { createBotRecords } from '../../../db/projects/bots.ts'
import { createKeys, keyDigest, MAX_ACTIVE_KEYS, type Keys } from '../../../db/projects/keys.ts'
import { createPools, type Pools } from '../../../db/projects/pools.ts'
import { createProjects, type Projects } from '../../../db/projects/projects.ts'
import { createSharedProjects, isNewer, merge, type SharedProjects } from '../../../db/projects/shared-projects.ts'
import { temporaryDatabase } from '../../support/database.ts'

interface Place {
  readonly projects: Projects
  readonly keys: Keys
  readonly shared: SharedProjects
  readonly pools: Pools
  addBot(projectId: string, id: string): void
  close(): void
}

const vault = { seal: (_: string, token: string) => Buffer.from(token), open: () => '' }
const DAY_MS = 86_400_000

function openPlace(): Place {
  const { db, close } = temporaryDatabase()
  const bots = createBotRecords(db, vault)
  return {
    projects: createProjects(db),
    keys: createKeys(db),
    shared: createSharedProjects(db),
    pools: createPools(db),
    addBot: (projectId, id) => void bots.add({ id, projectId, name: 'Bot', token: 'token' }),
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
  beforeEach(() => {
    ;[a, b] = [openPlace(), openPlace()]
    id = a.projects.create({ name: 'Both', plan: 'free' }).id
    tell(a, b, id)
  })
  afterEach(() => [a, b].forEach((place) => place.close()))

  it('take a key over whole, without the key itself, and find it by its digest', () => {
    const made = a.keys.create({ projectId: id, name: 'x', allow: ['10.0.0.0/8'], classes: ['cheap'] })
    tell(a, b, id)
    const found = b.keys.findByDigest(keyDigest(made.key))
    const { key, ...known } = made
    expect(found).to.deep.equal({ ...known, plan: 'free', poolBotIds: [] })
    expect(JSON.stringify(a.shared.find(id))).not.to.include(key.slice(4))
  })

  it('take a pool over with its key, and of two changes the later one, in whatever order they are told', () => {
    const [first, second] = ['111111111111111111', '222222222222222222']
    a.addBot(id, first)
    b.addBot(id, second)
    const pool = a.pools.create({ projectId: id, name: 'All', botIds: [first] })
    const { key } = a.keys.create({ projectId: id, poolId: pool.id })
    expect(tell(a, b, id)).to.deep.equal([])
    expect(b.keys.findByDigest(keyDigest(key))?.poolBotIds).to.deep.equal([first])
    b.pools.change(id, pool.id, { botIds: [first, second] })
    // What is older changes nothing.
    tell(a, b, id)
    expect(b.pools.get(id, pool.id).botIds).to.deep.equal([first, second])
    tell(b, a, id)
    expect(a.keys.findByDigest(keyDigest(key))?.poolBotIds).to.deep.equal([first, second])
    a.pools.remove(id, pool.id)
    const removed = a.shared.find(id)!
    expect(isNewer(removed, b.shared.find(id), Date.now())).to.equal(true)
    tell(a, b, id)
    expect(b.pools.list(id)).to.deep.equal([])
    expect(isNewer(b.shared.find(id)!, removed, Date.now())).to.equal(false)
    expect(merge(b.shared.find(id)!, removed, Date.now()).pools).to.deep.equal(removed.pools)
  })

  it('do not take over a pool with a bot that another project has here', () => {
    a.addBot(id, '111111111111111111')
    b.addBot(b.projects.create({ name: 'Theirs', plan: 'free' }).id, '111111111111111111')
    const pool = a.pools.create({ projectId: id, name: 'All', botIds: ['111111111111111111'] })
    const { key } = a.keys.create({ projectId: id, poolId: pool.id })
    expect(tell(a, b, id)).to.deep.equal([pool.id])
    expect(b.keys.findByDigest(keyDigest(key))?.poolBotIds).to.deep.equal([])
  })

  it('never give a key that ended more time, no matter who tells what last', () => {
    const [revoked, rotated] = [a.keys.create({ projectId: id }), a.keys.create({ projectId: id })]
    const before = a.shared.find(id)!
    tell(a, b, id)
    b.keys.revoke(id, revoked.id)
    b.keys.rotate(id, rotated.id, 60_000)
    tell(b, a, id)
    for (const place of [a, b]) {
      place.shared.merge(before)
      expect(place.keys.get(id, revoked.id).revokedAtMs).to.be.a('number')
      expect(place.keys.get(id, rotated.id).expiresAtMs).to.be.below(Date.now() + 61_000)
    }
  })

  it('let the later of two names and plans count, also where its clock is behind', () => {
    a.projects.setPlan(id, 'advanced')
    tell(a, b, id)
    b.projects.rename(id, 'Later')
    tell(a, b, id)
    tell(b, a, id)
    for (const place of [a, b]) expect(place.projects.get(id)).to.include({ name: 'Later', plan: 'advanced' })
  })

  it('take more than 25 active keys together, since each was acknowledged, and let no one make more', () => {
    for (let i = 0; i < MAX_ACTIVE_KEYS; i++) for (const { keys } of [a, b]) keys.create({ projectId: id })
    tell(a, b, id)
    tell(b, a, id)
    for (const { keys } of [a, b]) {
      expect(keys.list(id)).to.have.lengthOf(2 * MAX_ACTIVE_KEYS)
      expect(() => keys.create({ projectId: id })).to.throw('25 active keys')
    }
  })

  it('take the key of a bot that is not here, but none of a bot that another project has here', () => {
    const [far, near] = ['111111111111111111', '222222222222222222']
    for (const bot of [far, near]) a.addBot(id, bot)
    const made = [far, near].map((botId) => a.keys.create({ projectId: id, botId }))
    const other = b.projects.create({ name: 'Other', plan: 'free' }).id
    b.addBot(other, near)
    expect(tell(a, b, id)).to.deep.equal([made[1]!.id])
    expect(b.keys.list(id).map((key) => key.id)).to.deep.equal([made[0]!.id])
    expect(() => b.addBot(other, far), 'its keys would steer it').to.throw('Another project has active keys')
  })

  it('tell which were changed since, whatever changed of them', () => {
    const other = a.projects.create({ name: 'Other', plan: 'free' }).id
    let { mark } = a.shared.changedSince(0)
    const changed = () => {
      const since = a.shared.changedSince(mark)
      mark = since.mark
      return since.ids
    }
    expect(changed()).to.deep.equal([])
    const key = a.keys.create({ projectId: id })
    expect(changed()).to.deep.equal([id])
    a.keys.revoke(id, key.id)
    expect(changed()).to.deep.equal([id])
    a.projects.setPlan(other, 'standard')
    a.projects.rename(id, 'New')
    expect(changed()).to.deep.equal([other, id])
  })

  it('leave out what ended long ago, but not for anyone who takes it for alive', () => {
    const key = a.keys.create({ projectId: id })
    const alive = a.shared.find(id)!
    a.keys.revoke(id, key.id)
    const dead = a.shared.find(id)!
    const later = Date.now() + 91 * DAY_MS
    expect(merge(dead, null, later).keys).to.deep.equal([])
    expect(isNewer(dead, { ...dead, keys: [] }, later)).to.equal(false)
    expect(isNewer(dead, alive, later)).to.equal(true)
    expect(merge(dead, alive, later).keys).to.have.lengthOf(1)
  })

  it('end up the same everywhere, in whatever order changes and messages come', () => {
    const step = fc.tuple(fc.constantFrom('make', 'revoke', 'rotate', 'plan', 'tell'), fc.boolean(), fc.nat(5))
    fc.assert(
      fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
        const { id: projectId } = a.projects.create({ name: 'Any', plan: 'free' })
        tell(a, b, projectId)
        for (const [what, isA, which] of steps) {
          const [here, there] = isA ? [a, b] : [b, a]
          const active = here.keys.list(projectId).filter((key) => key.revokedAtMs === null && key.expiresAtMs === null)
          const key = active[which % (active.length || 1)]
          if (what === 'make') here.keys.create({ projectId })
          if (what === 'plan') here.projects.setPlan(projectId, which % 2 ? 'standard' : 'scale')
          if (what === 'revoke' && key) here.keys.revoke(projectId, key.id)
          if (what === 'rotate' && key) here.keys.rotate(projectId, key.id, 1000 * which)
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
