import { expect } from 'chai'
import { createRequestThread } from '../../../db/requests/request-backend.ts'
import { createLog } from '../../../lib/log.ts'
import { closing } from '../../support/closing.ts'
import { loggedRequest } from '../../support/example-requests.ts'
import { temporaryRequestLog } from '../../support/request-log.ts'

const DAY_MS = 86_400_000
const MINUTE_MS = 60_000

describe('the thread of the request log', () => {
  const close = closing()

  /** A log with a request, whose thread has not begun. */
  async function sleeping() {
    const { requests, dataDir } = close(temporaryRequestLog())
    requests.add(loggedRequest({ id: requests.nextId(), projectId: 'one' }))
    await requests.close()
    const bounds = { keptMs: DAY_MS, rowsPerProject: 100, rowsInAll: 100 }
    return close(createRequestThread({ file: `${dataDir}/requests.db`, bounds }, createLog('silent')))
  }

  it('sleeps while no requests come, but removes what is too old within a quarter of an hour', async () => {
    const backend = await sleeping()
    const laterMs = Date.now() + 2 * DAY_MS
    for (let minute = 0; minute < 15; minute++) await backend.prune(['one'], laterMs + minute * MINUTE_MS)
    expect(backend.health().state).to.equal('idle')
    await backend.prune(['one'], laterMs + 15 * MINUTE_MS)
    expect(await backend.list({ projectId: 'one', limit: 10 })).to.have.length(0)
  })

  it('is woken for the requests of a project that is gone', async () => {
    const backend = await sleeping()
    await backend.prune(['one', 'two'], Date.now())
    await backend.prune(['one', 'two', 'three'], Date.now())
    expect(backend.health().state).to.equal('idle')
    await backend.prune(['two', 'three'], Date.now())
    expect(await backend.list({ projectId: 'one', limit: 10 })).to.have.length(0)
  })
})
