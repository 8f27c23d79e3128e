import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { readConfig, type Config } from '../../config.ts'
import { createAccounts, type Accounts } from '../../db/people/accounts.ts'
import { createBotRecords, type BotRecords } from '../../db/projects/bots.ts'
import { createInviteLinks, type InviteLinks } from '../../db/people/invite-links.ts'
import { createKeys, type Keys } from '../../db/projects/keys.ts'
import { findHolder } from '../../db/engine/lock.ts'
import { createMemberships, type Memberships } from '../../db/people/memberships.ts'
import { openDatabase, type Database } from '../../db/engine/open.ts'
import { connectPostgres } from '../../db/engine/postgres/connections.ts'
import { createPostgresStore } from '../../db/engine/postgres/postgres-store.ts'
import { createSqliteStore } from '../../db/engine/sqlite-store.ts'
import type { Store } from '../../db/engine/store.ts'
import { createPools, type Pools } from '../../db/projects/pools.ts'
import { createProjects, type Projects } from '../../db/projects/projects.ts'
import { createScriptureRecords, type ScriptureRecords } from '../../db/scripture.ts'
import { createUsage, type Usage } from '../../db/projects/usage.ts'
import { createVault, type Vault } from '../../db/engine/vault.ts'
import { Fault } from '../../lib/errors.ts'
import { withProgress, type Report, type CountedTask } from './progress.ts'
import { isTerminal, readSecret, type Streams } from './secret.ts'
import { offerStart } from './start-service.ts'

/** The resources of commands. Nothing is opened before a command needs it, so help works without a database. */
export interface AdminContext {
  config(): Config
  /** The shell's search path for programs. */
  searchPath(): string
  database(): Database
  /** The store that all services share: PostgreSQL where DATABASE_URL is set. */
  store(): Store
  /** The store on the disk of this machine. */
  local(): Store
  /** Seals tokens and other secrets. */
  vault(): Vault
  projects(): Projects
  keys(): Keys
  bots(): BotRecords
  pools(): Pools
  accounts(): Accounts
  memberships(): Memberships
  entryLinks(): InviteLinks
  usage(): Usage
  scripture(): ScriptureRecords
  /** One line from standard input, not shown while it is typed. */
  readSecret(prompt: string): Promise<string>
  /** Whether a person is at the other end of standard input. */
  isInteractive(): boolean
  /** Asks whether the service should start, and stays until it has ended where it should. */
  offerStart(): Promise<void>
  /** Prints a command's result: JSON where that was asked for, otherwise as lines for a person. */
  show(options: { readonly json?: boolean }, result: unknown, lines: readonly string[]): void
  /** Runs long work with a progress bar; see `withProgress`. */
  withProgress<T>(task: CountedTask, work: (report: Report, signal: AbortSignal) => Promise<T>): Promise<T>
  /** A remark for a person, apart from the result. */
  note(text: string): void
  close(): Promise<void>
}

/** A command line waits for the service's writes; only the service itself must not wait. */
const BUSY_MS = 5000

export function createAdminContext(env: Readonly<Record<string, string | undefined>>, streams: Streams): AdminContext {
  const config = once(() => configOf(env))
  let opened: Database | null = null
  let shared: Store | null = null
  const db = once(() => {
    const { dataDir } = config()
    assertNotMoved(dataDir)
    return (opened = openDatabase({ dataDir, busyMs: BUSY_MS }))
  })
  const local = once(() => createSqliteStore(db()))
  /** The store that the services share. */
  const store = once(() => {
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
    readSecret: (prompt) => readSecret(streams, prompt),
    isInteractive: () => isTerminal(streams),
    offerStart: () => offerStart(streams),
    show({ json }, result, lines) {
      streams.stdout.write(json ? `${JSON.stringify(result, null, 2)}\n` : `${lines.join('\n')}\n`)
    },
    withProgress: (task, work) => withProgress(streams, task, work),
    note: (text) => void streams.stderr.write(`${text}\n`),
    async close() {
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
