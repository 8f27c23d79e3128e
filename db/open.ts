import { chmodSync, closeSync, mkdirSync, openSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { Fault } from '../errors.ts'
import { migrate } from './migrate.ts'

export type Database = Sqlite.Database

/** 'Band' in ASCII: marks a file as ours, so that no other program's database is migrated by mistake. */
export const APPLICATION_ID = 0x42_61_6e_64

/** Long enough for a migration by another process, short enough to tell a person that something hangs. */
const OPENING_BUSY_MS = 10_000

export interface OpenOptions {
  /** Made when missing; the database is `bandstand.db` in it. */
  readonly dataDir: string
  /**
   * How long a statement waits for another process's write. better-sqlite3 waits on the calling thread, so in the
   * service every request waits with it: hence 50 ms, after which the caller gets a 503. Writers hold the lock for
   * about a millisecond, so a longer wait means trouble. A command line may be patient.
   */
  readonly busyMs?: number
}

/**
 * The database, migrated to this version. The caller closes it.
 * @throws {Fault} when the file is no database of ours, or its schema is not one that this version can continue.
 */
export function openDatabase({ dataDir, busyMs = 50 }: OpenOptions): Database {
  const file = join(dataDir, 'bandstand.db')
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  // SQLite gives its journal files the mode of the database; it holds sealed tokens, so only the owner reads it.
  closeSync(openSync(file, 'a', 0o600))
  chmodSync(file, 0o600)
  const db = new Sqlite(file, { timeout: OPENING_BUSY_MS })
  try {
    prepare(db, file)
    migrate(db)
    db.pragma(`busy_timeout = ${busyMs}`)
    return db
  } catch (error) {
    db.close()
    throw explained(error, file)
  }
}

function prepare(db: Database, file: string): void {
  const owner = db.pragma('application_id', { simple: true })
  const isEmpty = db.prepare('SELECT count(*) FROM sqlite_schema').pluck().get() === 0
  if (owner !== APPLICATION_ID && !(owner === 0 && isEmpty)) {
    throw new Fault('service_unavailable', `${file} belongs to another program. Set DATA_DIR to a folder of its own.`)
  }
  if (owner !== APPLICATION_ID) db.pragma(`application_id = ${APPLICATION_ID}`)
  db.pragma('journal_mode = WAL')
  // In WAL mode NORMAL loses nothing when a process is killed, and never corrupts. Only a power cut may take the last
  // commits, and no fsync then stalls the thread. What must outlive a power cut is written by `durably`.
  db.pragma('synchronous = NORMAL')
  db.pragma('foreign_keys = ON')
  db.pragma('trusted_schema = OFF')
  // A burst of writes leaves no huge journal behind.
  db.pragma('journal_size_limit = 33554432')
}

function explained(error: unknown, file: string): unknown {
  const code = sqliteCode(error)
  if (code === 'SQLITE_NOTADB' || code?.startsWith('SQLITE_CORRUPT')) {
    const advice = 'Move it away and restore a backup; without one, a new database is made at the next start.'
    return new Fault('service_unavailable', `${file} is damaged or no SQLite database. ${advice}`, { cause: error })
  }
  if (code?.startsWith('SQLITE_BUSY')) {
    const advice = 'Is a backup, a migration or another program holding it? Try again when it is done.'
    return new Fault('service_unavailable', `${file} stayed locked for 10 s. ${advice}`, { cause: error })
  }
  return error
}

/**
 * Runs `change` as one transaction: other processes see all of it or nothing, and a throw undoes it. Inside
 * another one it is a part of that.
 * @throws {Fault} `service_unavailable` when another process holds the lock too long or the disk is full.
 */
export function atomically<T>(db: Database, change: () => T): T {
  if (db.inTransaction) return change()
  try {
    return db.transaction(change).immediate()
  } catch (error) {
    throw writeFault(error)
  }
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

function writeFault(error: unknown): unknown {
  const code = sqliteCode(error)
  if (code?.startsWith('SQLITE_BUSY')) {
    const options = { cause: error, retryAfterMs: 1000 }
    return new Fault('service_unavailable', 'The database is busy. Try again in a moment.', options)
  }
  if (code?.startsWith('SQLITE_FULL') || code?.startsWith('SQLITE_IOERR') || code === 'SQLITE_READONLY') {
    const options = { cause: error, retryAfterMs: 10_000 }
    return new Fault('service_unavailable', 'The database cannot be written: is the disk full?', options)
  }
  return error
}

/** The rule of the schema that a write broke: the identifier that its trigger raises; null for any other error. */
export function brokenRule(error: unknown): string | null {
  return sqliteCode(error) === 'SQLITE_CONSTRAINT_TRIGGER' ? (error as Error).message : null
}

function sqliteCode(error: unknown): string | undefined {
  return error instanceof Sqlite.SqliteError ? error.code : undefined
}
