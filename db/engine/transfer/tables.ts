import sql, { raw } from 'sql-template-tag'
import type { Store } from '../store.ts'

/** A table whose rows both engines have. */
export type MovedTable = ReturnType<typeof describeTable>

const LIBRARY = "One machine's index of the music on its disk."
const SCRIPTURE = "Imported texts stay on their machine's disk."
const LEASES = 'The current leases of shards end with the services.'
const REQUEST_LOG = 'The request log has most of the rows and keeps them a week, so it starts empty.'

/** Tables that stay where they are, and why. Every other table of either engine moves. */
export const NOT_MOVED: Readonly<Record<string, string>> = {
  migration: 'Each engine has its own migrations.',
  library_track: LIBRARY,
  library_album: LIBRARY,
  library_artist: LIBRARY,
  scripture_translation: SCRIPTURE,
  scripture_book: SCRIPTURE,
  scripture_verse: SCRIPTURE,
  source_failure: "The music sources that block this machine's address.",
  shard_lease: LEASES,
  service_heartbeat: LEASES,
  logged_request: REQUEST_LOG,
  logged_request_count: REQUEST_LOG,
  logged_request_pruning: REQUEST_LOG,
  logged_request_capture: REQUEST_LOG,
}

/** Names of all tables of rows, by engine. */
const ALL_TABLES = {
  sqlite: `SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite_%'`,
  postgres: `SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema()`,
} as const

/** Columns that are written. SQLite does not list its implicit `rowid`, which PostgreSQL has as a column. */
const ALL_COLUMNS = {
  sqlite: `
    SELECT tables.name AS "table", columns.name AS name, columns.pk AS key, 0 AS counted
      FROM pragma_table_list AS tables, pragma_table_xinfo(tables.name) AS columns
     WHERE tables.schema = 'main' AND tables.type = 'table' AND columns.hidden = 0`,
  postgres: `
    SELECT t.relname AS "table", a.attname AS name, coalesce(array_position(i.indkey::int2[], a.attnum), -1) + 1 AS key,
           CASE a.attidentity WHEN '' THEN 0 ELSE 1 END AS counted
      FROM pg_attribute a JOIN pg_class t ON t.oid = a.attrelid AND t.relkind = 'r'
      LEFT JOIN pg_index i ON i.indrelid = t.oid AND i.indisprimary
     WHERE t.relnamespace = current_schema()::regnamespace AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''`,
} as const

const ALL_REFERENCES = `
  SELECT t.relname AS "table", f.relname AS target
    FROM pg_constraint c JOIN pg_class t ON t.oid = c.conrelid JOIN pg_class f ON f.oid = c.confrelid
   WHERE c.contype = 'f' AND t.relnamespace = current_schema()::regnamespace`

interface Column {
  readonly table: string
  readonly name: string
  /** Position in the primary key from 1 on, or 0. */
  readonly key: number
  readonly counted: number
}

/** @returns the names of the tables of a database that move. */
async function movedNames(store: Store): Promise<readonly string[]> {
  const tables = await store.all<{ readonly name: string }>(sql`${raw(ALL_TABLES[store.engine])}`)
  return tables
    .map(({ name }) => name)
    .filter((name) => !(name in NOT_MOVED))
    .toSorted()
}

/**
 * The tables to move, those that others refer to first, as the databases themselves describe them.
 * @throws when the engines differ in a table or column, which would lose rows.
 */
export async function movedTables(sqlite: Store, postgres: Store): Promise<readonly MovedTable[]> {
  const names = await movedNames(postgres)
  assertSame('tables', await movedNames(sqlite), names)
  const columns = await postgres.all<Column>(sql`${raw(ALL_COLUMNS.postgres)}`)
  const others = await sqlite.all<Column>(sql`${raw(ALL_COLUMNS.sqlite)}`)
  const tables = names.map((name) => describeTable(name, columns))
  for (const table of tables) {
    const here = others.filter((it) => it.table === table.name).map((it) => it.name)
    const there = table.columns.filter((name) => name !== 'rowid')
    assertSame(`columns of ${table.name}`, here.toSorted(), there)
  }
  const references = await postgres.all<{ readonly table: string; readonly target: string }>(
    sql`${raw(ALL_REFERENCES)}`,
  )
  return inOrder(tables, references)
}

function describeTable(name: string, all: readonly Column[]) {
  const columns = all.filter(({ table }) => table === name)
  const key = columns.filter((it) => it.key > 0).toSorted((a, b) => a.key - b.key)
  if (key.length === 0) throw new Error(`The table ${name} has no primary key to read its rows by.`)
  return {
    name,
    /** Columns that are written, in alphabetical order: not generated ones. */
    columns: columns.map((it) => it.name).toSorted(),
    /** The primary key. */
    key: key.map((it) => it.name),
    /** The column that PostgreSQL counts up for rows that do not name it. */
    counted: columns.find((it) => it.counted === 1)?.name ?? null,
  }
}

function assertSame(what: string, sqlite: readonly string[], postgres: readonly string[]): void {
  if (sqlite.join() === postgres.join()) return
  throw new Error(`The ${what} differ: SQLite has ${sqlite.join(', ')}; PostgreSQL has ${postgres.join(', ')}.`)
}

function inOrder(
  tables: readonly MovedTable[],
  references: readonly { readonly table: string; readonly target: string }[],
): readonly MovedTable[] {
  const left = new Map(tables.map((table) => [table.name, table]))
  const ordered: MovedTable[] = []
  while (left.size > 0) {
    const next = [...left.values()].find(({ name }) =>
      references.every(({ table, target }) => table !== name || target === name || !left.has(target)),
    )
    if (!next) throw new Error(`The tables ${[...left.keys()].join(', ')} have circular references.`)
    left.delete(next.name)
    ordered.push(next)
  }
  return ordered
}
