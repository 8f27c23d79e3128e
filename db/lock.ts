import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { Fault } from '../errors.ts'

/** Which service holds a DATA_DIR. */
export interface Holder {
  readonly pid: number
  readonly startedAtMs: number
}

export interface InstanceLock {
  /** Lets another service have the folder. */
  release(): void
}

/** A service that is about to end, or a glance of `findHolder`, must not refuse the next one. */
const PATIENCE_MS = 1000

/**
 * Makes this process the one service of a DATA_DIR. The lock is a write transaction on a small database of its own that
 * stays open: the kernel ends it with the process, `kill -9` included, so that none is ever left over. Readers see the
 * stamp through it. The admin command line does not take it.
 * @throws {Fault} that names the other service.
 */
export function lockDataDir(dataDir: string, now: () => number = Date.now): InstanceLock {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const db = new Sqlite(lockFile(dataDir), { timeout: PATIENCE_MS })
  try {
    db.exec(
      'BEGIN IMMEDIATE; CREATE TABLE IF NOT EXISTS holder (pid INTEGER, started_at_ms INTEGER) STRICT; DELETE FROM holder',
    )
    db.prepare('INSERT INTO holder VALUES (?, ?)').run(process.pid, now())
    // Only what is committed can be read by the next one; whoever slips in between the two holds the lock instead of us.
    db.exec('COMMIT; BEGIN IMMEDIATE')
  } catch (error) {
    db.close()
    throw isBusy(error) ? refusal(dataDir, error) : error
  }
  return { release: () => db.close() }
}

/** The service that holds the folder now, or null. */
export function findHolder(dataDir: string): Holder | null {
  let db: Sqlite.Database
  try {
    db = new Sqlite(lockFile(dataDir), { timeout: 0, fileMustExist: true })
  } catch {
    return null
  }
  try {
    db.exec('BEGIN IMMEDIATE')
    return null
  } catch (error) {
    if (!isBusy(error)) throw error
    return readStamp(db)
  } finally {
    db.close()
  }
}

/** A lock of a service that is just writing its stamp has none yet. */
function readStamp(db: Sqlite.Database): Holder {
  try {
    const row = db.prepare<[], Holder>('SELECT pid, started_at_ms AS startedAtMs FROM holder').get()
    return row ?? { pid: 0, startedAtMs: 0 }
  } catch {
    return { pid: 0, startedAtMs: 0 }
  }
}

function refusal(dataDir: string, cause: unknown): Fault {
  const holder = findHolder(dataDir)
  const who = holder?.pid ? ` (process ${holder.pid}, since ${new Date(holder.startedAtMs).toISOString()})` : ''
  const why = `Another Bandstand service${who} uses ${dataDir}.`
  return new Fault('conflict', `${why} Stop it first, or set DATA_DIR to another folder.`, { cause })
}

function lockFile(dataDir: string): string {
  return join(dataDir, 'service.lock')
}

function isBusy(error: unknown): boolean {
  return error instanceof Sqlite.SqliteError && error.code.startsWith('SQLITE_BUSY')
}
