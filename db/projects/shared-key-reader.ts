import sql from 'sql-template-tag'
import { Fault } from '../../lib/errors.ts'
import type { Logger } from '../../lib/log.ts'
import { connectPostgres } from '../engine/postgres/connections.ts'
import { explainOpening, shownUrl } from '../engine/postgres/open-postgres.ts'
import { createPostgresStore } from '../engine/postgres/postgres-store.ts'
import type { Store } from '../engine/store.ts'
import type { KeyReader } from './key-reader.ts'
import { createKeyFinder } from './keys.ts'

/** Keys are looked up at most once a second each. */
const MAX_CONNECTIONS = 2

/**
 * Reads the keys of services that share a PostgreSQL database: it writes nothing and migrates nothing. A revocation counts at
 * once, or after a second where the notification is lost.
 * @throws {Fault} that says what is wrong with the database; `findByDigest` throws `service_unavailable` while it is away.
 */
export async function openSharedKeyReader(url: string, log: Logger): Promise<KeyReader> {
  const onError = (err: unknown) => log.debug({ err }, 'database connection lost')
  const connections = connectPostgres(url, { name: 'bandstand node', maxConnections: MAX_CONNECTIONS, onError })
  const store = createPostgresStore(connections, { onError })
  try {
    await assertTables(store, url)
  } catch (error) {
    await store.close()
    throw explainOpening(error, url)
  }
  return { ...createKeyFinder(store), close: () => store.close() }
}

async function assertTables(store: Store, url: string): Promise<void> {
  const found = await store.find<{ readonly table: string | null }>(sql`SELECT to_regclass('api_key')::text AS "table"`)
  if (found?.table) return
  const message = `PostgreSQL at ${shownUrl(url)} has no tables of Bandstand. Start a service on it once.`
  throw new Fault('service_unavailable', message)
}
