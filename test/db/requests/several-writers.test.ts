import { expect } from 'chai'
import { createLoggedRequests, type LoggedRequests } from '../../../db/requests/logged-requests.ts'
import { createPostgresStore } from '../../../db/engine/postgres/postgres-store.ts'
import type { Store } from '../../../db/engine/store.ts'
import { firstIdAt } from '../../../lib/request-log/request-log.ts'
import { loggedRequest } from '../../support/example-requests.ts'
import { insertProject } from '../../support/store-rows.ts'
import { embeddedPostgres, emptyPostgres } from '../../support/stores.ts'

const NOW = Date.UTC(2026, 10, 21, 12)

const same = (count: number) =>
  Array.from({ length: count }, (_, i) => loggedRequest({ id: firstIdAt(NOW + i), projectId: 'first' }))

describe('The requests of several services', () => {
  let store: Store
  let one: LoggedRequests
  let two: LoggedRequests
  before(async function () {
    this.timeout(60_000)
    store = createPostgresStore(await embeddedPostgres())
  })
  beforeEach(async () => {
    await emptyPostgres()
    await insertProject(store, 'first')
    one = createLoggedRequests(store)
    two = createLoggedRequests(store)
  })

  const count = async () => (await two.list({ projectId: 'first', limit: 1000 })).length

  it('are all kept when two were answered at the same moment, and one that comes twice once', async () => {
    await one.add(same(3))
    await one.add(same(3))
    await two.add(same(3))
    expect(await count()).to.equal(6)
    expect(one.lateMs).to.be.greaterThan(0)
  })

  it('are pruned by one service a minute', async () => {
    const bounds = { keptMs: 86_400_000, rowsPerProject: 10, rowsInAll: 10 }
    await one.add(same(20))
    await one.prune(bounds, NOW)
    expect(await count()).to.equal(10)
    await two.add(same(20))
    await two.prune(bounds, NOW + 30_000)
    expect(await count()).to.equal(30)
    await two.prune(bounds, NOW + 60_000)
    expect(await count()).to.equal(10)
  })
})
