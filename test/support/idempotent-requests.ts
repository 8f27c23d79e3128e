import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { createSqliteStore } from '../../db/engine/sqlite-store.ts'
import { createIdempotentRequests } from '../../db/projects/idempotent-requests.ts'
import type { IdempotentRequests } from '../../lib/idempotency/requests.ts'

const MIGRATION = join(import.meta.dirname, '..', '..', 'migrations', '0034_idempotent_requests.sql')

/** The real ones, in a database that has no other table; made when the first request needs it. */
export function idempotentRequestsInMemory(now: () => number): IdempotentRequests {
  let made: IdempotentRequests | null = null
  const requests = (): IdempotentRequests => {
    if (made) return made
    const db = new Sqlite(':memory:')
    db.exec(readFileSync(MIGRATION, 'utf8'))
    db.pragma('foreign_keys = OFF')
    made = createIdempotentRequests(createSqliteStore(db), now)
    return made
  }
  return {
    claim: (request) => requests().claim(request),
    finish: (id, answer) => requests().finish(id, answer),
    release: (id) => requests().release(id),
    abandon: (id) => requests().abandon(id),
  }
}
