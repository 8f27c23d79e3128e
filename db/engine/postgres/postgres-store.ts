import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Sql } from 'sql-template-tag'
import type { Store, TransactionOptions } from '../store.ts'
import type { Answer, Connection, Connections, HeldConnection } from './connections.ts'
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
}

/** A store on a PostgreSQL database; see `Store`. */
export function createPostgresStore(connections: Connections): Store {
  const ambient = new AsyncLocalStorage<Transaction>()

  function openTransaction(): Transaction | undefined {
    const transaction = ambient.getStore()
    return transaction?.isOpen ? transaction : undefined
  }

  async function execute(query: Sql): Promise<Answer> {
    const transaction = openTransaction()
    if (transaction) return inTurn(transaction, query)
    try {
      return await ask(connections, query)
    } catch (error) {
      throw toDatabaseFault(error)
    }
  }

  async function runOnce<T>(change: () => Promise<T>, begin: string): Promise<T> {
    const connection = await connections.hold()
    const transaction: Transaction = { isOpen: true, connection, last: Promise.resolve() }
    let isLost = false
    try {
      await connection.query(begin, [])
      const result = await ambient.run(transaction, change)
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

  async function transact<T>(change: () => Promise<T>, options: TransactionOptions = {}): Promise<T> {
    if (openTransaction()) return change()
    try {
      return await untilDone(() => runOnce(change, options.isBatch ? BATCH : SERIAL))
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
    close: () => connections.close(),
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

function ask(connection: Connection, query: Sql): Promise<Answer> {
  return connection.query(query.text, query.values)
}

function inTurn(transaction: Transaction, query: Sql): Promise<Answer> {
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
