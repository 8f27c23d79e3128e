import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { expect } from 'chai'
import { openRequestStore, type RequestBounds, type RequestStore } from '../../../db/requests/request-store.ts'
import { firstIdAt } from '../../../lib/request-log/request-log.ts'
import { loggedRequest } from '../../support/example-requests.ts'

const DAY_MS = 86_400_000
const NOW = Date.UTC(2026, 10, 21, 12)

function requests(projectId: string, count: number, fromMs = NOW) {
  return Array.from({ length: count }, (_, i) =>
    loggedRequest({ id: firstIdAt(fromMs + i), projectId, requestId: `${projectId} ${i}` }),
  )
}

describe('the store of the request log', () => {
  let folder: string
  let file: string
  let store: RequestStore

  const open = (bounds: Partial<RequestBounds> = {}) =>
    (store = openRequestStore(file, { keptMs: 7 * DAY_MS, rowsPerProject: 100, rowsInAll: 1000, ...bounds }))
  const idsOf = (projectId: string) =>
    store.list({ projectId, limit: 10_000 }).map(({ requestId }) => Number(requestId.split(' ')[1]))

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'bandstand-requests-'))
    file = join(folder, 'requests.db')
  })
  afterEach(() => {
    store.close()
    rmSync(folder, { recursive: true, force: true })
  })

  it('keeps the newest of a project and leaves those of others alone', () => {
    open()
    store.add(requests('one', 5))
    store.add(requests('two', 130, NOW + 1000))
    expect(idsOf('two')).to.deep.equal(Array.from({ length: 100 }, (_, i) => 129 - i))
    expect(idsOf('one')).to.have.length(5)
  })

  it('keeps the newest of all projects', () => {
    open({ rowsInAll: 150 })
    store.add(requests('one', 90, NOW))
    store.add(requests('two', 90, NOW + 1000))
    expect(idsOf('one')).to.have.length(60)
    expect(Math.min(...idsOf('one'))).to.equal(30)
    expect(idsOf('two')).to.have.length(90)
  })

  it('knows how many there are after it was opened again', () => {
    open()
    store.add(requests('one', 100))
    store.close()
    open()
    store.add(requests('one', 10, NOW + 1000))
    expect(idsOf('one')).to.have.length(100)
  })

  it('removes what is older than it is kept, and the requests of projects that are gone', () => {
    open()
    store.add(requests('one', 50, NOW - 8 * DAY_MS))
    store.add(requests('one', 20, NOW))
    store.add(requests('gone', 30, NOW + 1000))
    expect(store.prune(['one'], NOW)).to.equal(80)
    expect(idsOf('one')).to.have.length(20)
    expect(idsOf('gone')).to.have.length(0)
    expect(store.prune(['one'], NOW)).to.equal(0)
  })

  it('writes a request that comes twice once, as after a crash of its thread', () => {
    open()
    const twice = requests('one', 3)
    store.add(twice)
    store.add(twice)
    expect(idsOf('one')).to.deep.equal([2, 1, 0])
  })

  it('can be read by its owner alone', () => {
    open()
    expect(statSync(file).mode & 0o777).to.equal(0o600)
  })

  it('begins again where the file is damaged, no database, or of another version', () => {
    writeFileSync(file, 'This is no database, but it is long enough to look like one at first sight. '.repeat(20))
    open()
    store.add(requests('one', 1))
    store.close()
    const db = new Sqlite(file)
    db.pragma('user_version = 99')
    db.close()
    open()
    expect(idsOf('one')).to.deep.equal([])
    store.add(requests('one', 2))
    expect(idsOf('one')).to.deep.equal([1, 0])
  })
})
