import { expect } from 'chai'
import { createKeys, keyDigest, type Keys } from '../../../db/projects/keys.ts'
import { KEYS_TOPIC, rememberKeys } from '../../../db/projects/key-cache.ts'
import { openDatabase } from '../../../db/engine/open.ts'
import { createSqliteStore } from '../../../db/engine/sqlite-store.ts'
import type { Store } from '../../../db/engine/store.ts'
import { createProjects } from '../../../db/projects/projects.ts'
import { eventually } from '../../support/service.ts'
import { temporaryFolder } from '../../support/database.ts'
import { describeOnEachEngine } from '../../support/stores.ts'

describeOnEachEngine('Keys that are remembered', (opened) => {
  let keys: Keys
  let projectId: string
  beforeEach(async () => {
    keys = createKeys(opened.store)
    projectId = (await createProjects(opened.store).create({ name: 'Ours', plan: 'free' })).id
  })

  async function used() {
    const made = await keys.create({ projectId })
    const digest = keyDigest(made.key)
    const find = () => keys.findByDigest(digest)
    // Asked twice, so that the second answer is one that was remembered.
    expect(await find()).to.equal(await find())
    return { id: made.id, find }
  }

  it('are refused at once when this process revokes them', async () => {
    const { id, find } = await used()
    await keys.revoke(projectId, id)
    expect((await find())?.revokedAtMs).to.be.a('number')
  })

  it('follow the plan of their project', async () => {
    const { find } = await used()
    await createProjects(opened.store).setPlan(projectId, 'scale')
    expect((await find())?.plan).to.equal('scale')
  })

  it('are not confused with one another, and a key that is made later is found', async () => {
    const [one, other] = [await used(), await used()]
    expect([(await one.find())?.id, (await other.find())?.id]).to.deep.equal([one.id, other.id])
    const digest = keyDigest(`svc.${'0'.repeat(64)}`)
    expect([await keys.findByDigest(digest), await keys.findByDigest(digest)]).to.deep.equal([null, null])
  })

  it('are 10,000 at most, of which those go first that were used least recently, and never for one that is made up', async () => {
    const asked: string[] = []
    const find = rememberKeys({ ...opened.store, engine: 'sqlite' }, async (digest) => {
      const name = digest.toString('latin1')
      asked.push(name)
      return name.startsWith('made up') ? null : { name }
    })
    for (let i = 0; i < 10_000; i++) await find(Buffer.from(`key ${i}`))
    for (let i = 0; i < 10; i++) await find(Buffer.from(`made up ${i}`))
    asked.length = 0
    await find(Buffer.from('key 0'))
    expect(asked).to.deep.equal([])
    await find(Buffer.from('one more'))
    await find(Buffer.from('key 0'))
    await find(Buffer.from('key 1'))
    expect(asked).to.deep.equal(['one more', 'key 1'])
  })

  it('are not what a look-up brings that a change overtook', async () => {
    const { promise, resolve } = Promise.withResolvers<{ readonly plan: string }>()
    const answers = [promise, Promise.resolve({ plan: 'after' })]
    const find = rememberKeys(opened.store, async () => (await answers.shift()) ?? null)
    const early = find(Buffer.from('key'))
    await opened.store.announce(KEYS_TOPIC)
    resolve({ plan: 'before' })
    expect(await early).to.deep.equal({ plan: 'before' })
    expect(await find(Buffer.from('key'))).to.deep.equal({ plan: 'after' })
  })
})

describe('Keys that another process changes, on SQLite', () => {
  const folder = temporaryFolder()
  const open = () => createSqliteStore(openDatabase({ dataDir: folder.path }))
  let ours: Store
  let theirs: Store
  before(() => {
    // A connection of its own is to SQLite what another process is.
    ;[ours, theirs] = [open(), open()]
  })
  after(async () => {
    await Promise.all([ours.close(), theirs.close()])
    folder.remove()
  })

  it('are refused soon after it revokes them', async () => {
    const keys = createKeys(ours)
    const { id: projectId } = await createProjects(ours).create({ name: 'Shared', plan: 'free' })
    const { id, key } = await keys.create({ projectId })
    expect((await keys.findByDigest(keyDigest(key)))?.revokedAtMs).to.equal(null)
    await createKeys(theirs).revoke(projectId, id)
    await eventually(
      () => keys.findByDigest(keyDigest(key)),
      (found) => found?.revokedAtMs !== null,
    )
  })
})
