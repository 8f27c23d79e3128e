import { rmSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import Sqlite from 'better-sqlite3'
import { ensurePrivateFile } from '../../lib/process/private-files.ts'
import { firstIdAt, type LoggedRequest, type RequestQuery } from '../../lib/request-log/request-log.ts'
import { COLUMNS, NAMES } from './columns.ts'

/** How much is kept. */
export interface RequestBounds {
  readonly keptMs: number
  readonly rowsPerProject: number
  readonly rowsInAll: number
}

/** The log in a SQLite file of its own. Each call blocks its thread; none takes much more than 50 ms. */
export interface RequestStore {
  /** Writes them in one transaction, then removes what is too many, the oldest first. One that is there already stays. */
  add(requests: readonly LoggedRequest[]): void
  /** The newest first. */
  list(query: RequestQuery): readonly LoggedRequest[]
  /** Removes some of what is too old, or of projects that are not among these. @returns how many. */
  prune(projectIds: readonly string[], nowMs: number): number
  close(): void
}

/** Raised whenever the table changes: a file of another version is replaced by an empty one. */
const VERSION = 1
/** Some 20 ms of deletions. */
export const PRUNED_AT_ONCE = 1000

/*
 * `request_hash` stands in for `request_id` in the index, which has all that is filtered by: a rare answer among 200,000
 * requests is found in there without a look at the rows. A second index by request id would cost more to write than that saves.
 */
const SCHEMA = `
  CREATE TABLE request (
    id               INTEGER PRIMARY KEY,
    project_id       TEXT NOT NULL,
    key_id           TEXT NOT NULL,
    request_id       TEXT NOT NULL,
    request_hash     INTEGER NOT NULL,
    method           TEXT NOT NULL,
    operation        TEXT,
    route            TEXT,
    path             TEXT,
    status           INTEGER NOT NULL,
    code             TEXT,
    reason           TEXT,
    message          TEXT,
    duration_ms      REAL NOT NULL,
    address          TEXT,
    limit_class      TEXT,
    limit_per_minute INTEGER,
    limit_remaining  INTEGER,
    limit_spent      TEXT,
    trace_id         TEXT
  ) STRICT;
  CREATE INDEX request_of_project ON request (project_id, id, status, operation, key_id, code, request_hash);
`

const SELECTED = NAMES.map((name) => `${COLUMNS[name]} AS ${name}`).join(', ')
const INSERT = `
  INSERT OR IGNORE INTO request (request_hash, ${NAMES.map((name) => COLUMNS[name]).join(', ')})
  VALUES (?, ${NAMES.map(() => '?').join(', ')})`

/** Opens or makes the file. What is damaged, or of another version, is deleted: the log is worth no repair. */
export function openRequestStore(file: string, bounds: RequestBounds): RequestStore {
  try {
    return createStore(openFile(file), bounds)
  } catch (error) {
    if (!isUnusable(error)) throw error
    removeRequestLog(file)
    return createStore(openFile(file), bounds)
  }
}

/** Deletes the log with its journal. */
export function removeRequestLog(file: string): void {
  for (const end of ['', '-wal', '-shm']) rmSync(file + end, { force: true })
}

/** Whether the file is damaged, no database, or of another version. */
export function isUnusable(error: unknown): boolean {
  if (error instanceof OtherVersion) return true
  return error instanceof Sqlite.SqliteError && /^SQLITE_(?:CORRUPT|NOTADB)/.test(error.code)
}

class OtherVersion extends Error {}

function openFile(file: string): Sqlite.Database {
  ensurePrivateFile(file)
  const db = new Sqlite(file)
  try {
    db.pragma('journal_mode = WAL')
    // A power cut may take the last seconds. The file stays sound.
    db.pragma('synchronous = NORMAL')
    db.pragma('journal_size_limit = 33554432')
    // The ends of the index of some thousand projects, 16 MiB; and fewer syncs of the disk.
    db.pragma('cache_size = -16384')
    db.pragma('wal_autocheckpoint = 4000')
    const version = db.pragma('user_version', { simple: true })
    if (version === 0) db.transaction(() => create(db))()
    else if (version !== VERSION) throw new OtherVersion()
    return db
  } catch (error) {
    db.close()
    throw error
  }
}

function create(db: Sqlite.Database): void {
  db.exec(SCHEMA)
  db.pragma(`user_version = ${VERSION}`)
}

function createStore(db: Sqlite.Database, { keptMs, ...bounds }: RequestBounds): RequestStore {
  const insert = db.prepare(INSERT)
  const rows = createRows(db)

  function insertAll(requests: readonly LoggedRequest[]): void {
    for (const request of requests) {
      const values = NAMES.map((name) => request[name])
      if (insert.run(crc32(request.requestId), ...values).changes > 0) rows.count(request.projectId, 1)
    }
  }

  return {
    add(requests) {
      // Those of one project beside each other touch fewer pages of the index.
      const projects = Map.groupBy(requests, ({ projectId }) => projectId)
      db.transaction(() => {
        for (const own of projects.values()) insertAll(own)
        rows.removeExcess([...projects.keys()], bounds)
      })()
    },
    list(query) {
      const { where, values } = conditionsOf(query)
      const statement = db.prepare<unknown[], LoggedRequest>(
        `SELECT ${SELECTED} FROM request INDEXED BY request_of_project WHERE ${where} ORDER BY id DESC LIMIT ?`,
      )
      return statement.all(...values, query.limit)
    },
    prune: (projectIds, nowMs) => db.transaction(() => rows.prune(new Set(projectIds), nowMs - keptMs))(),
    close: () => db.close(),
  }
}

/** Knows how many requests there are of each project, and removes the oldest. */
function createRows(db: Sqlite.Database) {
  const remove = (which: string) =>
    db
      .prepare<unknown[], string>(
        `DELETE FROM request WHERE id IN (SELECT id FROM request WHERE ${which} ORDER BY id LIMIT ?) RETURNING project_id`,
      )
      .pluck()
  const oldestOf = remove('project_id = ?')
  const oldestBefore = remove('id < ?')
  const counts = new Map(
    db.prepare('SELECT project_id, count(*) FROM request GROUP BY project_id').raw().all() as [string, number][],
  )
  let total = counts.values().reduce((sum, count) => sum + count, 0)

  function count(projectId: string, change: number): void {
    const left = (counts.get(projectId) ?? 0) + change
    if (left > 0) counts.set(projectId, left)
    else counts.delete(projectId)
    total += change
  }

  function countRemoved(projectIds: readonly string[]): number {
    for (const projectId of projectIds) count(projectId, -1)
    return projectIds.length
  }

  return {
    count,
    removeExcess(projectIds: readonly string[], { rowsPerProject, rowsInAll }: Omit<RequestBounds, 'keptMs'>): void {
      for (const projectId of projectIds) {
        const excess = (counts.get(projectId) ?? 0) - rowsPerProject
        if (excess > 0) countRemoved(oldestOf.all(projectId, Math.min(excess, PRUNED_AT_ONCE)))
      }
      const excess = total - rowsInAll
      if (excess > 0) countRemoved(oldestBefore.all(Number.MAX_SAFE_INTEGER, Math.min(excess, PRUNED_AT_ONCE)))
    },
    prune(known: ReadonlySet<string>, sinceMs: number): number {
      let left = PRUNED_AT_ONCE
      for (const projectId of counts.keys()) {
        if (left > 0 && !known.has(projectId)) left -= countRemoved(oldestOf.all(projectId, left))
      }
      if (left > 0) left -= countRemoved(oldestBefore.all(firstIdAt(sinceMs), left))
      return PRUNED_AT_ONCE - left
    },
  }
}

interface Conditions {
  readonly where: string
  readonly values: readonly unknown[]
}

function conditionsOf(query: RequestQuery): Conditions {
  const { projectId, statuses, operation, keyId, code, requestId, fromMs, toMs, before, after } = query
  const all: readonly (readonly [string, ...unknown[]])[] = [
    ['project_id = ?', projectId],
    ['status BETWEEN ? AND ?', statuses?.least, statuses?.most],
    ['operation = ?', operation],
    ['key_id = ?', keyId],
    ['code = ?', code],
    ['request_hash = ? AND request_id = ?', requestId === undefined ? undefined : crc32(requestId), requestId],
    ['id >= ?', fromMs === undefined ? undefined : firstIdAt(fromMs)],
    ['id < ?', toMs === undefined ? undefined : firstIdAt(toMs)],
    ['id < ?', before],
    ['id > ?', after],
  ]
  const asked = all.filter(([, value]) => value !== undefined)
  return { where: asked.map(([sql]) => sql).join(' AND '), values: asked.flatMap(([, ...values]) => values) }
}
