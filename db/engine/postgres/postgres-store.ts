import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { randomUUID } from 'node:crypto'
import sql, { type Sql } from 'sql-template-tag'
import type { Store, TransactionOptions } from '../store.ts'
import type { QueryAnswer, Connection, Connections, HeldConnection } from './connections.ts'
import { CHANNEL, type Listener } from './listener.ts'
import { createTopics, type Announcement } from '../notices/topics.ts'
import { isBroken, isInTheWay, toDatabaseFault } from './faults.ts'

/** Transactions that meet others end with the fault of a busy database after these. */
const MOST_RUNS = 12
const MAX_PAUSE_MS = 100

const SERIAL = 'BEGIN ISOLATION LEVEL SERIALIZABLE'
const BATCH = 'BEGIN ISOLATION LEVEL READ COMMITTED'

interface Transaction {
  isOpen: boolean
  readonly connection: HeldConnection
  /** One connection does one query at a time. */
  last: Promise<unknown>
  readonly announced: Announcement[]
}

interface PostgresStoreOptions {
  /** Called with the errors of listeners, and with the reason why the listening connection broke. */
  readonly onError?: (error: unknown) => void
}

/** A store on a PostgreSQL database; see `Store`. */
export function createPostgresStore(
  connections: Connections,
  { onError = () => undefined }: PostgresStoreOptions = {},
): Store {
  const ambient = new AsyncLocalStorage<Transaction>()
  const notices = createNotices(connections, onError)

  function openTransaction(): Transaction | undefined {
    const transaction = ambient.getStore()
    return transaction?.isOpen ? transaction : undefined
  }

  async function execute(query: Sql): Promise<QueryAnswer> {
    const transaction = openTransaction()
    if (transaction) return inTurn(transaction, query)
    try {
      return await ask(connections, query)
    } catch (error) {
      throw toDatabaseFault(error)
    }
  }

  async function runIn<T>(change: () => Promise<T>, begin: string): Promise<T> {
    const connection = await connections.hold()
    const transaction: Transaction = { isOpen: true, connection, last: Promise.resolve(), announced: [] }
    const result = await runOnce(transaction, begin, () => ambient.run(transaction, change))
    notices.tellOwn(transaction.announced)
    return result
  }

  async function transact<T>(change: () => Promise<T>, options: TransactionOptions = {}): Promise<T> {
    if (openTransaction()) return change()
    try {
      return await untilDone(() => runIn(change, options.isBatch ? BATCH : SERIAL))
    } catch (error) {
      throw toDatabaseFault(error)
    }
  }

  return {
    engine: 'postgres',
    all: async <Row>(query: Sql) => (await execute(query)).rows as readonly Row[],
    find: async <Row>(query: Sql) => (await execute(query)).rows[0] as Row | undefined,
    run: async (query) => (await execute(query)).rowCount ?? 0,
    atomically: transact,
    // Every commit is on the server's disk before it is acknowledged.
    durably: (change) => transact(change),
    async announce(topic, key = null) {
      await execute(notices.message(topic, key))
      const transaction = openTransaction()
      if (transaction) transaction.announced.push({ topic, key })
      else notices.tellOwn([{ topic, key }])
    },
    subscribe: (topic, listener) => notices.subscribe(topic, listener),
    async close() {
      await notices.close()
      await connections.close()
    },
  }
}

/** Notices between processes by LISTEN and NOTIFY. Listening begins with the first listener. */
function createNotices(connections: Connections, onError: (error: unknown) => void) {
  const topics = createTopics(onError)
  const sender = randomUUID()
  let listener: Listener | null = null

  function onMessage(payload: string): void {
    const [from, topic = '', ...key] = payload.split(' ')
    if (from !== sender) topics.tell(topic, key.length === 0 ? null : key.join(' '))
  }

  return {
    message(topic: string, key: string | null): Sql {
      const payload = [sender, topic, ...(key === null ? [] : [key])].join(' ')
      return sql`SELECT pg_notify(${CHANNEL}, ${payload})`
    },
    tellOwn: (announced: readonly Announcement[]) => announced.forEach(({ topic, key }) => topics.tell(topic, key)),
    subscribe(topic: string, heard: (key: string | null) => void) {
      listener ??= connections.listen({ onMessage, onConnect: () => topics.tellAll(), onError })
      return topics.subscribe(topic, heard)
    },
    close: async () => listener?.close(),
  }
}

/** Runs a transaction again as long as others are in its way. */
async function untilDone<T>(runOnce: () => Promise<T>): Promise<T> {
  for (let run = 1; ; run++) {
    try {
      return await runOnce()
    } catch (error) {
      if (!isInTheWay(error) || run === MOST_RUNS) throw error
    }
    await sleep(Math.random() * Math.min(2 ** run, MAX_PAUSE_MS))
  }
}

async function runOnce<T>(transaction: Transaction, begin: string, change: () => Promise<T>): Promise<T> {
  const { connection } = transaction
  let isLost = false
  try {
    await connection.query(begin, [])
    const result = await change()
    await transaction.last
    await connection.query('COMMIT', [])
    return result
  } catch (error) {
    isLost = isBroken(error) || !(await rolledBack(transaction))
    throw error
  } finally {
    transaction.isOpen = false
    connection.release(isLost)
  }
}

function ask(connection: Connection, query: Sql): Promise<QueryAnswer> {
  return connection.query(query.text, query.values)
}

function inTurn(transaction: Transaction, query: Sql): Promise<QueryAnswer> {
  const answer = transaction.last.then(() => ask(transaction.connection, query))
  transaction.last = answer.catch(() => undefined)
  return answer
}

async function rolledBack({ connection, last }: Transaction): Promise<boolean> {
  try {
    await last
    await connection.query('ROLLBACK', [])
    return true
  } catch {
    return false
  }
}
