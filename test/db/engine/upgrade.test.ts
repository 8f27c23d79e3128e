import { copyFileSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { expect } from 'chai'
import { migrate } from '../../../db/engine/migrate.ts'
import { openDatabase } from '../../../db/engine/open.ts'
import { exampleRows } from '../../support/example-rows.ts'
import { temporaryFolder } from '../../support/database.ts'

const migrations = join(import.meta.dirname, '..', '..', '..', 'migrations')
const files = readdirSync(migrations)
  .filter((name) => name.endsWith('.sql'))
  .toSorted()

/** Columns that went: what they told of no longer exists. */
const DROPPED: ReadonlySet<string> = new Set([
  'project.version',
  'project.changed_at_ms',
  'pool.changed_at_ms',
  'api_key.made_elsewhere',
])

type Rows = Readonly<Record<string, readonly unknown[]>>

function schemaOf(db: Sqlite.Database): readonly unknown[] {
  return db.prepare('SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name').all()
}

function columnsOf(db: Sqlite.Database, table: string): readonly string[] {
  const names = db.prepare('SELECT name FROM pragma_table_info(?)').pluck().all(table) as string[]
  return names.filter((name) => !DROPPED.has(`${table}.${name}`))
}

/** Rows of the tables, limited to the columns in `columns`. */
function readRows(db: Sqlite.Database, columns: Readonly<Record<string, readonly string[]>>): Rows {
  return Object.fromEntries(
    Object.entries(columns).map(([table, names]) => {
      const list = names.map((name) => `"${name}"`).join(', ')
      return [table, db.prepare(`SELECT ${list} FROM "${table}" ORDER BY ${list}`).all()]
    }),
  )
}

describe('an upgrade', () => {
  const folder = temporaryFolder()
  const fresh = openDatabase({ dataDir: join(folder.path, 'fresh') })
  const owner = Number(fresh.pragma('application_id', { simple: true }))
  after(() => {
    fresh.close()
    folder.remove()
  })

  /** A database as an earlier version left it, with a row in every table that it had. */
  function earlier(newest: string): { readonly dataDir: string; readonly rows: Rows } {
    const dataDir = join(folder.path, newest)
    const known = join(dataDir, 'migrations')
    mkdirSync(known, { recursive: true })
    for (const file of files) if (file <= newest) copyFileSync(join(migrations, file), join(known, file))
    const db = new Sqlite(join(dataDir, 'bandstand.db'))
    db.pragma(`application_id = ${owner}`)
    db.pragma('journal_mode = WAL')
    db.pragma('foreign_keys = ON')
    migrate(db, known)
    const tables = exampleRows(db)
    const columns = Object.fromEntries(tables.map((table) => [table, columnsOf(db, table)]))
    const rows = readRows(db, columns)
    db.close()
    return { dataDir, rows }
  }

  for (const file of files) {
    it(`from ${file} keeps every row, and ends at the schema of a new database`, () => {
      const { dataDir, rows } = earlier(file)
      expect(Object.values(rows).every((of) => of.length > 0)).to.equal(true)
      const db = openDatabase({ dataDir })
      const columns = Object.fromEntries(
        Object.entries(rows).map(([table, of]) => [table, Object.keys(of[0] as object)]),
      )
      expect(readRows(db, columns)).to.deep.equal(rows)
      expect(db.pragma('integrity_check', { simple: true })).to.equal('ok')
      expect(db.pragma('foreign_key_check')).to.deep.equal([])
      expect(schemaOf(db)).to.deep.equal(schemaOf(fresh))
      expect(migrate(db)).to.deep.equal([])
      // Data of later versions can be written beside the old rows.
      expect(exampleRows(db).length).to.be.at.least(Object.keys(rows).length)
      db.close()
    })
  }
})
