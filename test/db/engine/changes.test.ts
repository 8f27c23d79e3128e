import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { watchChanges } from '../../../db/engine/notices/changes.ts'
import { openDatabase } from '../../../db/engine/open.ts'
import { temporaryDatabase } from '../../support/database.ts'

describe('watchChanges()', () => {
  const { db, dataDir, close } = temporaryDatabase()
  const other = openDatabase({ dataDir })
  const errors: unknown[] = []
  let count = 0
  const changes = watchChanges(db, { everyMs: 10, onError: (error) => errors.push(error) })
  after(() => {
    changes.close()
    other.close()
    close()
  })

  const create = (where: typeof db) =>
    where.prepare("INSERT INTO source_failure VALUES (?, 'refused', 0)").run(String(count++))

  it('tells of a write of others, until the subscription ends, and never of our own', async () => {
    let told = 0
    const end = changes.subscribe(() => told++)
    create(db)
    await sleep(40)
    expect(told).to.equal(0)
    create(other)
    await new Promise<void>((resolve) => {
      changes.subscribe(resolve)
    })
    expect(told).to.equal(1)
    end()
    create(other)
    await sleep(40)
    expect(told).to.equal(1)
  })

  it('continues when a listener throws, and still tells the next one', async () => {
    const end = changes.subscribe(() => {
      throw new Error('of the listener')
    })
    create(other)
    await new Promise<void>((resolve) => {
      changes.subscribe(resolve)
    })
    expect(errors).to.have.length(1)
    end()
  })
})
