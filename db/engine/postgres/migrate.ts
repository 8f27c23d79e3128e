import { assertSamePast, migrationFault, POSTGRES_MIGRATIONS, readMigrations } from '../migrations.ts'
import type { Applied, Migration } from '../migrations.ts'
import type { Connection, Connections } from './connections.ts'

/** 'Band' in ASCII: services that start at the same time migrate one after the other. */
const LOCK = 0x42_61_6e_64

const JOURNAL = `
  CREATE TABLE IF NOT EXISTS migration (
    number        bigint PRIMARY KEY,
    name          text NOT NULL,
    checksum      text NOT NULL,
    applied_at_ms bigint NOT NULL
  )`

interface MigrateOptions {
  /** The name that operators know the database by. */
  readonly name: string
  readonly folder?: string
}

/**
 * Brings the schema up to the newest file, each in one transaction with its line in the journal.
 * @returns the names of those that ran now.
 * @throws {Fault} that says what to do when the database's past is not the folder's.
 */
export async function migratePostgres(
  connections: Connections,
  { name, folder = POSTGRES_MIGRATIONS }: MigrateOptions,
): Promise<readonly string[]> {
  const all = readMigrations(folder)
  const applied: string[] = []
  const connection = await connections.hold()
  let isDone = false
  try {
    for (const migration of all) {
      await connection.query('BEGIN', [])
      if (await applyOnce(connection, { migration, all, name })) applied.push(migration.name)
      await connection.query('COMMIT', [])
    }
    isDone = true
    return applied
  } finally {
    // Closing the connection is what undoes a transaction that failed.
    connection.release(!isDone)
  }
}

interface Step {
  readonly migration: Migration
  readonly all: readonly Migration[]
  readonly name: string
}

async function applyOnce(connection: Connection, { migration, all, name }: Step): Promise<boolean> {
  await connection.query('SELECT pg_advisory_xact_lock($1)', [LOCK])
  await connection.query(JOURNAL, [])
  const { rows } = await connection.query('SELECT number, name, checksum FROM migration ORDER BY number', [])
  const applied = rows as readonly Applied[]
  assertSamePast(name, applied, all)
  if (applied.some(({ number }) => number === migration.number)) return false
  await connection.query('SET LOCAL statement_timeout = 0', [])
  try {
    await connection.runScript(migration.sql)
  } catch (cause) {
    throw migrationFault(migration.name, cause)
  }
  const { number, checksum } = migration
  await connection.query('INSERT INTO migration VALUES ($1, $2, $3, $4)', [
    number,
    migration.name,
    checksum,
    Date.now(),
  ])
  return true
}
