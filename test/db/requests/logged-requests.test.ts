import { expect } from 'chai'
import sql from 'sql-template-tag'
import { createLoggedRequests, type LoggedRequests, type RequestBounds } from '../../../db/requests/logged-requests.ts'
import { firstIdAt, type RequestQuery } from '../../../lib/request-log/request-log.ts'
import { loggedRequest } from '../../support/example-requests.ts'
import { insertProject } from '../../support/store-rows.ts'
import { describeOnEachEngine } from '../../support/stores.ts'

const DAY_MS = 86_400_000
const MINUTE_MS = 60_000
const NOW = Date.UTC(2026, 10, 21, 12)

function requests(projectId: string, count: number, fromMs = NOW) {
  return Array.from({ length: count }, (_, i) =>
    loggedRequest({ id: firstIdAt(fromMs + i), projectId, requestId: `${projectId} ${i}` }),
  )
}

describeOnEachEngine('The table of requests', (opened) => {
  let records: LoggedRequests
  let nowMs: number
  beforeEach(async () => {
    nowMs = NOW
    records = createLoggedRequests(opened.store)
    for (const id of ['first', 'second']) await insertProject(opened.store, id)
  })

  /** A minute after the last one. */
  const prune = (bounds: Partial<RequestBounds> = {}) =>
    records.prune({ keptMs: 7 * DAY_MS, rowsPerProject: 100, rowsInAll: 1000, ...bounds }, (nowMs += MINUTE_MS))
  const idsOf = async (projectId: string, query: Partial<RequestQuery> = {}) => {
    const found = await records.list({ limit: 10_000, projectId, ...query })
    return found.map(({ requestId }) => Number(requestId.split(' ')[1]))
  }

  const find = (part: string, keyIds: readonly string[] = []) => idsOf('first', { text: { part, keyIds } })

  it('gives a request back as it was, and no other project a word of it', async () => {
    const full = loggedRequest({
      id: firstIdAt(NOW),
      projectId: 'first',
      path: '/v1/\0\ud800',
      code: 'conflict',
      reason: 'busy',
      message: String.raw`\u0000`,
      durationMs: 0.1,
      limitPerMinute: 60,
    })
    await records.add([full])
    expect(await records.list({ projectId: 'first', limit: 5 })).to.deep.equal([{ ...full, path: '/v1/\ufffd\ufffd' }])
    expect(await records.list({ projectId: 'second', limit: 5 })).to.deep.equal([])
  })

  it('writes a request that comes twice once', async () => {
    await records.add(requests('first', 3))
    await records.add(requests('first', 4))
    expect(await idsOf('first')).to.deep.equal([3, 2, 1, 0])
    await prune({ rowsPerProject: 4 })
    expect(await idsOf('first')).to.have.length(4)
  })

  it('finds a part of path, error, ID or key, counts errors by code and route, and tells how far rows reach', async () => {
    const failed = { status: 404, code: 'not_found', operation: 'getJob', message: 'There is no 100% Job.' }
    const given = [
      {},
      failed,
      { ...failed, path: '/v1/jobs/JOB_1' },
      { status: 429, code: 'rate_limited', keyId: 'key-a' },
    ]
    const made = (projectId: string) =>
      given.map((one, i) =>
        loggedRequest({ id: firstIdAt(NOW + i), projectId, requestId: `${projectId} ${i}`, ...one }),
      )
    const [first, second] = [made('first'), made('second')]
    await records.add([...first, ...second])
    expect(await find('job_1')).to.deep.equal([2])
    expect(await find('100% job')).to.deep.equal([2, 1])
    expect(await find('%')).to.deep.equal([2, 1])
    expect(await find('RATE')).to.deep.equal([3])
    expect(await find('nothing', ['key-a'])).to.deep.equal([3])
    expect(await find('first 0')).to.deep.equal([0])
    const statuses = { least: 400, most: 599 }
    expect(await records.groups({ projectId: 'first', statuses, limit: 10 })).to.deep.equal([
      { code: 'not_found', operation: 'getJob', requests: 2 },
      { code: 'rate_limited', operation: 'encodeBinary', requests: 1 },
    ])
    const ids = first.map(({ id }) => id)
    expect(await records.reach({ projectId: 'first' }, 3)).to.equal(ids[1])
    expect(await records.reach({ projectId: 'first', before: ids[2] }, 2)).to.equal(ids[0])
    expect(await records.reach({ projectId: 'first' }, 5)).to.equal(null)
  })

  it('finds by all that is asked for', async () => {
    await records.add(requests('first', 20))
    const refused = { status: 404, operation: 'play', keyId: 'other', code: 'not_found' }
    await records.add([loggedRequest({ id: firstIdAt(NOW + 50), projectId: 'first', requestId: 'x 50', ...refused })])
    expect(await idsOf('first', { statuses: { least: 400, most: 499 } })).to.deep.equal([50])
    expect(await idsOf('first', { operation: 'play', keyId: 'other', code: 'not_found' })).to.deep.equal([50])
    expect(await idsOf('first', { requestId: 'first 3' })).to.deep.equal([3])
    expect(await idsOf('first', { fromMs: NOW + 5, toMs: NOW + 8 })).to.deep.equal([7, 6, 5])
    expect(await idsOf('first', { before: firstIdAt(NOW + 2) })).to.deep.equal([1, 0])
    expect(await idsOf('first', { after: firstIdAt(NOW + 17), limit: 2 })).to.deep.equal([50, 19])
  })

  it('keeps the newest of a project, and leaves those of others alone', async () => {
    await records.add(requests('first', 5))
    await records.add(requests('second', 330, NOW + 1000))
    await prune()
    expect(await idsOf('second')).to.deep.equal(Array.from({ length: 100 }, (_, i) => 329 - i))
    expect(await idsOf('first')).to.have.length(5)
  })

  it('keeps the newest of all projects', async () => {
    await records.add(requests('first', 90))
    await records.add(requests('second', 90, NOW + 1000))
    await prune({ rowsInAll: 150 })
    expect(await idsOf('first')).to.deep.equal(Array.from({ length: 60 }, (_, i) => 89 - i))
    expect(await idsOf('second')).to.have.length(90)
  })

  it('removes what is older than it is kept, and the requests of projects that are gone', async () => {
    await records.add(requests('first', 150, NOW - 8 * DAY_MS))
    await records.add(requests('first', 20))
    await records.add(requests('gone', 30, NOW + 1000))
    await prune()
    expect(await idsOf('first')).to.have.length(20)
    expect(await idsOf('gone')).to.have.length(0)
    const counts = await opened.store.all(
      sql`SELECT project_id AS "projectId", requests FROM logged_request_count ORDER BY project_id`,
    )
    expect(counts).to.deep.equal([{ projectId: 'first', requests: 20 }])
  })

  it('is empty after it was cleared', async () => {
    await records.add(requests('first', 3))
    await records.clear()
    expect(await idsOf('first')).to.deep.equal([])
  })
})
