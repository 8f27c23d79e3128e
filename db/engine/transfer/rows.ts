import { createHash } from 'node:crypto'
import sql, { bulk, empty, join, raw, type RawValue, type Sql } from 'sql-template-tag'
import type { Store } from '../store.ts'
import type { MovedTable } from './tables.ts'

type Value = null | number | string | Uint8Array
type Row = Readonly<Record<string, Value>>

/** Pages grow to this many rows, as long as they stay small: a playlist alone may have a megabyte. */
const MAX_ROWS = 500
const FIRST_ROWS = 16
const MAX_PAGE_BYTES = 2 * 1024 * 1024
/** Parameters of one statement: PostgreSQL takes 65,535, SQLite 32,766. */
const MAX_VALUES = 16_000

/** The content of a table: equal on both engines when every row has arrived. `checksum` does not depend on row order. */
export interface TableContent {
  readonly rows: number
  /** 16 hex digits. */
  readonly checksum: string
}

const CHECKSUM_DIGITS = 16

/** All rows in the order of the primary key, in pages. */
export async function* readPages(store: Store, table: MovedTable): AsyncGenerator<readonly Row[]> {
  const maxRows = Math.max(1, Math.min(MAX_ROWS, Math.floor(MAX_VALUES / table.columns.length)))
  let limit = FIRST_ROWS
  for (let after: Row | null = null; ;) {
    const size = Math.min(limit, maxRows)
    const page: readonly Row[] = await store.all<Row>(pageAfter(table, after, size))
    if (page.length > 0) yield page
    if (page.length < size) return
    after = page.at(-1) ?? null
    const bytes = page.reduce((sum, row) => sum + sizeOf(row), 0)
    limit = Math.max(1, Math.min(2 * size, Math.floor((MAX_PAGE_BYTES * size) / Math.max(bytes, 1))))
  }
}

function pageAfter({ name, columns, key }: MovedTable, after: Row | null, limit: number): Sql {
  const keys = join(key.map(quoted))
  const condition = after ? sql`WHERE (${keys}) > (${join(key.map((it) => after[it]))})` : empty
  return sql`SELECT ${join(columns.map(quoted))} FROM ${quoted(name)} ${condition} ORDER BY ${keys} LIMIT ${limit}`
}

export function insertRows(store: Store, { name, columns }: MovedTable, rows: readonly Row[]): Promise<number> {
  const values = rows.map((row) => columns.map((column) => row[column] as RawValue))
  return store.run(sql`INSERT INTO ${quoted(name)} (${join(columns.map(quoted))}) VALUES ${bulk(values)}`)
}

/** Adds up what a table has, page by page. */
export function createContentCounter({ columns }: MovedTable) {
  const sum = Buffer.alloc(32)
  let rows = 0
  return {
    add(page: readonly Row[]): void {
      for (const row of page) addDigest(sum, digestOf(row, columns))
      rows += page.length
    },
    result: (): TableContent => ({ rows, checksum: sum.toString('hex', 0, CHECKSUM_DIGITS / 2) }),
  }
}

/** Rows of a table differ by their keys, so that none takes another's digest away. */
function addDigest(sum: Buffer, digest: Buffer): void {
  for (let i = 0; i < sum.length; i++) sum[i] = (sum[i] ?? 0) ^ (digest[i] ?? 0)
}

function digestOf(row: Row, columns: readonly string[]): Buffer {
  const hash = createHash('sha256')
  for (const column of columns) {
    const value = row[column]
    if (value === null || value === undefined) hash.update('n')
    else if (typeof value === 'number') hash.update(`i${value};`)
    else if (typeof value === 'string') hash.update(`t${Buffer.byteLength(value)};${value}`)
    else hash.update(`b${value.byteLength};`).update(value)
  }
  return hash.digest()
}

function sizeOf(row: Row): number {
  return Object.values(row).reduce<number>((sum, value) => {
    if (typeof value === 'string') return sum + value.length
    return sum + (value instanceof Uint8Array ? value.byteLength : 8)
  }, 0)
}

export function quoted(name: string): Sql {
  return raw(`"${name}"`)
}
