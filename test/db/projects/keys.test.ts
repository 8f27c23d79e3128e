import { expect } from 'chai'
import { createBotRecords } from '../../../db/projects/bots.ts'
import { createKeys, keyDigest, keyState } from '../../../db/projects/keys.ts'
import { createProjects } from '../../../db/projects/projects.ts'
import { createVault } from '../../../db/engine/vault.ts'
import { Fault } from '../../../lib/errors.ts'
import { temporaryDatabase } from '../../support/database.ts'

const HOUR_MS = 3_600_000
const BOT = '111111111111111111'

describe('keys', () => {
  const { db, dataDir, close } = temporaryDatabase()
  const projects = createProjects(db)
  const keys = createKeys(db)
  const bots = createBotRecords(db, createVault({ tokenKey: null, dataDir }))
  const newProject = () => projects.create({ name: 'Test', plan: 'standard' }).id
  after(close)

  it('are `svc.` and 64 hex digits, shown once, found by their digest, and stored nowhere', () => {
    const projectId = newProject()
    const { key, id, prefix } = keys.create({ projectId, name: 'Mine' })
    expect(key).to.match(/^svc\.[0-9a-f]{64}$/)
    expect(prefix).to.equal(key.slice(4, 12))
    expect(keys.findByDigest(keyDigest(key))).to.deep.include({ id, projectId, name: 'Mine', plan: 'standard' })
    expect(keys.list(projectId)[0]).not.to.have.property('key')
    expect(JSON.stringify(db.prepare('SELECT * FROM api_key').all())).not.to.include(key.slice(4))
  })

  it('are not found by another digest', () => {
    expect(keys.findByDigest(keyDigest(`svc.${'0'.repeat(64)}`))).to.equal(null)
  })

  it('know the plan of their project from the moment it changes', () => {
    const projectId = newProject()
    const { key } = keys.create({ projectId })
    projects.setPlan(projectId, 'scale')
    expect(keys.findByDigest(keyDigest(key))?.plan).to.equal('scale')
  })

  it('carry their address ranges and route classes', () => {
    const limits = { allow: ['203.0.113.0/24'], classes: ['cheap', 'fetch'] } as const
    const { key } = keys.create({ projectId: newProject(), ...limits })
    expect(keys.findByDigest(keyDigest(key))).to.deep.include(limits)
  })

  it('belong to a project that exists', () => {
    expect(() => keys.create({ projectId: 'prj_none' })).to.throw(Fault, /no project prj_none/)
  })

  it('refuse an expiry that has passed and a name that is none', () => {
    const projectId = newProject()
    expect(() => keys.create({ projectId, expiresAtMs: Date.now() - 1 })).to.throw(Fault, /must be in the future/)
    expect(() => keys.create({ projectId, name: ' ' })).to.throw(Fault, /1 to 100 characters/)
  })

  it('are at most 25 active ones in a project; revoked and expired ones do not count', () => {
    const projectId = newProject()
    const expired = createKeys(db, () => Date.now() - 2 * HOUR_MS)
    for (let i = 0; i < 3; i++) expired.create({ projectId, expiresAtMs: Date.now() - HOUR_MS })
    const active = Array.from({ length: 25 }, () => keys.create({ projectId }))
    expect(() => keys.create({ projectId }))
      .to.throw(Fault, /25 active keys/)
      .with.property('code', 'conflict')
    keys.revoke(projectId, active[0]?.id ?? '')
    keys.create({ projectId })
    expect(() => keys.create({ projectId })).to.throw(Fault, /25 active keys/)
    keys.create({ projectId: newProject() })
  })

  it('keep to 25 even where a statement goes round the code', () => {
    const projectId = newProject()
    const old = createKeys(db, () => Date.now() - 2 * HOUR_MS).create({ projectId, expiresAtMs: Date.now() - HOUR_MS })
    for (let i = 0; i < 25; i++) keys.create({ projectId })
    const set = (column: string, id: string) => db.prepare(`UPDATE api_key SET ${column} = NULL WHERE id = ?`).run(id)
    expect(() => set('expires_at_ms', old.id)).to.throw('too_many_active_keys')
    const { id } = keys.list(projectId).at(-1) ?? { id: '' }
    keys.revoke(projectId, id)
    expect(() => set('revoked_at_ms', id)).to.throw('key_is_final')
  })

  it('stay revoked at the time they were revoked first, and only by their own project', () => {
    const projectId = newProject()
    const { id, key } = keys.create({ projectId })
    expect(() => keys.revoke(newProject(), id)).to.throw(Fault, /no key/)
    const { revokedAtMs } = keys.revoke(projectId, id)
    expect(revokedAtMs).to.be.a('number')
    expect(createKeys(db, () => Date.now() + HOUR_MS).revoke(projectId, id).revokedAtMs).to.equal(revokedAtMs)
    expect(keys.findByDigest(keyDigest(key))?.revokedAtMs).to.equal(revokedAtMs)
  })

  it('are revoked rather than expired when they are both', () => {
    expect(keyState({ revokedAtMs: null, expiresAtMs: null }, 5)).to.equal('active')
    expect(keyState({ revokedAtMs: null, expiresAtMs: 6 }, 5)).to.equal('active')
    expect(keyState({ revokedAtMs: null, expiresAtMs: 5 }, 5)).to.equal('expired')
    expect(keyState({ revokedAtMs: 1, expiresAtMs: 2 }, 5)).to.equal('revoked')
  })

  it('link to a bot of their own project alone', () => {
    const projectId = newProject()
    bots.add({ id: BOT, projectId, name: 'Band', token: 'secret' })
    expect(keys.create({ projectId, botId: BOT }).botId).to.equal(BOT)
    expect(() => keys.create({ projectId: newProject(), botId: BOT })).to.throw(Fault, /has no bot/)
  })

  describe('rotate()', () => {
    it('gives a new key with the same name, bot and limits, and ends the old one after the grace', () => {
      const projectId = newProject()
      const old = keys.create({ projectId, name: 'Site', allow: ['10.0.0.0/8'], classes: ['cheap'] })
      const fresh = keys.rotate(projectId, old.id, HOUR_MS)
      expect(fresh).to.deep.include({ name: 'Site', allow: ['10.0.0.0/8'], classes: ['cheap'], expiresAtMs: null })
      const before = keys.findByDigest(keyDigest(old.key))
      expect(before?.expiresAtMs).to.be.closeTo(Date.now() + HOUR_MS, 5000)
      expect(keys.findByDigest(keyDigest(fresh.key))?.id).to.equal(fresh.id)
    })

    it('never gives the old key more time than it had', () => {
      const projectId = newProject()
      const expiresAtMs = Date.now() + 1000
      const old = keys.create({ projectId, expiresAtMs })
      const fresh = keys.rotate(projectId, old.id, HOUR_MS)
      expect(keys.list(projectId)[0]?.expiresAtMs).to.equal(expiresAtMs)
      expect(fresh.expiresAtMs).to.be.closeTo(Date.now() + 1000, 500)
    })

    it('replaces at once in a full project, but has no room there for both, and then changes nothing', () => {
      const projectId = newProject()
      const [first] = Array.from({ length: 25 }, () => keys.create({ projectId }))
      const id = first?.id ?? ''
      expect(() => keys.rotate(projectId, id, HOUR_MS)).to.throw(Fault, /25 active keys/)
      expect(keys.list(projectId)[0]?.expiresAtMs).to.equal(null)
      keys.rotate(projectId, id, 0)
      expect(() => keys.rotate(projectId, id, 0)).to.throw(Fault, /is expired/)
    })
  })
})
