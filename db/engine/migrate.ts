import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Database } from 'better-sqlite3'
import { Fault } from '../../lib/errors.ts'

const FOLDER = fileURLToPath(new URL('../../migrations/', import.meta.url))

/** One SQL file of the folder. `checksum` is the SHA-256 of its text with plain line ends. */
interface Migration {
  readonly number: number
  readonly name: string
  readonly sql: string
  readonly checksum: string
}

interface Applied {
  readonly number: number
  readonly name: string
  readonly checksum: string
}

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
export function migrate(db: Database, folder: string = FOLDER): readonly string[] {
  const migrations = readFolder(folder)
  // Rebuilding a table drops the old one, and with the keys on that would delete the rows that refer to it.
  const foreignKeys = db.pragma('foreign_keys', { simple: true })
  db.pragma('foreign_keys = OFF')
  try {
    return migrations.filter((migration) => applyOnce(db, migration, migrations)).map(({ name }) => name)
  } finally {
    db.pragma(`foreign_keys = ${foreignKeys ? 'ON' : 'OFF'}`)
  }
}

function readFolder(folder: string): readonly Migration[] {
  const names = readdirSync(folder).filter((name) => name.endsWith('.sql'))
  const migrations = names.toSorted().map((name) => {
    const number = /^(\d{4})_[a-z0-9_]+\.sql$/.exec(name)?.[1]
    if (!number) throw new Error(`The migration ${name} must have a name like 0001_what_it_does.sql.`)
    const sql = readFileSync(`${folder}/${name}`, 'utf8').replaceAll('\r\n', '\n')
    return { number: Number(number), name, sql, checksum: createHash('sha256').update(sql).digest('hex') }
  })
  for (const [i, { number, name }] of migrations.entries()) {
    const other = migrations[i + 1]
    if (other?.number === number) throw new Error(`The migrations ${name} and ${other.name} have the same number.`)
  }
  return migrations
}

/** The journal is read under the write lock, since another process may be migrating the same database. */
function applyOnce(db: Database, migration: Migration, all: readonly Migration[]): boolean {
  return db
    .transaction(() => {
      db.exec(JOURNAL)
      const applied = db.prepare<[], Applied>('SELECT number, name, checksum FROM migration ORDER BY number').all()
      assertSamePast(db, applied, all)
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
    const why = `The migration ${name} failed and was rolled back: ${(cause as Error).message}.`
    throw new Fault('service_unavailable', `${why} Go back to the previous version, or fix the cause.`, { cause })
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

function assertSamePast({ name: file }: Database, applied: readonly Applied[], all: readonly Migration[]): void {
  const newest = all.at(-1)?.number ?? 0
  for (const past of applied) {
    const known = all.find(({ number }) => number === past.number)
    if (!known && past.number > newest)
      throw refusal(file, `its schema (${past.name}) is newer than this version`, UPDATE)
    if (!known) throw refusal(file, `its applied migration ${past.name} is missing from migrations/`, RESTORE)
    if (known.checksum !== past.checksum || known.name !== past.name) {
      throw refusal(file, `the migration ${past.name} has changed since it was applied`, RESTORE)
    }
  }
  const last = applied.at(-1)?.number ?? 0
  const late = all.find(({ number }) => number < last && !applied.some((past) => past.number === number))
  if (late) throw refusal(file, `the new migration ${late.name} comes before applied ones`, RENUMBER)
}

const UPDATE = 'Start the newer version, or restore a backup of this version.'
const RESTORE = 'Restore the released file (`git checkout -- migrations`), or restore a backup.'
const RENUMBER = 'Give the file the next free number.'

function refusal(file: string, why: string, whatToDo: string): Fault {
  return new Fault('service_unavailable', `Bandstand cannot use the database ${file}: ${why}. ${whatToDo}`)
}
