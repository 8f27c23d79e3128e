import sql, { join, type Sql } from 'sql-template-tag'
import type { Store } from '../engine/store.ts'

/** A row that is added to the one with the same key. */
export interface CountedRow {
  readonly key: readonly (string | number)[]
  readonly values: readonly number[]
}

/** The parts of a statement before and after the rows. */
interface AddStatement {
  readonly insert: Sql
  readonly add: Sql
}

/** SQLite keeps statements prepared, and making the text of one takes as long as a few rows; PostgreSQL waits for the network at each. */
const ROWS_AT_ONCE = { sqlite: 12, postgres: 100 } as const satisfies Record<Store['engine'], number>

/** Sums up rows with the same key. */
export function foldRows(rows: Iterable<CountedRow>): readonly CountedRow[] {
  const folded = new Map<string, CountedRow>()
  for (const { key, values } of rows) {
    const id = key.join(' ')
    const before = folded.get(id)?.values
    folded.set(id, { key, values: before ? before.map((value, at) => value + (values[at] ?? 0)) : values })
  }
  // Services that write the same rows at once take them in the same order, so that none waits for the other.
  return [...folded].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row)
}

export async function addRows(store: Store, { insert, add }: AddStatement, rows: readonly CountedRow[]): Promise<void> {
  const atOnce = ROWS_AT_ONCE[store.engine]
  for (let from = 0; from < rows.length; from += atOnce) {
    const some = rows.slice(from, from + atOnce).map(({ key, values }) => sql`(${join([...key, ...values])})`)
    await store.run(sql`${insert} ${join(some)} ${add}`)
  }
}
