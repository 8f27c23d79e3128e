import { expect } from 'chai'
import sql, { raw } from 'sql-template-tag'
import { brokenRule } from '../../../db/engine/open.ts'
import { createBotRecords, type BotRecords } from '../../../db/projects/bots.ts'
import { createKeys, keyDigest, keyState, type Keys } from '../../../db/projects/keys.ts'
import { createProjects, type Projects } from '../../../db/projects/projects.ts'
import { createVault } from '../../../db/engine/vault.ts'
import { describeOnEachEngine } from '../../support/stores.ts'
import { faultOf } from '../../support/web.ts'

const HOUR_MS = 3_600_000
const BOT = '111111111111111111'

const outcomeOf = (promise: Promise<unknown>) => promise.catch((error: unknown) => error)

/** One after the other, so that they are listed in this order. */
async function many<T>(count: number, make: () => Promise<T>): Promise<readonly T[]> {
  const made: T[] = []
  while (made.length < count) made.push(await make())
  return made
}

describeOnEachEngine('Keys', (opened) => {
  let projects: Projects
  let keys: Keys
  let bots: BotRecords
  const newProject = async () => (await projects.create({ name: 'Test', plan: 'standard' })).id
  beforeEach(() => {
    projects = createProjects(opened.store)
    keys = createKeys(opened.store)
    bots = createBotRecords(opened.store, createVault({ tokenKey: '07'.repeat(32), dataDir: '/nowhere' }))
  })

  it('are `svc.` and 64 hex digits, shown once, found by their digest, and stored nowhere', async () => {
    const projectId = await newProject()
    const { key, id, prefix } = await keys.create({ projectId, name: 'Mine' })
    expect(key).to.match(/^svc\.[0-9a-f]{64}$/)
    expect(prefix).to.equal(key.slice(4, 12))
    expect(await keys.findByDigest(keyDigest(key))).to.deep.include({ id, projectId, name: 'Mine', plan: 'standard' })
    expect((await keys.list(projectId))[0]).not.to.have.property('key')
    const rows = await opened.store.all(sql`SELECT * FROM api_key`)
    expect(JSON.stringify(rows)).not.to.include(key.slice(4))
  })

  it('are not found by another digest', async () => {
    expect(await keys.findByDigest(keyDigest(`svc.${'0'.repeat(64)}`))).to.equal(null)
  })

  it('know the plan of their project from the moment it changes', async () => {
    const projectId = await newProject()
    const { key } = await keys.create({ projectId })
    await projects.setPlan(projectId, 'scale')
    expect((await keys.findByDigest(keyDigest(key)))?.plan).to.equal('scale')
  })

  it('carry their address ranges and route classes', async () => {
    const limits = { allow: ['203.0.113.0/24'], classes: ['cheap', 'fetch'] } as const
    const { key } = await keys.create({ projectId: await newProject(), ...limits })
    expect(await keys.findByDigest(keyDigest(key))).to.deep.include(limits)
  })

  it('belong to a project that exists', async () => {
    expect((await faultOf(keys.create({ projectId: 'prj_none' }))).message).to.match(/no project prj_none/)
  })

  it('refuse an expiry that has passed and a name that is none', async () => {
    const projectId = await newProject()
    expect((await faultOf(keys.create({ projectId, expiresAtMs: Date.now() - 1 }))).message).to.match(
      /must be in the future/,
    )
    expect((await faultOf(keys.create({ projectId, name: ' ' }))).message).to.match(/1 to 100 characters/)
  })

  it('are at most 25 active ones in a project; revoked and expired ones do not count', async () => {
    const projectId = await newProject()
    const expired = createKeys(opened.store, () => Date.now() - 2 * HOUR_MS)
    for (let i = 0; i < 3; i++) await expired.create({ projectId, expiresAtMs: Date.now() - HOUR_MS })
    const active = await many(25, () => keys.create({ projectId }))
    expect(await faultOf(keys.create({ projectId })))
      .to.include({ code: 'conflict' })
      .and.property('message')
      .match(/Key limit reached \(25 active\)/)
    await keys.revoke(projectId, active[0]?.id ?? '')
    await keys.create({ projectId })
    expect((await faultOf(keys.create({ projectId }))).message).to.match(/Key limit reached \(25 active\)/)
    await keys.create({ projectId: await newProject() })
  })

  it('keep to 25 even where a statement goes round the code', async () => {
    const projectId = await newProject()
    const old = await createKeys(opened.store, () => Date.now() - 2 * HOUR_MS).create({
      projectId,
      expiresAtMs: Date.now() - HOUR_MS,
    })
    for (let i = 0; i < 25; i++) await keys.create({ projectId })
    const unset = async (column: string, id: string) =>
      brokenRule(await outcomeOf(opened.store.run(sql`UPDATE api_key SET ${raw(column)} = NULL WHERE id = ${id}`)))
    expect(await unset('expires_at_ms', old.id)).to.equal('too_many_active_keys')
    const { id } = (await keys.list(projectId)).at(-1) ?? { id: '' }
    await keys.revoke(projectId, id)
    expect(await unset('revoked_at_ms', id)).to.equal('key_is_final')
  })

  it('stay revoked at the time they were revoked first, and only by their own project', async () => {
    const projectId = await newProject()
    const { id, key } = await keys.create({ projectId })
    expect((await faultOf(keys.revoke(await newProject(), id))).message).to.match(/no key/)
    const { revokedAtMs } = await keys.revoke(projectId, id)
    expect(revokedAtMs).to.be.a('number')
    expect((await createKeys(opened.store, () => Date.now() + HOUR_MS).revoke(projectId, id)).revokedAtMs).to.equal(
      revokedAtMs,
    )
    expect((await keys.findByDigest(keyDigest(key)))?.revokedAtMs).to.equal(revokedAtMs)
  })

  it('are revoked rather than expired when they are both', () => {
    expect(keyState({ revokedAtMs: null, expiresAtMs: null }, 5)).to.equal('active')
    expect(keyState({ revokedAtMs: null, expiresAtMs: 6 }, 5)).to.equal('active')
    expect(keyState({ revokedAtMs: null, expiresAtMs: 5 }, 5)).to.equal('expired')
    expect(keyState({ revokedAtMs: 1, expiresAtMs: 2 }, 5)).to.equal('revoked')
  })

  it('link to a bot of their own project alone', async () => {
    const projectId = await newProject()
    await bots.add({ id: BOT, projectId, name: 'Band', token: 'secret' })
    expect((await keys.create({ projectId, botId: BOT })).botId).to.equal(BOT)
    expect((await faultOf(keys.create({ projectId: await newProject(), botId: BOT }))).message).to.match(/has no bot/)
  })

  describe('change()', () => {
    const settings = { name: 'Shop', allow: ['10.0.0.1'], classes: ['cheap'], expiresAtMs: null } as const

    it('changes name, limits and expiry of an active key, from the next request on', async () => {
      const projectId = await newProject()
      const { id, key } = await keys.create({ projectId, name: 'Site', expiresAtMs: Date.now() + HOUR_MS })
      await keys.findByDigest(keyDigest(key))
      const shop = { ...settings, allow: ['10.0.0.1/32'] }
      expect(await keys.change(projectId, id, settings)).to.deep.include(shop)
      expect(await keys.findByDigest(keyDigest(key))).to.deep.include(shop)
    })

    it('holds settings against the rules of a new key, and changes no ended key and none of another project', async () => {
      const projectId = await newProject()
      const { id } = await keys.create({ projectId, name: 'Site' })
      const change = (given: object) => faultOf(keys.change(projectId, id, { ...settings, ...given }))
      expect((await change({ allow: ['nowhere'] })).code).to.equal('validation_error')
      expect((await change({ expiresAtMs: Date.now() - 1 })).code).to.equal('validation_error')
      expect((await change({ name: '' })).code).to.equal('validation_error')
      expect((await faultOf(keys.change(await newProject(), id, settings))).code).to.equal('not_found')
      await keys.revoke(projectId, id)
      expect((await change({})).message).to.match(/is revoked. Only active keys can be changed/)
      expect((await keys.get(projectId, id)).name).to.equal('Site')
    })
  })

  describe('rotate()', () => {
    it('gives a new key with the same name, bot and limits, and ends the old one after the grace', async () => {
      const projectId = await newProject()
      const old = await keys.create({ projectId, name: 'Site', allow: ['10.0.0.0/8'], classes: ['cheap'] })
      const fresh = await keys.rotate(projectId, old.id, HOUR_MS)
      expect(fresh).to.deep.include({ name: 'Site', allow: ['10.0.0.0/8'], classes: ['cheap'], expiresAtMs: null })
      const before = await keys.findByDigest(keyDigest(old.key))
      expect(before?.expiresAtMs).to.be.within(old.createdAtMs + HOUR_MS, Date.now() + HOUR_MS)
      expect((await keys.findByDigest(keyDigest(fresh.key)))?.id).to.equal(fresh.id)
    })

    it('never gives the old key more time than it had', async () => {
      const projectId = await newProject()
      const nowMs = Date.now()
      const still = createKeys(opened.store, () => nowMs)
      const old = await still.create({ projectId, expiresAtMs: nowMs + 1000 })
      const fresh = await still.rotate(projectId, old.id, HOUR_MS)
      expect((await still.get(projectId, old.id)).expiresAtMs).to.equal(nowMs + 1000)
      expect(fresh.expiresAtMs).to.equal(nowMs + 1000)
    })

    it('replaces at once in a full project, but has no room there for both, and then changes nothing', async () => {
      const projectId = await newProject()
      const [first] = await many(25, () => keys.create({ projectId }))
      const id = first?.id ?? ''
      expect((await faultOf(keys.rotate(projectId, id, HOUR_MS))).message).to.match(/Key limit reached \(25 active\)/)
      expect((await keys.list(projectId))[0]?.expiresAtMs).to.equal(null)
      await keys.rotate(projectId, id, 0)
      expect((await faultOf(keys.rotate(projectId, id, 0))).message).to.match(/is expired/)
    })
  })
})
