import sql, { type Sql } from 'sql-template-tag'
import type { Store } from './store.ts'

/** Whether a column has a text in it, in any case. */
export function contains(engine: Store['engine'], column: Sql, part: string): Sql {
  const like = engine === 'postgres' ? sql`ILIKE` : sql`LIKE`
  return sql`${column} ${like} ${`%${escapeLike(part)}%`} ESCAPE '\\'`
}

export function escapeLike(text: string): string {
  return text.replaceAll(/[\\%_]/g, String.raw`\$&`)
}
