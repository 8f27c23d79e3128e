import type { Database } from '../../db/engine/open.ts'

interface Column {
  readonly name: string
  readonly type: string
  readonly notnull: number
  readonly dflt_value: string | null
  readonly pk: number
}

interface Reference {
  readonly table: string
  readonly from: string
  readonly to: string | null
}

/** Columns whose rules the schema does not spell out in a way that a program can follow. */
const KNOWN: Readonly<Record<string, unknown>> = {
  'bot.id': '81384788765712384',
  'api_key.prefix': '0badcafe',
  'api_key.bot_id': null,
  'api_key.pool_id': null,
  'idempotent_request.effect': '{"position":1}',
  'idempotent_request.status': 200,
  'usage.span': 'day',
  'usage_total.span': 'day',
  'usage_total.part': 'all',
  'guild_settings.sponsor_block': '["sponsor"]',
  'guild_settings.permissions': '{"seek":"dj"}',
  'webhook.events': '["botStopped"]',
  'webhook.bot_ids': null,
  'webhook.reason': null,
  'webhook_delivery.state': 'pending',
  'webhook_attempt.status': 200,
  'webhook_attempt.error': null,
}

/**
 * Writes one row into every table that is still empty, the referred-to first, with values that its checks let pass.
 * @returns the names of all tables of rows.
 * @throws where a table's rules ask for more: give `KNOWN` a value for its column.
 */
export function exampleRows(db: Database): readonly string[] {
  const tables = db
    .prepare(
      `SELECT name, sql FROM pragma_table_list JOIN sqlite_schema USING (name)
       WHERE pragma_table_list.type = 'table' AND name <> 'migration' AND name NOT LIKE 'sqlite_%'`,
    )
    .all() as readonly { readonly name: string; readonly sql: string }[]
  const left = new Map(tables.map(({ name, sql }) => [name, sql]))
  while (left.size > 0) {
    const next = [...left].find(([name]) =>
      referencesOf(db, name).every(({ table }) => table === name || !left.has(table)),
    )
    if (!next) throw new Error(`The tables ${[...left.keys()].join(', ')} refer to each other in a circle.`)
    const [name, sql] = next
    left.delete(name)
    if (db.prepare(`SELECT count(*) FROM "${name}"`).pluck().get() === 0) insert(db, name, sql)
  }
  return tables.map(({ name }) => name)
}

function insert(db: Database, table: string, sql: string): void {
  const columns = db.prepare('SELECT * FROM pragma_table_info(?)').all(table) as readonly Column[]
  const references = referencesOf(db, table)
  const values = columns.map((column) => {
    const reference = references.find(({ from }) => from === column.name)
    if (reference) {
      return db
        .prepare(`SELECT "${reference.to ?? column.name}" FROM "${reference.table}"`)
        .pluck()
        .get()
    }
    const known = KNOWN[`${table}.${column.name}`]
    return known === undefined ? valueOf(column, sql) : known
  })
  const names = columns.map(({ name }) => `"${name}"`).join(', ')
  db.prepare(`INSERT INTO "${table}" (${names}) VALUES (${columns.map(() => '?').join(', ')})`).run(...values)
}

function referencesOf(db: Database, table: string): readonly Reference[] {
  return db.prepare('SELECT * FROM pragma_foreign_key_list(?)').all(table) as readonly Reference[]
}

/** A value that the column's type and its CHECK let pass. */
function valueOf({ name, type }: Column, sql: string): unknown {
  const line = sql.split('\n').find((text) => new RegExp(`(^|[\\s,])"?${name}"?\\s`).test(text)) ?? ''
  const listed = new RegExp(`\\b${name} IN \\('([^']+)'`).exec(line)?.[1]
  if (listed !== undefined) return listed
  if (type === 'BLOB') return Buffer.alloc(Number(/length\(\w+\) = (\d+)/.exec(line)?.[1] ?? 8), 7)
  if (type === 'INTEGER' || type === 'REAL') return 1
  const json = /json_type\(\w+\) = '(\w+)'/.exec(
    sql.match(new RegExp(`json_type\\(${name}\\) = '\\w+'`))?.[0] ?? '',
  )?.[1]
  if (json === 'array') return '["one"]'
  if (json === 'object') return '{"one":1}'
  return `a ${name}`
}
