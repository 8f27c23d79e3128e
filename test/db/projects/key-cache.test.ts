import { setImmediate as turn } from 'node:timers/promises'
import { expect } from 'chai'
import { createKeys, keyDigest, type Keys } from '../../../db/projects/keys.ts'
import { rememberKeys } from '../../../db/projects/key-cache.ts'
import { openDatabase, type Database } from '../../../db/engine/open.ts'
import { createProjects } from '../../../db/projects/projects.ts'
import { temporaryFolder } from '../../support/database.ts'

describe('keys that are remembered', () => {
  const folder = temporaryFolder()
  let ours: Database
  let theirs: Database
  let keys: Keys
  let projectId: string
  before(() => {
    ours = openDatabase({ dataDir: folder.path })
    // A connection of its own is to SQLite what another process is.
    theirs = openDatabase({ dataDir: folder.path })
    keys = createKeys(ours)
    projectId = createProjects(ours).create({ name: 'Shared', plan: 'free' }).id
  })
  after(() => {
    ours.close()
    theirs.close()
    folder.remove()
  })

  function used() {
    const made = keys.create({ projectId })
    const digest = keyDigest(made.key)
    const find = () => keys.findByDigest(digest)
    // Asked twice, so that the second answer is one that was remembered.
    expect(find()).to.equal(find())
    return { id: made.id, find }
  }

  it('are refused at once when this process revokes them', () => {
    const { id, find } = used()
    keys.revoke(projectId, id)
    expect(find()?.revokedAtMs).to.be.a('number')
  })

  it('are refused from the next turn of the event loop on when another process revokes them', async () => {
    const { id, find } = used()
    createKeys(theirs).revoke(projectId, id)
    await turn()
    expect(find()?.revokedAtMs).to.be.a('number')
  })

  it('follow the plan of their project', async () => {
    const { find } = used()
    createProjects(theirs).setPlan(projectId, 'scale')
    await turn()
    expect(find()?.plan).to.equal('scale')
  })

  it('are not confused with one another, and a key that is made later is found', () => {
    const [one, other] = [used(), used()]
    expect([one.find()?.id, other.find()?.id]).to.deep.equal([one.id, other.id])
    const digest = keyDigest(`svc.${'0'.repeat(64)}`)
    expect([keys.findByDigest(digest), keys.findByDigest(digest)]).to.deep.equal([null, null])
  })

  it('are 10,000 at most, of which those go first that were used least recently, and never for one that is made up', () => {
    const asked: string[] = []
    const find = rememberKeys(ours, (digest) => {
      const name = digest.toString('latin1')
      asked.push(name)
      return name.startsWith('made up') ? null : { name }
    })
    for (let i = 0; i < 10_000; i++) find(Buffer.from(`key ${i}`))
    for (let i = 0; i < 10; i++) find(Buffer.from(`made up ${i}`))
    asked.length = 0
    find(Buffer.from('key 0'))
    expect(asked).to.deep.equal([])
    find(Buffer.from('one more'))
    find(Buffer.from('key 0'))
    find(Buffer.from('key 1'))
    expect(asked).to.deep.equal(['one more', 'key 1'])
  })
})
