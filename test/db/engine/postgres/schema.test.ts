import { readdirSync } from 'node:fs'
import { expect } from 'chai'
import { POSTGRES_MIGRATIONS, SQLITE_MIGRATIONS } from '../../../../db/engine/migrations.ts'
import type { Connections } from '../../../../db/engine/postgres/connections.ts'
import { temporaryDatabase } from '../../../support/database.ts'
import { embeddedPostgres } from '../../../support/stores.ts'

/** Tables of one machine's disk, only in SQLite; and the request log of several services, only in PostgreSQL. */
const LOCAL = /^(?:library_|scripture_|source_failure$|sqlite_|migration$|logged_request)/

/** SQLite types by PostgreSQL type. Case-insensitive text is a type there and a collation here. */
const TYPES: Readonly<Record<string, string>> = {
  bigint: 'INTEGER',
  'double precision': 'REAL',
  bytea: 'BLOB',
  text: 'TEXT',
  citext: 'TEXT',
}

/** The first number of which both engines have a file of their own. */
const SHARED_FROM = '0035'

type Row = Readonly<Record<string, string | number>> & { readonly tbl: string }

/** The same fact about the tables, as each engine tells it. */
interface Aspect {
  readonly says: string
  readonly sqlite: string
  readonly postgres: string
  readonly line: (row: Row) => string
}

const COLUMNS: Aspect = {
  says: 'has the tables and columns of SQLite, of the same types, that may be null where they may there',
  sqlite: `
    SELECT tables.name AS tbl, columns.name, columns.type, "notnull" OR pk > 0 AS required, dflt_value IS NOT NULL AS preset
      FROM pragma_table_list AS tables, pragma_table_xinfo(tables.name) AS columns
     WHERE tables.schema = 'main' AND tables.type = 'table'`,
  postgres: `
    SELECT table_name AS tbl, column_name AS name,
           CASE data_type WHEN 'USER-DEFINED' THEN udt_name ELSE data_type END AS type,
           CASE is_nullable WHEN 'NO' THEN 1 ELSE 0 END AS required,
           CASE WHEN column_default IS NULL THEN 0 ELSE 1 END AS preset
      FROM information_schema.columns WHERE table_schema = 'public' AND column_name <> 'rowid'`,
  line: ({ tbl, name = '', type = '', required, preset }) =>
    `${tbl}.${name} ${TYPES[type] ?? type} ${required ? 'required' : 'optional'} ${preset ? 'preset' : ''}`,
}

const UNIQUE: Aspect = {
  says: 'keeps the same columns unique',
  sqlite: `
    SELECT tables.name AS tbl, (SELECT group_concat(name) FROM pragma_index_info(indexes.name)) AS columns, partial
      FROM pragma_table_list AS tables, pragma_index_list(tables.name) AS indexes
     WHERE tables.schema = 'main' AND tables.type = 'table' AND "unique" = 1
     UNION ALL
    SELECT tables.name, columns.name, 0
      FROM pragma_table_list AS tables, pragma_table_info(tables.name) AS columns
     WHERE tables.schema = 'main' AND columns.pk = 1 AND columns.type = 'INTEGER' AND NOT tables.wr
       AND 1 = (SELECT count(*) FROM pragma_table_info(tables.name) WHERE pk > 0)`,
  postgres: `
    SELECT t.relname AS tbl, CASE WHEN i.indpred IS NULL THEN 0 ELSE 1 END AS partial,
           (SELECT string_agg(a.attname, ',' ORDER BY k.place) FROM unnest(i.indkey) WITH ORDINALITY AS k (number, place)
              JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = k.number) AS columns
      FROM pg_index i JOIN pg_class t ON t.oid = i.indrelid JOIN pg_namespace n ON n.oid = t.relnamespace
     WHERE n.nspname = 'public' AND i.indisunique`,
  line: ({ tbl, columns = '', partial }) => `${tbl} (${columns})${partial ? ' partial' : ''}`,
}

const REFERENCES: Aspect = {
  says: 'refers to the same rows, and deletes them together',
  sqlite: `
    SELECT tables.name AS tbl, keys."from" AS name, keys."table" AS target, on_delete AS rule
      FROM pragma_table_list AS tables, pragma_foreign_key_list(tables.name) AS keys WHERE tables.schema = 'main'`,
  postgres: `
    SELECT t.relname AS tbl, a.attname AS name, f.relname AS target,
           CASE c.confdeltype WHEN 'c' THEN 'CASCADE' ELSE 'NO ACTION' END AS rule
      FROM pg_constraint c JOIN pg_class t ON t.oid = c.conrelid JOIN pg_class f ON f.oid = c.confrelid
      JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = c.conkey[1] WHERE c.contype = 'f'`,
  line: ({ tbl, name = '', target = '', rule = '' }) => `${tbl}.${name} → ${target}, ${rule}`,
}

const NAMES: Aspect = {
  says: 'has the same rules and indexes by name',
  sqlite: `SELECT name, tbl_name AS tbl FROM sqlite_schema WHERE type IN ('trigger', 'index') AND sql IS NOT NULL`,
  postgres: `
    SELECT tgname AS name, '' AS tbl FROM pg_trigger WHERE NOT tgisinternal
     UNION ALL
    SELECT c.relname, t.relname FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
      JOIN pg_class t ON t.oid = i.indrelid JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE n.nspname = 'public' AND NOT EXISTS (SELECT 1 FROM pg_constraint WHERE conindid = c.oid)`,
  line: ({ name = '' }) => String(name),
}

describe('The schema of PostgreSQL', () => {
  const sqlite = temporaryDatabase()
  let postgres: Connections
  before(async function () {
    this.timeout(60_000)
    postgres = await embeddedPostgres()
  })
  after(() => sqlite.close())

  for (const { says, line, ...queries } of [COLUMNS, UNIQUE, REFERENCES, NAMES]) {
    it(says, async () => {
      const here = sqlite.db.prepare<[], Row>(queries.sqlite).all()
      const there = (await postgres.query(queries.postgres, [])).rows as readonly Row[]
      const lines = (rows: readonly Row[]) => rows.filter(({ tbl }) => !LOCAL.test(tbl)).map(line)
      expect(lines(there)).to.have.members(lines(here))
      expect(lines(here)).not.to.deep.equal([])
    })
  }

  it('grows by files with the numbers and names of those of SQLite', () => {
    const here = laterFiles(SQLITE_MIGRATIONS)
    expect(laterFiles(POSTGRES_MIGRATIONS).filter((name) => !here.includes(name))).to.deep.equal([])
  })
})

function laterFiles(folder: string): readonly string[] {
  return readdirSync(folder).filter((name) => name.endsWith('.sql') && name >= SHARED_FROM)
}
