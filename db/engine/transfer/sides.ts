import sql, { join, raw } from 'sql-template-tag'
import { Fault } from '../../../lib/errors.ts'
import type { Store } from '../store.ts'
import { quoted } from './rows.ts'
import type { MovedTable } from './tables.ts'
import { counted } from '../../../lib/text.ts'

/** Maximum wait for another process's lock on a table before the move gives up. */
const LOCK_TIMEOUT = '5s'

/**
 * Inside a transaction: keeps others from writing the tables until it ends. On SQLite the transaction does so itself.
 * @param mode a source may be read meanwhile
 */
export async function lockTables(store: Store, tables: readonly MovedTable[], mode: 'source' | 'target') {
  if (store.engine === 'sqlite') return
  // Copying takes as long as there are rows.
  await store.run(sql`SET LOCAL statement_timeout = 0`)
  await store.run(sql`SET LOCAL idle_in_transaction_session_timeout = 0`)
  await store.run(sql`SET LOCAL lock_timeout = '${raw(LOCK_TIMEOUT)}'`)
  const names = join(tables.map(({ name }) => quoted(name)))
  await store.run(sql`LOCK TABLE ${names} IN ${raw(mode === 'source' ? 'SHARE' : 'ACCESS EXCLUSIVE')} MODE`)
}

/**
 * Runs `work` inside a transaction without the rules for new rows: they were checked where the rows come from, and would
 * count keys, change versions or ask for rows that come later.
 */
export async function withoutRules(store: Store, tables: readonly MovedTable[], work: () => Promise<void>) {
  const suspend = store.engine === 'sqlite' ? dropTriggers : disableTriggers
  const resume = await suspend(store, tables)
  await work()
  await resume()
}

/** SQLite knows no triggers that rest; they come back word for word. */
async function dropTriggers(store: Store, tables: readonly MovedTable[]): Promise<() => Promise<void>> {
  const names = join(tables.map(({ name }) => name))
  const triggers = await store.all<{ readonly name: string; readonly sql: string }>(
    sql`SELECT name, sql FROM sqlite_schema WHERE type = 'trigger' AND tbl_name IN (${names}) ORDER BY rowid`,
  )
  for (const { name } of triggers) await store.run(sql`DROP TRIGGER ${quoted(name)}`)
  return async () => {
    for (const trigger of triggers) await store.run(sql`${raw(trigger.sql)}`)
  }
}

async function disableTriggers(store: Store, tables: readonly MovedTable[]): Promise<() => Promise<void>> {
  const setAll = async (state: string) => {
    for (const { name } of tables) await store.run(sql`ALTER TABLE ${quoted(name)} ${raw(state)} TRIGGER USER`)
  }
  await setAll('DISABLE')
  return () => setAll('ENABLE')
}

/** Numbers that PostgreSQL gives out go on behind those of the rows that came. */
export async function continueCounting(store: Store, tables: readonly MovedTable[]): Promise<void> {
  if (store.engine === 'sqlite') return
  for (const { name, counted } of tables) {
    if (counted === null) continue
    const column = quoted(counted)
    const row = await store.find<{ readonly next: number }>(
      sql`SELECT coalesce(max(${column}), 0) + 1 AS next FROM ${quoted(name)}`,
    )
    await store.run(sql`ALTER TABLE ${quoted(name)} ALTER COLUMN ${column} RESTART WITH ${raw(String(row?.next ?? 1))}`)
  }
}

/** @throws {Fault} when services or command lines of Bandstand use the PostgreSQL database now. */
export async function assertNoServices(store: Store): Promise<void> {
  if (store.engine === 'sqlite') return
  const row = await store.find<{ readonly processes: number }>(sql`
    SELECT count(*) AS processes FROM pg_stat_activity
     WHERE datname = current_database() AND application_name LIKE 'bandstand%'
       AND application_name <> current_setting('application_name')`)
  if (!row?.processes) return
  const who = `${counted(row.processes, 'Bandstand connection')} to the PostgreSQL database still open.`
  throw new Fault('conflict', `${who} Stop all services, then try again.`)
}

const UNIQUE = '23505'
const NUL = '22021'
const BROKEN_RULE = '23514'

/** Why PostgreSQL refuses a row that SQLite had, in words for an operator; any other error as it is. */
export function explainRefusal(error: unknown, table: string): unknown {
  const { code, detail, message } = error as { readonly code?: string; readonly detail?: string; message?: string }
  if (![UNIQUE, NUL, BROKEN_RULE].includes(code ?? '')) return error
  const why = code === UNIQUE ? 'PostgreSQL ignores case in all alphabets when it compares names.' : ''
  const what = `A row of ${table} can't move: ${detail ?? message}`
  return new Fault('conflict', [what, why, 'Change or delete it, then try again. Nothing has moved.'].join(' '), {
    cause: error,
  })
}
