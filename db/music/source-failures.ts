import sql from 'sql-template-tag'
import type { Store } from '../engine/store.ts'

/** A music source that the service finds failing. */
export interface SourceFailureRecord {
  /** A name from `MUSIC_SOURCES`. */
  readonly name: string
  readonly failure: 'refused' | 'unreachable' | 'changed'
  /** Milliseconds since 1970. */
  readonly sinceMs: number
}

/**
 * The service's current source failures, stored for the command line, on this machine: others may reach a source that this
 * one cannot.
 */
export function createSourceFailures(store: Store) {
  return {
    list: () => store.all<SourceFailureRecord>(sql`SELECT name, failure, since_ms AS "sinceMs" FROM source_failure`),
    async save({ name, failure, sinceMs }: SourceFailureRecord) {
      await store.run(sql`
        INSERT INTO source_failure (name, failure, since_ms) VALUES (${name}, ${failure}, ${sinceMs})
        ON CONFLICT (name) DO UPDATE SET failure = excluded.failure, since_ms = excluded.since_ms`)
    },
    async remove(name: string) {
      await store.run(sql`DELETE FROM source_failure WHERE name = ${name}`)
    },
    async clear() {
      await store.run(sql`DELETE FROM source_failure`)
    },
  }
}
