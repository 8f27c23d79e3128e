import { existsSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { Fault } from '../../lib/errors.ts'
import { ensurePrivateFile, ensurePrivateFolder } from '../../lib/process/private-files.ts'
import { isPathClaimed } from './path-claim.ts'

/** The service that holds a DATA_DIR. */
interface Holder {
  readonly pid: number
  readonly startedAtMs: number
}

/** The holder when a service has left no stamp. */
const UNKNOWN: Holder = { pid: 0, startedAtMs: 0 }

/** A service that is about to end, or a glance of `findHolder`, must not refuse the next one. */
const PATIENCE_MS = 1000

/**
 * Makes this process the one service of a DATA_DIR. The lock is a write transaction on a small database of its own that
 * stays open: the kernel ends it with the process, `kill -9` included, so that none is ever left over. Readers see the
 * stamp through it. The admin command line does not take it.
 * On a full disk it holds the lock without a stamp.
 * @throws {Fault} that names the other service, or the file that cannot be used.
 */
export function lockDataDir(dataDir: string, now: () => number = Date.now) {
  const file = lockFile(dataDir)
  if (!existsSync(file) && isPathClaimed(dataDir)) throw refusal(dataDir, null)
  ensurePrivateFolder(dataDir)
  // SQLite does not say why it cannot open a file; the system does.
  ensurePrivateFile(file)
  const db = new Sqlite(file, { timeout: PATIENCE_MS })
  try {
    stamp(db, now())
    // Only what is committed can be read by the next one; a process that slips in between the two holds the lock instead of us.
    db.exec('BEGIN IMMEDIATE')
  } catch (error) {
    db.close()
    throw isBusy(error) ? refusal(dataDir, error) : explained(error, file)
  }
  return {
    /** Lets another service have the folder. */
    release: (): void => void db.close(),
  }
}

function stamp(db: Sqlite.Database, nowMs: number): void {
  try {
    db.exec(
      'BEGIN IMMEDIATE; CREATE TABLE IF NOT EXISTS holder (pid INTEGER, started_at_ms INTEGER) STRICT; DELETE FROM holder',
    )
    db.prepare('INSERT INTO holder VALUES (?, ?)').run(process.pid, nowMs)
    db.exec('COMMIT')
  } catch (error) {
    if (!codeOf(error).startsWith('SQLITE_FULL')) throw error
    if (db.inTransaction) db.exec('ROLLBACK')
  }
}

function explained(error: unknown, file: string): unknown {
  if (!/^SQLITE_(?:NOTADB|CORRUPT)/.test(codeOf(error))) return error
  const advice = 'Make sure that no Bandstand service uses this folder, then delete the file; it has no data.'
  return new Fault('service_unavailable', `${file} is corrupt. ${advice}`, { cause: error })
}

/**
 * The service that holds the folder now, or whose folder was here when it started; null if there is none.
 * @throws {Fault} when the lock is damaged.
 */
export function findHolder(dataDir: string): Holder | null {
  if (!existsSync(lockFile(dataDir))) return isPathClaimed(dataDir) ? UNKNOWN : null
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
    if (!isBusy(error)) throw explained(error, lockFile(dataDir))
    return readStamp(db)
  } finally {
    db.close()
  }
}

/** A lock of a service that is just writing its stamp has none yet. */
function readStamp(db: Sqlite.Database): Holder {
  try {
    const row = db.prepare<[], Holder>('SELECT pid, started_at_ms AS startedAtMs FROM holder').get()
    return row ?? UNKNOWN
  } catch {
    return UNKNOWN
  }
}

function refusal(dataDir: string, cause: unknown): Fault {
  const holder = findHolder(dataDir)
  const who = holder?.pid ? ` (process ${holder.pid}, since ${new Date(holder.startedAtMs).toISOString()})` : ''
  const moved = cause === null ? ', which was moved or deleted since its start' : ''
  const why = `Another Bandstand service${who} uses ${dataDir}${moved}.`
  return new Fault('conflict', `${why} Stop it first, or set DATA_DIR to another folder.`, { cause })
}

function lockFile(dataDir: string): string {
  return join(dataDir, 'service.lock')
}

function isBusy(error: unknown): boolean {
  return codeOf(error).startsWith('SQLITE_BUSY')
}

function codeOf(error: unknown): string {
  return error instanceof Sqlite.SqliteError ? error.code : ''
}
