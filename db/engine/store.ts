import type { Sql } from 'sql-template-tag'

/**
 * A database on either engine. Queries are tagged templates (`sql` of sql-template-tag) in words that both engines speak:
 * `ON CONFLICT (…) DO UPDATE`, `RETURNING`, `WITH`, window functions; names with capitals in double quotes. Flags are
 * 0 and 1, times milliseconds, JSON is text. All calls throw a `Fault` `service_unavailable` when the database cannot do its
 * work now.
 */
export interface Store {
  readonly engine: 'sqlite' | 'postgres'
  /** All rows; of a change those of its `RETURNING`. */
  all<Row>(query: Sql): Promise<readonly Row[]>
  /** The first row. */
  find<Row>(query: Sql): Promise<Row | undefined>
  /** @returns how many rows it changed. */
  run(query: Sql): Promise<number>
  /**
   * Runs `change` as one transaction: others see all of it or nothing, a throw undoes it, and nothing that it read has
   * changed until it ends. Every call to this store inside it is a part of it, whichever repository makes it; a nested
   * `atomically` too. It waits for nothing but the database. PostgreSQL may run it several times until no other transaction
   * is in its way, so it has no effects beside those on the database.
   */
  atomically<T>(change: () => Promise<T>, options?: TransactionOptions): Promise<T>
  /** Like `atomically`, and on the disk before it returns: for what a power cut must not take. Costs an fsync. */
  durably<T>(change: () => Promise<T>): Promise<T>
  /**
   * Says that something of a topic has changed: to the listeners of this process when the transaction has ended, or at once
   * outside one, and to other processes on the same database.
   * @param key names what has changed; left out: any of it may have
   */
  announce(topic: string, key?: string | null): Promise<void>
  /**
   * The listener is called with the key that was announced, or with null when any may have changed: after another process
   * wrote to SQLite (within 250 ms), or the connection to PostgreSQL was away. A throw of it is reported.
   * @returns a function that ends the subscription.
   */
  subscribe(topic: string, listener: (key: string | null) => void): () => void
  close(): Promise<void>
}

export interface TransactionOptions {
  /**
   * Set for batches that read nothing before they write, such as counts: PostgreSQL then lets several services write at the
   * same time, and none has to retry. SQLite has one writer anyway.
   */
  readonly isBatch?: boolean
}
