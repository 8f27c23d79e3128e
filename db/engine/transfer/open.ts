import { openDatabase, type Database } from '../open.ts'
import { connectPostgres } from '../postgres/connections.ts'
import { migratePostgres } from '../postgres/migrate.ts'
import { explainOpening, shownUrl } from '../postgres/open-postgres.ts'
import { createPostgresStore } from '../postgres/postgres-store.ts'
import { lockDataDir } from '../lock.ts'
import { createSqliteStore } from '../sqlite-store.ts'
import { assertNoServices } from './sides.ts'

/** A large table may be counted or emptied by one query. */
const QUERY_TIMEOUT_MS = 6 * 3_600_000
const BUSY_MS = 5000

/** One end of a transfer, with the schema of this version. */
export type OpenSide = Awaited<ReturnType<typeof openPostgresSide>>

/**
 * The database of a DATA_DIR, which no service can take until it is closed.
 * @throws {Fault} when a service runs on it.
 */
export function openDataDir(dataDir: string): OpenSide & { readonly database: Database } {
  const lock = lockDataDir(dataDir)
  try {
    const database = openDatabase({ dataDir, busyMs: BUSY_MS })
    return {
      database,
      store: createSqliteStore(database),
      name: `${dataDir}/bandstand.db`,
      async close() {
        database.close()
        lock.release()
      },
    }
  } catch (error) {
    lock.release()
    throw error
  }
}

/** @throws {Fault} when services use it, it cannot be reached, or its schema is newer than this version. */
export async function openPostgresSide(url: string) {
  const connections = connectPostgres(url, {
    name: 'bandstand migrate',
    onError: () => undefined,
    maxConnections: 2,
    queryTimeoutMs: QUERY_TIMEOUT_MS,
  })
  const store = createPostgresStore(connections)
  try {
    await assertNoServices(store)
    await migratePostgres(connections, { name: shownUrl(url) })
  } catch (error) {
    await store.close()
    throw explainOpening(error, url)
  }
  return {
    store,
    /** The name that operators know it by. */
    name: shownUrl(url),
    close: () => store.close(),
  }
}
