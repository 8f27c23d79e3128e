import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { Fault } from '../../lib/errors.ts'
import { assetFile } from '../../lib/installation.ts'

export const SQLITE_MIGRATIONS = assetFile('migrations/')
export const POSTGRES_MIGRATIONS = `${SQLITE_MIGRATIONS}postgres/`

/** One SQL file of the folder. `checksum` is the SHA-256 of its text with plain line ends. */
export interface Migration {
  readonly number: number
  readonly name: string
  readonly sql: string
  readonly checksum: string
}

export interface Applied {
  readonly number: number
  readonly name: string
  readonly checksum: string
}

export function readMigrations(folder: string): readonly Migration[] {
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

/**
 * @param database how the operator knows it
 * @throws {Fault} that says what to do when the database's past is not the folder's.
 */
export function assertSamePast(database: string, applied: readonly Applied[], all: readonly Migration[]): void {
  const newest = all.at(-1)?.number ?? 0
  for (const past of applied) {
    const known = all.find(({ number }) => number === past.number)
    if (!known && past.number > newest)
      throw refusal(database, `its schema (${past.name}) is newer than this version`, UPDATE)
    if (!known) throw refusal(database, `its applied migration ${past.name} is missing from migrations/`, RESTORE)
    if (known.checksum !== past.checksum || known.name !== past.name) {
      throw refusal(database, `the migration ${past.name} has changed since it was applied`, RESTORE)
    }
  }
  const last = applied.at(-1)?.number ?? 0
  const late = all.find(({ number }) => number < last && !applied.some((past) => past.number === number))
  if (late) throw refusal(database, `the new migration ${late.name} comes before applied ones`, RENUMBER)
}

const UPDATE = 'Start the newer version, or restore a backup of this version.'
const RESTORE = 'Restore the released file (`git checkout -- migrations`), or restore a backup.'
const RENUMBER = 'Give the file the next free number.'

function refusal(database: string, why: string, whatToDo: string): Fault {
  return new Fault('service_unavailable', `Bandstand can't use the database ${database}: ${why}. ${whatToDo}`)
}

export function migrationFault(name: string, cause: unknown): Fault {
  const why = `The migration ${name} failed and was rolled back: ${(cause as Error).message}.`
  return new Fault('service_unavailable', `${why} Go back to the previous version, or fix the cause.`, { cause })
}
