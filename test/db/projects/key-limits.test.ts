import { expect } from 'chai'
import { createKeys, KEY_CLASSES, MAX_ACTIVE_KEYS } from '../../../db/projects/keys.ts'
import { createProjects } from '../../../db/projects/projects.ts'
import { Fault } from '../../../lib/errors.ts'
import { temporaryDatabase } from '../../support/database.ts'

const NOW = 1_700_000_000_000
const HOUR_MS = 3_600_000
const many = (count: number) => Array.from({ length: count }, (_, at) => `10.0.0.${at}`)

describe('the limits of a key', () => {
  const { db, close } = temporaryDatabase()
  const clock = { nowMs: NOW }
  const keys = createKeys(db, () => clock.nowMs)
  const newProject = () => createProjects(db).create({ name: 'Test', plan: 'free' }).id
  after(close)
  beforeEach(() => {
    clock.nowMs = NOW
  })

  it('are none unless they are given, and the key is listed as it was made', () => {
    const projectId = newProject()
    const { key, ...made } = keys.create({ projectId })
    expect(made).to.deep.equal({
      id: made.id,
      projectId,
      prefix: key.slice(4, 12),
      name: null,
      botId: null,
      poolId: null,
      allow: null,
      classes: null,
      createdAtMs: NOW,
      expiresAtMs: null,
      revokedAtMs: null,
      lastUsedAtMs: null,
    })
    expect(keys.list(projectId)).to.deep.equal([made])
    expect(keys.get(projectId, made.id)).to.deep.equal(made)
    expect([keys.projectOf(made.id), keys.projectOf('key_none')]).to.deep.equal([projectId, null])
    expect(() => keys.get(newProject(), made.id))
      .to.throw(Fault, `There is no key ${made.id}.`)
      .with.property('code', 'not_found')
  })

  it('take 1 to 50 addresses and ranges, and spell single addresses out as ranges', () => {
    const projectId = newProject()
    const allow = ['203.0.113.7', '2001:db8::1', '10.0.0.0/8', '2001:db8::/32']
    const spelled = ['203.0.113.7/32', '2001:db8::1/128', '10.0.0.0/8', '2001:db8::/32']
    const made = keys.create({ projectId, allow })
    expect(made.allow).to.deep.equal(spelled)
    expect(keys.get(projectId, made.id)).to.deep.include({ allow: spelled, classes: null })
    expect(keys.create({ projectId, allow: many(50) }).allow).to.have.length(50)
    for (const wrong of [[], many(51)]) {
      expect(() => keys.create({ projectId, allow: wrong })).to.throw(Fault, '1 to 50 IP addresses or ranges')
    }
    for (const wrong of ['10.0.0.0/33', 'home', '']) {
      expect(() => keys.create({ projectId, allow: [wrong] })).to.throw(Fault, `${wrong} is not an IP address or range`)
    }
  })

  it('take each route class once, and name those there are', () => {
    const projectId = newProject()
    const made = keys.create({ projectId, classes: ['cheap', 'fetch', 'cheap'] })
    expect(made.classes).to.deep.equal(['cheap', 'fetch'])
    expect(keys.get(projectId, made.id)).to.deep.include({ allow: null, classes: ['cheap', 'fetch'] })
    expect(keys.create({ projectId, classes: KEY_CLASSES }).classes).to.deep.equal(KEY_CLASSES)
    const there = 'Use cheap, fetch, canvas, browser, player.'
    const refused = (classes: readonly string[]) => () => keys.create({ projectId, classes })
    expect(refused([])).to.throw(Fault, `A key needs at least one route class. ${there}`)
    expect(refused(['cheap', 'free'])).to.throw(Fault, `Unknown route class free. ${there}`)
  })

  it('let it expire in the future alone', () => {
    const projectId = newProject()
    expect(() => keys.create({ projectId, expiresAtMs: NOW })).to.throw(Fault, 'must be in the future')
    expect(keys.create({ projectId, expiresAtMs: NOW + 1 }).expiresAtMs).to.equal(NOW + 1)
  })

  it('stay when it is rotated: the new key lives as long as the old one was meant to', () => {
    const projectId = newProject()
    const old = keys.create({ projectId, expiresAtMs: NOW + 10 * HOUR_MS })
    clock.nowMs += 2 * HOUR_MS
    expect(keys.rotate(projectId, old.id, HOUR_MS).expiresAtMs).to.equal(NOW + 12 * HOUR_MS)
    expect(keys.get(projectId, old.id).expiresAtMs).to.equal(NOW + 3 * HOUR_MS)
    const endless = keys.create({ projectId })
    expect(keys.rotate(projectId, endless.id, HOUR_MS).expiresAtMs).to.equal(null)
    expect(keys.get(projectId, endless.id).expiresAtMs).to.equal(NOW + 3 * HOUR_MS)
    keys.revoke(projectId, endless.id)
    expect(() => keys.rotate(projectId, endless.id, 0))
      .to.throw(Fault, `The key ${endless.id} is revoked`)
      .with.property('code', 'conflict')
  })

  it('tell what to do when a project has all the keys that it can have', () => {
    const projectId = newProject()
    expect(MAX_ACTIVE_KEYS).to.equal(25)
    for (let count = 0; count < MAX_ACTIVE_KEYS; count++) keys.create({ projectId })
    expect(() => keys.create({ projectId })).to.throw(Fault, 'Revoke one first, or rotate without a grace period.')
    expect(() => keys.create({ projectId: newProject(), botId: '1' }))
      .to.throw(Fault, 'has no bot 1')
      .with.property('code', 'not_found')
  })

  it('lists keys of one moment in the order in which they were made', () => {
    const projectId = newProject()
    const made = Array.from({ length: 5 }, () => keys.create({ projectId }).id)
    expect(keys.list(projectId).map(({ id }) => id)).to.deep.equal(made)
  })
})
