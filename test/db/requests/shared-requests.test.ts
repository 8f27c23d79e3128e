import { expect } from 'chai'
import type { RequestBackend } from '../../../db/requests/request-backend.ts'
import { openRequestLog } from '../../../db/requests/request-log.ts'
import type { RequestBounds } from '../../../db/requests/request-store.ts'
import { createSharedRequests } from '../../../db/requests/shared-requests.ts'
import { createPostgresStore } from '../../../db/engine/postgres/postgres-store.ts'
import type { Store } from '../../../db/engine/store.ts'
import { createLog } from '../../../lib/log.ts'
import { firstIdAt, type RequestQuery } from '../../../lib/request-log/request-log.ts'
import { closing } from '../../support/closing.ts'
import { loggedRequest, packRequests } from '../../support/example-requests.ts'
import { insertProject } from '../../support/store-rows.ts'
import { embeddedPostgres, emptyPostgres } from '../../support/stores.ts'

const DAY_MS = 86_400_000
const NOW = Date.UTC(2026, 10, 21, 12)
const BOUNDS: RequestBounds = { keptMs: 7 * DAY_MS, rowsPerProject: 100, rowsInAll: 1000 }

function requests(projectId: string, count: number, fromMs = NOW) {
  return Array.from({ length: count }, (_, i) =>
    loggedRequest({ id: firstIdAt(fromMs + i), projectId, requestId: `${projectId} ${i}` }),
  )
}

describe('The request log of several services', () => {
  const close = closing()
  let store: Store
  let one: RequestBackend
  let two: RequestBackend
  before(async function () {
    this.timeout(60_000)
    store = createPostgresStore(await embeddedPostgres())
  })
  beforeEach(async () => {
    await emptyPostgres()
    for (const id of ['first', 'second']) await insertProject(store, id)
    open()
  })

  function open(bounds: Partial<RequestBounds> = {}): void {
    one = createSharedRequests(store, { ...BOUNDS, ...bounds })
    two = createSharedRequests(store, { ...BOUNDS, ...bounds })
  }
  const idsOf = async (query: Partial<RequestQuery> & { readonly projectId: string }) => {
    const found = await two.list({ limit: 10_000, ...query })
    return found.map(({ requestId }) => Number(requestId.split(' ')[1]))
  }

  it('gives every service what any of them answered, as it was, and no other project a word of it', async () => {
    const full = loggedRequest({
      id: firstIdAt(NOW),
      projectId: 'first',
      path: '/v1/\0\ud800',
      code: 'conflict',
      reason: 'busy',
      message: String.raw`\u0000`,
      limitPerMinute: 60,
    })
    await one.add(packRequests([full]))
    expect(await two.list({ projectId: 'first', limit: 5 })).to.deep.equal([{ ...full, path: '/v1/\ufffd\ufffd' }])
    expect(await two.list({ projectId: 'second', limit: 5 })).to.deep.equal([])
  })

  it('keeps both of two requests that services answered at the same moment, and one that comes twice once', async () => {
    const same = requests('first', 3)
    await one.add(packRequests(same))
    await one.add(packRequests(same))
    await two.add(packRequests(same))
    expect(await idsOf({ projectId: 'first' })).to.deep.equal([2, 2, 1, 1, 0, 0])
  })

  it('finds by all that is asked for', async () => {
    await one.add(packRequests(requests('first', 20)))
    await one.add(
      packRequests([loggedRequest({ id: firstIdAt(NOW + 50), projectId: 'first', requestId: 'x 50', status: 404 })]),
    )
    const projectId = 'first'
    expect(await idsOf({ projectId, statuses: { least: 400, most: 499 } })).to.deep.equal([50])
    expect(await idsOf({ projectId, requestId: 'first 3' })).to.deep.equal([3])
    expect(await idsOf({ projectId, fromMs: NOW + 5, toMs: NOW + 8 })).to.deep.equal([7, 6, 5])
    expect(await idsOf({ projectId, before: firstIdAt(NOW + 2) })).to.deep.equal([1, 0])
    expect(await idsOf({ projectId, after: firstIdAt(NOW + 17), limit: 2 })).to.deep.equal([50, 19])
    expect(await idsOf({ projectId, keyId: 'none' })).to.deep.equal([])
  })

  it('keeps the newest of a project, what is not too old, and nothing of a project that is gone', async () => {
    await one.add(packRequests(requests('first', 130)))
    await one.add(packRequests([...requests('second', 20, NOW - 8 * DAY_MS), ...requests('second', 5)]))
    await one.add(packRequests(requests('gone', 30)))
    await two.prune([], NOW)
    expect(await idsOf({ projectId: 'first' })).to.deep.equal(Array.from({ length: 100 }, (_, i) => 129 - i))
    expect(await idsOf({ projectId: 'second' })).to.deep.equal([4, 3, 2, 1, 0])
    expect(await idsOf({ projectId: 'gone' })).to.deep.equal([])
  })

  it('keeps the newest of all projects, and is tidied by one service a minute', async () => {
    open({ rowsInAll: 150 })
    await one.add(packRequests(requests('first', 90)))
    await one.prune([], NOW)
    await one.add(packRequests(requests('second', 90, NOW + 1000)))
    await two.prune([], NOW + 30_000)
    expect(await idsOf({ projectId: 'first' })).to.have.length(90)
    await two.prune([], NOW + 60_000)
    expect(await idsOf({ projectId: 'first' })).to.deep.equal(Array.from({ length: 60 }, (_, i) => 89 - i))
    expect(await idsOf({ projectId: 'second' })).to.have.length(90)
  })

  it('is deleted where it is switched off', async () => {
    await one.add(packRequests(requests('first', 3)))
    const config = { dataDir: '/nowhere', requestLog: { isOn: false, bounds: BOUNDS } }
    const log = openRequestLog(config, { store, projects: { list: async () => [] }, log: createLog('silent') })
    expect(log.isOn).to.equal(false)
    // After the deletion, which takes its turn before.
    expect(await idsOf({ projectId: 'first' })).to.deep.equal([])
  })

  it('writes what waits in memory before it is read by the same service', async () => {
    const config = { dataDir: '/nowhere', requestLog: { isOn: true, bounds: BOUNDS } }
    const log = close(openRequestLog(config, { store, projects: { list: async () => [] }, log: createLog('silent') }))
    log.add(loggedRequest({ id: log.nextId(), projectId: 'first', requestId: 'new 1' }))
    expect((await log.list({ projectId: 'first', limit: 5 })).map(({ requestId }) => requestId)).to.deep.equal([
      'new 1',
    ])
    expect(log.lateMs).to.be.greaterThan(0)
  })
})
