import type { Sql } from 'sql-template-tag'
import type { Logger } from '../../../lib/log.ts'
import { currentProjectId } from '../../../lib/request-context.ts'
import { createFairShare } from '../../../lib/sharing/fair-share.ts'
import { TaskThread } from '../../../lib/workers/task-thread.ts'
import type { Store } from '../store.ts'
import type { ReaderQuery, ReaderRows, ReaderThreadData } from './reader-thread.ts'
import { programFile } from '../../../lib/installation.ts'

/** One query runs at a time; of those that wait, projects take turns. */
const SHARE = { what: 'database reads', total: 8, share: 4, maxWaiting: 100, maxWaitMs: 5000 }
const HEAP_MB = 128
const TASK_MS = 20_000
/** A query cannot say that it is still working. */
const HUNG_MS = 20_000
const IDLE_MS = 30_000

/**
 * Queries that read many rows to answer with few: searches, and sums over months. They run in a thread
 * with a read-only connection of its own to the database, which sees what was committed before the query. It starts
 * with the first query and ends after half a minute without any.
 * @param store answers while the thread cannot open the file, as on a full disk.
 */
export function createSqliteReader(dataDir: string, log: Logger, store: Pick<Store, 'all'>) {
  const share = createFairShare(SHARE)
  const thread = new TaskThread<ReaderQuery, ReaderRows, ReaderThreadData>({
    file: programFile('db/engine/reader/reader-thread'),
    name: 'database reader',
    log,
    data: { dataDir },
    heapMb: HEAP_MB,
    taskMs: TASK_MS,
    hungMs: HUNG_MS,
    idleMs: IDLE_MS,
    acquire: (_, signal) => share.acquire(currentProjectId(), signal),
  })
  return {
    /** @throws {Fault} `service_unavailable` if too many wait, or one takes too long. */
    async all<Row>(query: Sql): Promise<readonly Row[]> {
      const rows = await thread.run({ text: query.sql, values: query.values })
      return rows === null ? store.all<Row>(query) : (rows as readonly Row[])
    },
    health: () => thread.health(),
    close: (): Promise<void> => thread.close(),
  }
}
