import { existsSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { expect } from 'chai'
import { closing } from '../../support/closing.ts'
import { loggedRequest } from '../../support/example-requests.ts'
import { projects } from '../../support/projects.ts'
import { temporaryRequestLog } from '../../support/request-log.ts'
import { eventually } from '../../support/service.ts'

/** Request table of the version of 2026-11-22. */
const FORMER = `
  CREATE TABLE request (
    id INTEGER PRIMARY KEY, project_id TEXT NOT NULL, key_id TEXT NOT NULL, request_id TEXT NOT NULL,
    request_hash INTEGER NOT NULL, method TEXT NOT NULL, operation TEXT, route TEXT, path TEXT, status INTEGER NOT NULL,
    code TEXT, reason TEXT, message TEXT, duration_ms REAL NOT NULL, address TEXT, limit_class TEXT,
    limit_per_minute INTEGER, limit_remaining INTEGER, limit_spent TEXT, trace_id TEXT
  ) STRICT;
  CREATE INDEX request_of_project ON request (project_id, id, status, operation, key_id, code, request_hash);
  PRAGMA user_version = 1`

describe('requests in the file of a former version', () => {
  const close = closing()

  it('are taken over at the start, and the file is deleted', async () => {
    const log = close(temporaryRequestLog())
    await log.requests.close()
    const file = join(log.dataDir, 'requests.db')
    const former = new Sqlite(file)
    former.pragma('journal_mode = WAL')
    former.exec(FORMER)
    const insert = former.prepare(`
      INSERT INTO request VALUES (:id, :projectId, :keyId, :requestId, 0, :method, :operation, :route, :path, :status, :code,
        :reason, :message, :durationMs, :address, :limitClass, :limitPerMinute, :limitRemaining, :limitSpent, :traceId)`)
    const requests = Array.from({ length: 120 }, (_, i) => loggedRequest({ requestId: `n${i}`, durationMs: i / 3 }))
    for (const request of requests) insert.run(request)
    former.close()
    const again = close(log.reopen())
    await eventually(
      async () => existsSync(file),
      (isThere) => !isThere,
    )
    const found = await again.list({ projectId: projects.one, limit: 1000 })
    expect(found.toReversed()).to.deep.equal(requests)
  })
})
