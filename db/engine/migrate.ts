import type { Database } from 'better-sqlite3'
import { Fault } from '../../lib/errors.ts'
import {
  assertSamePast,
  migrationFault,
  readMigrations,
  SQLITE_MIGRATIONS,
  type Applied,
  type Migration,
} from './migrations.ts'

const JOURNAL = `
  -- A migration that was applied, with the SHA-256 of the text that it had then.
  CREATE TABLE IF NOT EXISTS migration (
    number        INTEGER PRIMARY KEY,
    name          TEXT NOT NULL,
    checksum      TEXT NOT NULL,
    applied_at_ms INTEGER NOT NULL
  ) STRICT`

/**
 * Brings the schema up to the newest file of `folder`. Each file runs in one transaction with its line in the journal,
 * so that a crash or an error leaves the schema as it was before that file.
 * @returns the names of those that ran now.
 * @throws {Fault} that says what to do when the database's past is not the folder's.
 */
export function migrate(db: Database, folder: string = SQLITE_MIGRATIONS): readonly string[] {
  const migrations = readMigrations(folder)
  // Rebuilding a table drops the old one, and with the keys on that would delete the rows that refer to it.
  const foreignKeys = db.pragma('foreign_keys', { simple: true })
  db.pragma('foreign_keys = OFF')
  try {
    return migrations.filter((migration) => applyOnce(db, migration, migrations)).map(({ name }) => name)
  } finally {
    db.pragma(`foreign_keys = ${foreignKeys ? 'ON' : 'OFF'}`)
  }
}

/** The journal is read under the write lock, since another process may be migrating the same database. */
function applyOnce(db: Database, migration: Migration, all: readonly Migration[]): boolean {
  return db
    .transaction(() => {
      db.exec(JOURNAL)
      const applied = db.prepare<[], Applied>('SELECT number, name, checksum FROM migration ORDER BY number').all()
      assertSamePast(db.name, applied, all)
      if (applied.some(({ number }) => number === migration.number)) return false
      run(db, migration)
      return true
    })
    .immediate()
}

function run(db: Database, { number, name, sql, checksum }: Migration): void {
  try {
    db.exec(sql)
  } catch (cause) {
    throw migrationFault(name, cause)
  }
  if (!db.inTransaction) throw new Error(`The migration ${name} must not end its own transaction.`)
  const orphans = db.pragma('foreign_key_check') as readonly { readonly table: string; readonly parent: string }[]
  const [orphan] = orphans
  if (orphan) {
    const why = `${orphans.length} rows would have broken references (the first from ${orphan.table} to ${orphan.parent})`
    throw new Fault('service_unavailable', `The migration ${name} was rolled back: ${why}. Please report this.`)
  }
  db.prepare('INSERT INTO migration VALUES (?, ?, ?, ?)').run(number, name, checksum, Date.now())
}
