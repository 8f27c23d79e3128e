import { monotonicNow } from '../../../lib/clock.ts'
import { Fault } from '../../../lib/errors.ts'
import type { Logger } from '../../../lib/log.ts'
import type { Storage } from '../storage.ts'
import { UNREACHABLE, UNWRITABLE, type WriteProblem } from '../write-health.ts'
import { connectPostgres, type Connections } from './connections.ts'
import { isBroken, toDatabaseFault } from './faults.ts'
import { migratePostgres } from './migrate.ts'
import { createPostgresStore } from './postgres-store.ts'

export type OpenPostgres = Awaited<ReturnType<typeof openPostgres>>

/** Requests wait for queries: a caller hears within 3 s that the server stands still. */
const QUERY_MS = 2000
const PROBE_EVERY_MS = 2000
/** While the server is away, each try to reach it fails. */
const REPORT_EVERY_MS = 30_000

/** An address without what only the server may know. */
export function shownUrl(url: string): string {
  const { protocol, host, pathname } = new URL(url)
  return `${protocol}//${host}${pathname}`
}

/**
 * The database that several services share, migrated to this version.
 * @throws {Fault} that says what to do when it cannot be reached, or has a schema that this version cannot continue.
 */
export async function openPostgres(url: string, log: Logger) {
  const onError = seldom((err) => log.warn({ err }, 'database connection lost'))
  const connections = connectPostgres(url, { onError, queryTimeoutMs: QUERY_MS })
  try {
    await migratePostgres(connections, { name: shownUrl(url) })
  } catch (error) {
    await connections.close()
    throw explainOpening(error, url)
  }
  const store = createPostgresStore(connections, { onError })
  const storage = watchPostgres(connections, log)
  return {
    store,
    storage,
    async close() {
      storage.close()
      await store.close()
    },
  }
}

function seldom(report: (error: unknown) => void): (error: unknown) => void {
  let lastMs = -Infinity
  return (error) => {
    if (monotonicNow() - lastMs < REPORT_EVERY_MS) return
    lastMs = monotonicNow()
    report(error)
  }
}

/** Explains why a service cannot use the database, in words for an operator. */
export function explainOpening(error: unknown, url: string): unknown {
  if (error instanceof Fault || !(error instanceof Error)) return error
  const advice = 'Check DATABASE_URL, and that the server runs and lets this user in.'
  const why = error.message || ('code' in error ? String(error.code) : error.name)
  const message = `PostgreSQL at ${shownUrl(url)} can't be used (${why}). ${advice}`
  return new Fault('service_unavailable', message, { cause: error })
}

/** Asks every 2 s whether the server answers and can be written, so that this is known without a caller. */
export function watchPostgres(
  connections: Pick<Connections, 'query'>,
  log: Logger,
  everyMs = PROBE_EVERY_MS,
): Pick<Storage, 'problem' | 'close'> {
  let problem: WriteProblem | null = null
  let isLooking = false

  async function look(): Promise<WriteProblem | null> {
    try {
      const { rows } = await connections.query('SELECT pg_is_in_recovery() AS "isStandby"', [])
      const [row] = rows as readonly { readonly isStandby: boolean }[]
      return row?.isStandby ? STANDBY : null
    } catch (error) {
      if (!isBroken(error) && !(toDatabaseFault(error) instanceof Fault))
        log.warn({ err: error }, 'storage probe failed')
      return UNREACHABLE
    }
  }

  async function probe(): Promise<void> {
    if (isLooking) return
    isLooking = true
    const before = problem
    problem = await look()
    isLooking = false
    if (problem?.reason === before?.reason) return
    if (problem) log.error({ reason: problem.reason }, 'storage failed')
    else log.info('storage recovered')
  }

  const timer = setInterval(() => void probe(), everyMs)
  return { problem: () => problem, close: () => clearInterval(timer) }
}

const STANDBY: WriteProblem = {
  ...UNWRITABLE,
  message: 'The PostgreSQL server is read-only, such as a standby. Set DATABASE_URL to the primary server.',
}
