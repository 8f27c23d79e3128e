import { expect } from 'chai'
import { KEY_CLASSES } from '../../../db/projects/key-settings.ts'
import { createKeys, MAX_ACTIVE_KEYS, type Keys } from '../../../db/projects/keys.ts'
import { createProjects } from '../../../db/projects/projects.ts'
import { describeOnEachEngine } from '../../support/stores.ts'
import { faultOf } from '../../support/web.ts'

const NOW = 1_700_000_000_000
const HOUR_MS = 3_600_000
const many = (count: number) => Array.from({ length: count }, (_, at) => `10.0.0.${at}`)

describeOnEachEngine('The limits of a key', (opened) => {
  const clock = { nowMs: NOW }
  let keys: Keys
  const newProject = async () => (await createProjects(opened.store).create({ name: 'Test', plan: 'free' })).id
  beforeEach(() => {
    clock.nowMs = NOW
    keys = createKeys(opened.store, () => clock.nowMs)
  })

  it('are none unless they are given, and the key is listed as it was made', async () => {
    const projectId = await newProject()
    const { key, ...made } = await keys.create({ projectId })
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
    expect(await keys.list(projectId)).to.deep.equal([made])
    expect(await keys.get(projectId, made.id)).to.deep.equal(made)
    expect([await keys.projectOf(made.id), await keys.projectOf('key_none')]).to.deep.equal([projectId, null])
    expect(await faultOf(keys.get(await newProject(), made.id)))
      .to.include({ code: 'not_found' })
      .and.property('message')
      .include(`There is no key ${made.id}.`)
  })

  it('take 1 to 50 addresses and ranges, and spell single addresses out as ranges', async () => {
    const projectId = await newProject()
    const allow = ['203.0.113.7', '2001:db8::1', '10.0.0.0/8', '2001:db8::/32']
    const spelled = ['203.0.113.7/32', '2001:db8::1/128', '10.0.0.0/8', '2001:db8::/32']
    const made = await keys.create({ projectId, allow })
    expect(made.allow).to.deep.equal(spelled)
    expect(await keys.get(projectId, made.id)).to.deep.include({ allow: spelled, classes: null })
    expect((await keys.create({ projectId, allow: many(50) })).allow).to.have.length(50)
    for (const wrong of [[], many(51)]) {
      expect((await faultOf(keys.create({ projectId, allow: wrong }))).message).to.include(
        '1 to 50 IP addresses or ranges',
      )
    }
    for (const wrong of ['10.0.0.0/33', 'home', '']) {
      expect((await faultOf(keys.create({ projectId, allow: [wrong] }))).message).to.include(
        `${wrong} isn't an IP address or range`,
      )
    }
  })

  it('take each route class once, and name those there are', async () => {
    const projectId = await newProject()
    const made = await keys.create({ projectId, classes: ['cheap', 'fetch', 'cheap'] })
    expect(made.classes).to.deep.equal(['cheap', 'fetch'])
    expect(await keys.get(projectId, made.id)).to.deep.include({ allow: null, classes: ['cheap', 'fetch'] })
    expect((await keys.create({ projectId, classes: KEY_CLASSES })).classes).to.deep.equal(KEY_CLASSES)
    const there = 'Use cheap, fetch, canvas, browser, player.'
    const refused = (classes: readonly string[]) => () => keys.create({ projectId, classes })
    expect((await faultOf(refused([])())).message).to.include(`A key needs at least one route class. ${there}`)
    expect((await faultOf(refused(['cheap', 'free'])())).message).to.include(`Unknown route class free. ${there}`)
  })

  it('let it expire in the future alone', async () => {
    const projectId = await newProject()
    expect((await faultOf(keys.create({ projectId, expiresAtMs: NOW }))).message).to.include('must be in the future')
    expect((await keys.create({ projectId, expiresAtMs: NOW + 1 })).expiresAtMs).to.equal(NOW + 1)
  })

  it('stay when it is rotated: the new key lives as long as the old one was meant to', async () => {
    const projectId = await newProject()
    const old = await keys.create({ projectId, expiresAtMs: NOW + 10 * HOUR_MS })
    clock.nowMs += 2 * HOUR_MS
    expect((await keys.rotate(projectId, old.id, HOUR_MS)).expiresAtMs).to.equal(NOW + 12 * HOUR_MS)
    expect((await keys.get(projectId, old.id)).expiresAtMs).to.equal(NOW + 3 * HOUR_MS)
    const endless = await keys.create({ projectId })
    expect((await keys.rotate(projectId, endless.id, HOUR_MS)).expiresAtMs).to.equal(null)
    expect((await keys.get(projectId, endless.id)).expiresAtMs).to.equal(NOW + 3 * HOUR_MS)
    await keys.revoke(projectId, endless.id)
    expect(await faultOf(keys.rotate(projectId, endless.id, 0)))
      .to.include({ code: 'conflict' })
      .and.property('message')
      .include(`The key ${endless.id} is revoked`)
  })

  it('tell what to do when a project has all the keys that it can have', async () => {
    const projectId = await newProject()
    expect(MAX_ACTIVE_KEYS).to.equal(25)
    for (let count = 0; count < MAX_ACTIVE_KEYS; count++) await keys.create({ projectId })
    expect((await faultOf(keys.create({ projectId }))).message).to.include(
      'Revoke one first, or rotate without a grace period.',
    )
    expect(await faultOf(keys.create({ projectId: await newProject(), botId: '1' })))
      .to.include({ code: 'not_found' })
      .and.property('message')
      .include('has no bot 1')
  })

  it('lists keys of one moment in the order in which they were made', async () => {
    const projectId = await newProject()
    const made: string[] = []
    for (let i = 0; i < 5; i++) made.push((await keys.create({ projectId })).id)
    expect((await keys.list(projectId)).map(({ id }) => id)).to.deep.equal(made)
  })
})
