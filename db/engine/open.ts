import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { Fault } from '../../lib/errors.ts'
import { ensurePrivateFile, ensurePrivateFolder } from '../../lib/process/private-files.ts'
import { migrate } from './migrate.ts'
import { FULL, noteWritten, toStorageFault, UNWRITABLE, writeHealthOf, writeProblemOf } from './write-health.ts'

export type Database = Sqlite.Database

/** 'Band' in ASCII: marks a file as ours, so that no other program's database is migrated by mistake. */
export const APPLICATION_ID = 0x42_61_6e_64

/** Long enough for a migration by another process, short enough to report a hang. */
const OPENING_BUSY_MS = 10_000

export interface OpenDatabaseOptions {
  /** Made when missing; the database is `bandstand.db` in it. */
  readonly dataDir: string
  /**
   * Maximum wait for another process's write. better-sqlite3 waits on the calling thread, so in the service every request
   * waits with it: hence 50 ms, after which the caller gets a 503. Writers hold the lock for about a millisecond, so a
   * longer wait means trouble. A command line may be patient.
   */
  readonly busyMs?: number
}

/**
 * The database, migrated to this version. The caller closes it. On a full disk it can be read, and written as soon as
 * there is room; other processes are kept out until `leaveExclusiveMode`.
 * @throws {Fault} when the file cannot be used, is no database of ours, or has a schema that this version cannot continue.
 */
export function openDatabase({ dataDir, busyMs = 50 }: OpenDatabaseOptions): Database {
  const file = join(dataDir, 'bandstand.db')
  ensurePrivateFolder(dataDir)
  // SQLite gives its journal files the mode of the database; it holds sealed tokens, so only the owner reads it.
  ensurePrivateFile(file)
  try {
    return openFile(file, busyMs, 'NORMAL')
  } catch (error) {
    // A database with a log needs shared memory, which is a file beside it: without room, memory of its own has to do.
    if (!sqliteCode(error)?.startsWith('SQLITE_IOERR_SHM')) throw explainDatabaseError(error, file)
  }
  try {
    return openFile(file, busyMs, 'EXCLUSIVE')
  } catch (error) {
    throw explainDatabaseError(error, file)
  }
}

function openFile(file: string, busyMs: number, lockingMode: 'NORMAL' | 'EXCLUSIVE'): Database {
  const db = new Sqlite(file, { timeout: OPENING_BUSY_MS })
  try {
    db.pragma(`locking_mode = ${lockingMode}`)
    prepare(db, file)
    migrate(db)
    if (lockingMode === 'EXCLUSIVE') writeHealthOf(db).failed = FULL
    db.pragma(`busy_timeout = ${busyMs}`)
    return db
  } catch (error) {
    db.close()
    throw error
  }
}

/** Lets other processes in again after a start on a full disk. Throws nothing that a later call may not mend. */
export function leaveExclusiveMode(db: Database): void {
  if (db.pragma('locking_mode', { simple: true }) !== 'exclusive') return
  // Shared memory is only taken up when the write-ahead log begins.
  db.pragma('journal_mode = DELETE')
  db.pragma('locking_mode = NORMAL')
  db.pragma('journal_mode = WAL')
}

function prepare(db: Database, file: string): void {
  const owner = db.pragma('application_id', { simple: true })
  const isEmpty = db.prepare('SELECT count(*) FROM sqlite_schema').pluck().get() === 0
  if (owner !== APPLICATION_ID && !(owner === 0 && isEmpty)) {
    throw new Fault(
      'service_unavailable',
      `${file} belongs to another program. Set DATA_DIR to a folder for Bandstand only.`,
    )
  }
  if (owner !== APPLICATION_ID) db.pragma(`application_id = ${APPLICATION_ID}`)
  db.pragma('journal_mode = WAL')
  // WAL with NORMAL loses nothing when a process is killed, and never corrupts. Only a power cut may take the last commits,
  // and no fsync then stalls the thread. `durably` writes what must outlive a power cut.
  db.pragma('synchronous = NORMAL')
  db.pragma('foreign_keys = ON')
  db.pragma('trusted_schema = OFF')
  // A burst of writes leaves no huge journal behind.
  db.pragma('journal_size_limit = 33554432')
}

/** Explains a database file that cannot be used, in words for an operator. Returns any other error as it is. */
export function explainDatabaseError(error: unknown, file: string): unknown {
  const code = sqliteCode(error)
  if (code === 'SQLITE_NOTADB' || code?.startsWith('SQLITE_CORRUPT')) {
    const advice = 'Move it away and restore a backup. Without a backup, the next start creates a new database.'
    return new Fault('service_unavailable', `${file} is corrupt or not an SQLite database. ${advice}`, { cause: error })
  }
  if (code?.startsWith('SQLITE_BUSY')) {
    const advice = 'Look for a backup, a migration, another program, or a service on a full disk. Then try again.'
    return new Fault('service_unavailable', `${file} stayed locked for 10 s. ${advice}`, { cause: error })
  }
  if (code?.startsWith('SQLITE_FULL') || code?.startsWith('SQLITE_IOERR')) {
    const advice = 'Check the disk and the file system. Free space, then try again.'
    return new Fault('service_unavailable', `Reading or migrating ${file} failed. ${advice}`, {
      cause: error,
    })
  }
  if (code?.startsWith('SQLITE_CANTOPEN') || code?.startsWith('SQLITE_READONLY')) {
    const advice = `Make the service's user the owner of the folder, ${file}-wal and -shm: chown -R.`
    return new Fault('service_unavailable', `Opening ${file} for writing failed. ${advice}`, { cause: error })
  }
  return error
}

/**
 * Runs `applyEvent` as one transaction: other processes see all of it or nothing, and a throw undoes it. Inside
 * another one it is a part of that.
 * @throws {Fault} `service_unavailable` when another process holds the lock too long or the disk is full.
 */
export function atomically<T>(db: Database, change: () => T): T {
  if (db.inTransaction) return change()
  assertInPlace(db)
  try {
    const result = db.transaction(change).immediate()
    noteWritten(db)
    return result
  } catch (error) {
    throw noteFailedWrite(db, error)
  }
}

/** @throws {Fault} when the file is not where the next start looks for it. */
export function assertInPlace(db: Database): void {
  const { moved } = writeHealthOf(db)
  if (moved) throw toStorageFault(moved)
}

/**
 * Like `atomically`, and on the disk itself before it returns: for what a power cut must not take, such as a key that
 * was shown once. Costs an fsync, so it is for rare writes.
 */
export function durably<T>(db: Database, change: () => T): T {
  if (db.inTransaction) return change()
  db.pragma('synchronous = FULL')
  try {
    return atomically(db, change)
  } finally {
    db.pragma('synchronous = NORMAL')
  }
}

/** @throws {Fault} `service_unavailable` while it is known that nothing can be saved. */
export function assertWritable(db: Database): void {
  const problem = writeProblemOf(db)
  if (problem) throw toStorageFault(problem)
}

/** @returns what to throw: a `Fault` `service_unavailable` where the disk or another process is the reason. */
export function noteFailedWrite(db: Database, error: unknown): unknown {
  const code = sqliteCode(error)
  if (code?.startsWith('SQLITE_BUSY')) {
    const options = { cause: error, retryAfterMs: 1000 }
    return new Fault('service_unavailable', 'The database is busy. Try again in a moment.', options)
  }
  const isFull = code?.startsWith('SQLITE_FULL') || code === 'SQLITE_IOERR_SHMSIZE'
  if (!isFull && !code?.startsWith('SQLITE_IOERR') && !code?.startsWith('SQLITE_READONLY')) return error
  const problem = isFull ? FULL : UNWRITABLE
  writeHealthOf(db).failed = problem
  return toStorageFault(problem, error)
}

/** The rule of the schema that a write broke: the identifier that its trigger raises; null for any other error. */
export function brokenRule(error: unknown): string | null {
  if (sqliteCode(error) === 'SQLITE_CONSTRAINT_TRIGGER') return (error as Error).message
  // PostgreSQL's raise_exception.
  return error instanceof Error && 'code' in error && error.code === 'P0001' ? error.message : null
}

function sqliteCode(error: unknown): string | undefined {
  return error instanceof Sqlite.SqliteError ? error.code : undefined
}
