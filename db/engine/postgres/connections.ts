import { monotonicNow } from '../../../lib/clock.ts'
import { listenToPostgres, type Listener, type ListenOptions } from './listener.ts'
import { Pool, TypeOverrides, type CustomTypesConfig, type QueryConfig } from 'pg'

export interface QueryAnswer {
  readonly rows: readonly unknown[]
  readonly rowCount: number | null
}

export interface Connection {
  query(text: string, values: readonly unknown[]): Promise<QueryAnswer>
  /** Several statements without values. */
  runScript(sql: string): Promise<void>
}

export interface HeldConnection extends Connection {
  /** @param isBroken it is closed, and not used again */
  release(isBroken: boolean): void
}

/** Connections to a PostgreSQL database, of which each query or transaction takes one. */
export interface Connections extends Connection {
  hold(): Promise<HeldConnection>
  /** Hears what any connection of the database sends to `CHANNEL`. */
  listen(options: ListenOptions): Listener
  close(): Promise<void>
}

const MAX_CONNECTIONS = 10
const CONNECT_TIMEOUT_MS = 5000
/** Time limit of a query on the server; the driver gives up a moment later, for a server that no longer answers. */
const STATEMENT_TIMEOUT_MS = 10_000
const DRIVER_GRACE_MS = 500
/** Once the server has left a query without any answer, what is asked meanwhile fails at once: callers wait for one time-out, not for several. */
const STALLED_MS = 500
const STALLED = /^(?:Query read timeout|timeout exceeded)/
/** Time limit of a migration, which may rebuild a large table. */
const SCRIPT_TIMEOUT_MS = 6 * 3_600_000
/** A service that is stopped in the middle of a transaction must not keep others from writing for longer. */
const IDLE_TRANSACTION_TIMEOUT_MS = 10_000

const INT8 = 20
const NUMERIC = 1700

interface ConnectOptions {
  /** Called when a connection that is not in use breaks. */
  readonly onError: (error: Error) => void
  /** Time limit of connecting and of queries, for callers that cannot wait. Defaults to 5 s and 10 s. */
  readonly timeoutMs?: number
  readonly maxConnections?: number
  /** Time limit of a query alone, for work that may take long. */
  readonly queryTimeoutMs?: number
  /** The server lists the connections under this name. Defaults to `bandstand`. */
  readonly name?: string
}

/** Opens nothing before the first query. */
export function connectPostgres(url: string, options: ConnectOptions): Connections {
  const { onError, timeoutMs, maxConnections = MAX_CONNECTIONS, name = 'bandstand' } = options
  const statementMs = options.queryTimeoutMs ?? timeoutMs ?? STATEMENT_TIMEOUT_MS
  const pool = new Pool({
    connectionString: url,
    application_name: name,
    max: maxConnections,
    connectionTimeoutMillis: timeoutMs ?? Math.min(CONNECT_TIMEOUT_MS, statementMs),
    statement_timeout: statementMs,
    query_timeout: timeoutMs ?? statementMs + DRIVER_GRACE_MS,
    idle_in_transaction_session_timeout: IDLE_TRANSACTION_TIMEOUT_MS,
    keepAlive: true,
    types: numericTypes(),
  })
  pool.on('error', onError)
  const guarded = createStallGuard()
  return {
    query: (text, values) => guarded(() => pool.query(text, [...values])),
    runScript: async (sql) => void (await pool.query(unhurried(sql))),
    async hold() {
      const client = await guarded(() => pool.connect())
      // A connection that breaks between two queries fails the next one; without a listener the process would end.
      client.on('error', onError)
      return {
        query: (text, values) => guarded(() => client.query(text, [...values])),
        runScript: async (sql) => void (await client.query(unhurried(sql))),
        release(isBroken) {
          client.off('error', onError)
          client.release(isBroken)
        },
      }
    },
    listen: (options) => listenToPostgres(url, options),
    close: () => pool.end(),
  }
}

function createStallGuard() {
  let stalledUntilMs = 0
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (monotonicNow() < stalledUntilMs) throw new Error('Query read timeout: the server did not answer the last one')
    try {
      const answer = await work()
      stalledUntilMs = 0
      return answer
    } catch (error) {
      if (error instanceof Error && STALLED.test(error.message)) stalledUntilMs = monotonicNow() + STALLED_MS
      throw error
    }
  }
}

/** The driver waits for it as long as the server works on it. */
function unhurried(sql: string): QueryConfig & { readonly query_timeout: number } {
  return { text: sql, query_timeout: SCRIPT_TIMEOUT_MS }
}

/** Parses as numbers what SQLite returns as numbers: 64-bit integers of ours fit, and sums of them. */
function numericTypes(): CustomTypesConfig {
  const overrides = new TypeOverrides()
  overrides.setTypeParser(INT8, Number)
  overrides.setTypeParser(NUMERIC, Number)
  return overrides
}
