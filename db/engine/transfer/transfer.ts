import sql from 'sql-template-tag'
import { Fault } from '../../../lib/errors.ts'
import type { Store } from '../store.ts'
import { createContentCounter, insertRows, quoted, readPages, type TableContent } from './rows.ts'
import { assertNoServices, continueCounting, explainRefusal, lockTables, withoutRules } from './sides.ts'
import { movedTables, type MovedTable } from './tables.ts'
import { counted } from '../../../lib/text.ts'

export interface TransferOptions {
  readonly from: Store
  /** A store of the other engine. Both have the schema of this version. */
  readonly to: Store
  /** Deletes what the target has. Otherwise it must be empty. */
  readonly isReplacing: boolean
  readonly onProgress?: (done: number, total: number) => void
  readonly signal?: AbortSignal
}

/** One table, as it was at the source and as it was read back from the target. */
export interface MovedContent {
  readonly table: string
  readonly source: TableContent
  readonly target: TableContent
  /** Rows that the target had before. */
  readonly replaced: number
}

/**
 * Copies all records that services share from one engine to the other, in one transaction: a throw, an abort or the end of
 * the process leaves the target as it was. The source is not changed. Nothing else may write to either meanwhile.
 * @throws {Fault} `conflict` when services use the database, the target is not empty, or it refuses a row.
 */
export async function transfer(options: TransferOptions): Promise<readonly MovedContent[]> {
  const { from, to } = options
  const [sqlite, postgres] = from.engine === 'sqlite' ? [from, to] : [to, from]
  await assertNoServices(postgres)
  const tables = await movedTables(sqlite, postgres)
  return from.atomically(
    async () => {
      await lockTables(from, tables, 'source')
      return to.atomically(() => copyAll(tables, options), { isBatch: true })
    },
    { isBatch: true },
  )
}

async function copyAll(tables: readonly MovedTable[], options: TransferOptions): Promise<readonly MovedContent[]> {
  const { from, to, signal, onProgress } = options
  await lockTables(to, tables, 'target')
  const replaced = await countRows(to, tables)
  assertEmpty(replaced, options)
  const total = [...(await countRows(from, tables)).values()].reduce((sum, rows) => sum + rows, 0)
  let done = 0
  const advance = (rows: number) => {
    signal?.throwIfAborted()
    // Each row is copied, then read back.
    onProgress?.((done += rows), 2 * total)
  }
  const sources = new Map<string, TableContent>()
  await withoutRules(to, tables, async () => {
    for (const table of tables.toReversed()) await to.run(sql`DELETE FROM ${quoted(table.name)}`)
    for (const table of tables) sources.set(table.name, await copy(table, options, advance))
  })
  await continueCounting(to, tables)
  const moved: MovedContent[] = []
  for (const table of tables) {
    const source = sources.get(table.name) ?? { rows: 0, checksum: '' }
    const target = await measure(table, to, advance)
    moved.push({ table: table.name, source, target, replaced: replaced.get(table.name) ?? 0 })
  }
  assertEqual(moved)
  return moved
}

async function copy(table: MovedTable, { from, to }: TransferOptions, advance: (rows: number) => void) {
  const content = createContentCounter(table)
  for await (const page of readPages(from, table)) {
    content.add(page)
    try {
      await insertRows(to, table, page)
    } catch (error) {
      throw explainRefusal(error, table.name)
    }
    advance(page.length)
  }
  return content.result()
}

async function measure(table: MovedTable, store: Store, advance: (rows: number) => void): Promise<TableContent> {
  const content = createContentCounter(table)
  for await (const page of readPages(store, table)) {
    content.add(page)
    advance(page.length)
  }
  return content.result()
}

async function countRows(store: Store, tables: readonly MovedTable[]): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>()
  for (const { name } of tables) {
    const row = await store.find<{ readonly rows: number }>(sql`SELECT count(*) AS rows FROM ${quoted(name)}`)
    counts.set(name, row?.rows ?? 0)
  }
  return counts
}

function assertEmpty(counts: ReadonlyMap<string, number>, { isReplacing, to }: TransferOptions): void {
  const full = [...counts].filter(([, rows]) => rows > 0)
  if (isReplacing || full.length === 0) return
  const what = full.map(([table, rows]) => `${table} ${rows}`).join(', ')
  const target = to.engine === 'sqlite' ? 'SQLite database' : 'PostgreSQL database'
  throw new Fault('conflict', `The ${target} isn't empty (rows: ${what}). To delete these rows, add --replace.`)
}

function assertEqual(moved: readonly MovedContent[]): void {
  const wrong = moved.find(({ source, target }) => source.rows !== target.rows || source.checksum !== target.checksum)
  if (!wrong) return
  const { table, source, target } = wrong
  const what = `${counted(source.rows, 'row')} (${source.checksum}) became ${target.rows} (${target.checksum})`
  throw new Error(`The copy of table ${table} differs: ${what}. Nothing has moved.`)
}
