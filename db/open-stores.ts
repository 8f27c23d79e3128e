import type { Logger } from '../lib/log.ts'
import { openDatabase, type Database } from './engine/open.ts'
import type { OpenPostgres } from './engine/postgres/open-postgres.ts'
import { createSqliteReader } from './engine/reader/sqlite-reader.ts'
import { createSqliteStore } from './engine/sqlite-store.ts'
import { watchStorage } from './engine/storage.ts'
import { toStorageFault } from './engine/write-health.ts'

/** Location for the records. */
export interface StorageOptions {
  readonly dataDir: string
  /** Null: in the database of this machine. */
  readonly database: { readonly url: string | null }
}

/** Opens the stores of the records. @throws {Fault} that says what to do when one of them cannot be used. */
export async function openStores({ dataDir, database }: StorageOptions, log: Logger, opening: AsyncDisposableStack) {
  const localDatabase = openDatabase({ dataDir })
  const onError = (err: unknown) => log.error({ err }, 'database change failed')
  /** Records that belong to the disk of this machine: SQLite. */
  const local = opening.adopt(createSqliteStore(localDatabase, onError), (it) => it.close())
  /** Reads much of `local` in a thread of its own. */
  const localReader = opening.adopt(createSqliteReader(dataDir, log, local), (it) => it.close())
  const disk = opening.adopt(watchStorage(localDatabase, { dataDir, log }), (it) => it.close())
  const shared = database.url === null ? null : await openShared(database.url, log, opening)
  const problem = () => (shared ? shared.storage.problem() : disk.problem())
  return {
    /** Records shared by all services of the installation: PostgreSQL, or without it the database of this machine. */
    store: shared?.store ?? local,
    local,
    localDatabase,
    localReader,
    /** The same of `store`. */
    reader: shared?.store ?? localReader,
    storage: {
      problem,
      get freeBytes() {
        return disk.freeBytes
      },
    },
    /** Whether the shared store can be read now. */
    isAnswering: () => (shared ? shared.storage.problem()?.reason !== 'unreachable' : answers(localDatabase)),
    /** @throws {Fault} `service_unavailable` while it is known that nothing can be saved there. */
    assertWritable() {
      const found = problem()
      if (found) throw toStorageFault(found)
    },
  }
}

/** The driver is loaded where it is needed alone. */
async function openShared(url: string, log: Logger, opening: AsyncDisposableStack): Promise<OpenPostgres> {
  const { openPostgres } = await import('./engine/postgres/open-postgres.ts')
  return opening.adopt(await openPostgres(url, log), (it) => it.close())
}

function answers(db: Database): boolean {
  try {
    return db.prepare('SELECT 1').pluck().get() === 1
  } catch {
    return false
  }
}
