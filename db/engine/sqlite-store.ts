import { AsyncLocalStorage } from 'node:async_hooks'
import { createLru } from '../../lib/sharing/lru.ts'
import type { Statement } from 'better-sqlite3'
import type { Sql } from 'sql-template-tag'
import { assertInPlace, noteFailedWrite, type Database } from './open.ts'
import type { Store } from './store.ts'
import { createTopics, type Announcement, type Topics } from './notices/topics.ts'
import { watchChanges, type Changes } from './notices/changes.ts'
import { noteWritten } from './write-health.ts'

/** More than there are queries; lists of different lengths make a few more. */
const MAX_STATEMENTS = 1000

interface Transaction {
  isOpen: boolean
  readonly announced: Announcement[]
}

/**
 * A store on the one connection of an SQLite database. Queries run at once on the calling thread. Transactions take turns,
 * and what is not a part of the one that runs waits for its end. Inside a transaction only microtasks pass, so that a turn
 * lasts no longer than its queries.
 * @param onError called with the errors of listeners.
 */
export function createSqliteStore(db: Database, onError: (error: unknown) => void = () => undefined): Store {
  const topics = createSharedTopics(db, onError)
  const prepared = rememberStatements(db)
  const turns = createTurns()
  const ambient = new AsyncLocalStorage<Transaction>()
  const isInTransaction = () => ambient.getStore()?.isOpen === true

  async function execute<T>(query: Sql, work: (statement: Statement) => T): Promise<T> {
    if (isInTransaction()) return work(prepared(query))
    await turns.pass()
    const statement = prepared(query)
    return statement.readonly ? work(statement) : write(db, () => work(statement))
  }

  async function transact<T>(change: () => Promise<T>, synchronous: 'NORMAL' | 'FULL'): Promise<T> {
    if (isInTransaction()) return change()
    const endTurn = await turns.take()
    const transaction: Transaction = { isOpen: true, announced: [] }
    try {
      assertInPlace(db)
      if (synchronous === 'FULL') db.pragma('synchronous = FULL')
      db.exec('BEGIN IMMEDIATE')
      const result = await ambient.run(transaction, change)
      db.exec('COMMIT')
      noteWritten(db)
      transaction.isOpen = false
      for (const { topic, key } of transaction.announced) topics.tell(topic, key)
      return result
    } catch (error) {
      throw noteFailedWrite(db, error)
    } finally {
      transaction.isOpen = false
      if (db.inTransaction) db.exec('ROLLBACK')
      if (synchronous === 'FULL') db.pragma('synchronous = NORMAL')
      endTurn()
    }
  }

  return {
    engine: 'sqlite',
    all: <Row>(query: Sql) => execute(query, (statement) => statement.all(...query.values) as Row[]),
    find: <Row>(query: Sql) => execute(query, (statement) => statement.get(...query.values) as Row | undefined),
    run: (query) => execute(query, (statement) => statement.run(...query.values).changes),
    atomically: (change) => transact(change, 'NORMAL'),
    durably: (change) => transact(change, 'FULL'),
    async announce(topic, key = null) {
      const transaction = ambient.getStore()
      if (transaction?.isOpen) transaction.announced.push({ topic, key })
      else topics.tell(topic, key)
    },
    subscribe: (topic, listener) => topics.subscribe(topic, listener),
    async close() {
      topics.close()
      db.close()
    },
  }
}

/** Tells of what other processes wrote, too, from the first listener on. */
function createSharedTopics(db: Database, onError: (error: unknown) => void): Topics & { close(): void } {
  const topics = createTopics(onError)
  let others: Changes | null = null
  return {
    ...topics,
    subscribe(topic, listener) {
      if (!others) {
        others = watchChanges(db, { onError })
        others.subscribe(() => topics.tellAll())
      }
      return topics.subscribe(topic, listener)
    },
    close: () => others?.close(),
  }
}

function rememberStatements(db: Database): (query: Sql) => Statement {
  const statements = createLru<string, Statement>(MAX_STATEMENTS)
  return ({ sql: text }) => {
    let statement = statements.get(text)
    if (!statement) statements.set(text, (statement = db.prepare(text)))
    return statement
  }
}

/** A statement that is a transaction of its own. */
function write<T>(db: Database, work: () => T): T {
  assertInPlace(db)
  try {
    const result = work()
    noteWritten(db)
    return result
  } catch (error) {
    throw noteFailedWrite(db, error)
  }
}

/** Queue of the transactions on one connection. */
function createTurns() {
  /** Ends with the last one in line; null while there is none. */
  let last: Promise<void> | null = null
  return {
    /** Waits until none is in line. */
    async pass(): Promise<void> {
      for (let turn = last; turn; turn = last) await turn
    },
    /** @returns the end of the turn, to be called once. */
    async take(): Promise<() => void> {
      const before = last
      const { promise, resolve } = Promise.withResolvers<void>()
      last = promise
      await before
      return () => {
        if (last === promise) last = null
        resolve()
      }
    },
  }
}
