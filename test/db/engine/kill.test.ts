import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { createKeys, keyDigest, keyState } from '../../../db/projects/keys.ts'
import { openDatabase } from '../../../db/engine/open.ts'
import { createSqliteStore } from '../../../db/engine/sqlite-store.ts'
import { temporaryFolder } from '../../support/database.ts'

const MAKER = join(import.meta.dirname, '..', '..', 'support', 'key-maker.ts')
const ROUNDS = 8
/** Projects of each round that are made before it is ended. */
const LEAST = 3

interface Made {
  readonly projectId: string
  readonly revoked: string
  readonly active: readonly string[]
}

describe('processes that make keys, killed with -9', () => {
  const folder = temporaryFolder()
  const acknowledged: Made[] = []
  after(() => folder.remove())

  async function makeUntilKilled(): Promise<void> {
    const child = fork(MAKER, [folder.path])
    const gone = once(child, 'exit')
    child.on('message', (made) => acknowledged.push(made as Made))
    for (let left = LEAST + Math.random() * 8; left > 0; left--) await once(child, 'message')
    await sleep(Math.random() * 10)
    child.kill('SIGKILL')
    await gone
  }

  for (let round = 1; round <= ROUNDS; round++) {
    it(`loses nothing that was acknowledged and starts again (${round} of ${ROUNDS})`, async () => {
      await makeUntilKilled()
      const db = openDatabase({ dataDir: folder.path })
      try {
        expect(db.pragma('integrity_check', { simple: true })).to.equal('ok')
        expect(db.pragma('foreign_key_check')).to.deep.equal([])
        const keys = createKeys(createSqliteStore(db))
        const stateOf = async (key: string) => {
          const found = await keys.findByDigest(keyDigest(key))
          return found && keyState(found, Date.now())
        }
        const states = acknowledged.map(async ({ revoked, active }) =>
          Promise.all([revoked, ...active].map((key) => stateOf(key))),
        )
        const wrong = (await Promise.all(states)).filter(
          ([revoked, ...active]) => revoked !== 'revoked' || active.some((state) => state !== 'active'),
        )
        expect(wrong).to.deep.equal([])
      } finally {
        db.close()
      }
    })
  }

  it('does not keep several processes from opening a new folder at once', async () => {
    const fresh = temporaryFolder()
    const children = Array.from({ length: 3 }, () => fork(MAKER, [join(fresh.path, 'new')]))
    const begun = await Promise.all(
      children.map(async (child) => Promise.race([once(child, 'message'), once(child, 'exit')])),
    )
    for (const [message] of begun) expect(message).to.have.property('projectId')
    await Promise.all(
      children.map(async (child) => {
        child.kill('SIGKILL')
        await once(child, 'exit')
      }),
    )
    fresh.remove()
  })

  it('happened in the middle of real work', () => {
    expect(acknowledged.length).to.be.at.least(ROUNDS * LEAST)
  })
})
