import sql, { type Sql } from 'sql-template-tag'
import type { Store } from './store.ts'

/**
 * The milliseconds since 1970 by the clock of the database, on which all services agree.
 * @param now only tests hand one in
 */
export function databaseNow({ engine }: Pick<Store, 'engine'>, now?: () => number): Sql {
  if (now) return sql`CAST(${now()} AS bigint)`
  return engine === 'postgres'
    ? sql`CAST(extract(epoch FROM clock_timestamp()) * 1000 AS bigint)`
    : sql`CAST(unixepoch('subsec') * 1000 AS INTEGER)`
}
