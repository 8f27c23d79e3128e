import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { readConfig, type Config } from '../../config.ts'
import { createAccounts } from '../../db/people/accounts.ts'
import { createBotRecords } from '../../db/projects/bots.ts'
import { createInviteLinks } from '../../db/people/invite-links.ts'
import { createKeys } from '../../db/projects/keys.ts'
import { findHolder } from '../../db/engine/lock.ts'
import { createMemberships } from '../../db/people/memberships.ts'
import { openDatabase, type Database } from '../../db/engine/open.ts'
import { connectPostgres } from '../../db/engine/postgres/connections.ts'
import { createPostgresStore } from '../../db/engine/postgres/postgres-store.ts'
import { createSqliteStore } from '../../db/engine/sqlite-store.ts'
import type { Store } from '../../db/engine/store.ts'
import { createPools } from '../../db/projects/pools.ts'
import { createProjects } from '../../db/projects/projects.ts'
import { createScriptureRecords } from '../../db/scripture.ts'
import { createUsage } from '../../db/projects/usage.ts'
import { createVault, type Vault } from '../../db/engine/vault.ts'
import { Fault } from '../../lib/errors.ts'
import { withProgress, type Report, type CountedTask } from './progress.ts'
import { isTerminal, readSecret, type Streams } from './secret.ts'
import { offerStart } from './start-service.ts'

/** The option that all commands have. */
export interface Json {
  readonly json?: boolean
}

/** The resources of commands. Nothing is opened before a command needs it, so help works without a database. */
export type AdminContext = ReturnType<typeof createAdminContext>

/** A command line waits for the service's writes; only the service itself must not wait. */
const BUSY_MS = 5000

export function createAdminContext(env: Readonly<Record<string, string | undefined>>, streams: Streams) {
  const config = once(() => configOf(env))
  let opened: Database | null = null
  let shared: Store | null = null
  const db = once(() => {
    const { dataDir } = config()
    assertNotMoved(dataDir)
    return (opened = openDatabase({ dataDir, busyMs: BUSY_MS }))
  })
  /** The store on the disk of this machine. */
  const local = once(() => createSqliteStore(db()))
  /** The store that all services share: PostgreSQL where DATABASE_URL is set. */
  const store = once((): Store => {
    const { url } = config().database
    if (url === null) return local()
    return (shared = createPostgresStore(
      connectPostgres(url, { onError: (err) => streams.stderr.write(`${err.message}\n`) }),
    ))
  })
  const vault = once(() => createVault({ tokenKey: config().tokenKey, dataDir: config().dataDir }))
  const sealing: Pick<Vault, 'seal' | 'open'> = {
    seal: (...it) => vault().seal(...it),
    open: (...it) => vault().open(...it),
  }
  return {
    config,
    searchPath: () => env['PATH'] ?? '',
    database: db,
    store,
    local,
    vault,
    projects: once(() => createProjects(store())),
    keys: once(() => createKeys(store())),
    bots: once(() => createBotRecords(store(), sealing)),
    pools: once(() => createPools(store())),
    accounts: once(() => createAccounts(store(), sealing)),
    memberships: once(() => createMemberships(store())),
    entryLinks: once(() => createInviteLinks(store())),
    usage: once(() => createUsage(store())),
    scripture: once(() => createScriptureRecords(local())),
    /** One line from standard input, not shown while it is typed. */
    readSecret: (prompt: string) => readSecret(streams, prompt),
    isInteractive: () => isTerminal(streams),
    /** Asks whether the service should start, and stays until it has ended where it should. */
    offerStart: () => offerStart(streams),
    /** Prints a command's result: JSON where that was asked for, otherwise as lines for a person. */
    show({ json }: Json, result: unknown, lines: readonly string[]): void {
      streams.stdout.write(json ? `${JSON.stringify(result, null, 2)}\n` : `${lines.join('\n')}\n`)
    },
    /** Runs long work with a progress bar; see `withProgress`. */
    withProgress: <T>(task: CountedTask, work: (report: Report, signal: AbortSignal) => Promise<T>) =>
      withProgress(streams, task, work),
    /** A remark for a person, apart from the result. */
    note: (text: string): void => void streams.stderr.write(`${text}\n`),
    async close(): Promise<void> {
      opened?.close()
      await shared?.close()
    },
  }
}

/** @throws {Fault} if a new database would be made beneath a service that has its own elsewhere by now. */
function assertNotMoved(dataDir: string): void {
  if (existsSync(join(dataDir, 'bandstand.db')) || !findHolder(dataDir)) return
  const what = `${dataDir} has no database, but a running service uses this folder. The database was moved or deleted.`
  throw new Fault('conflict', `${what} Move it back, or stop the service and set DATA_DIR to the new path.`)
}

function configOf(env: Readonly<Record<string, string | undefined>>): Config {
  try {
    return readConfig(env)
  } catch (cause) {
    throw new Fault('validation_error', (cause as Error).message, { cause })
  }
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | null = null
  return () => (made ??= { value: make() }).value
}
