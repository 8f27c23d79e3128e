import { atomically, type Database } from '../engine/open.ts'

/** A music source that the service finds failing. */
export interface SourceFailureRecord {
  /** As in `MUSIC_SOURCES`. */
  readonly name: string
  readonly failure: 'refused' | 'unreachable' | 'changed'
  /** Milliseconds since 1970. */
  readonly sinceMs: number
}

/** What the service knows of its sources, so that the command line can tell. */
export interface SourceFailures {
  list(): readonly SourceFailureRecord[]
  save(record: SourceFailureRecord): void
  remove(name: string): void
  clear(): void
}

const UPSERT = `
  INSERT INTO source_failure (name, failure, since_ms) VALUES (:name, :failure, :sinceMs)
  ON CONFLICT (name) DO UPDATE SET failure = excluded.failure, since_ms = excluded.since_ms`

export function createSourceFailures(db: Database): SourceFailures {
  const all = db.prepare<[], SourceFailureRecord>('SELECT name, failure, since_ms AS sinceMs FROM source_failure')
  const upsert = db.prepare(UPSERT)
  const remove = db.prepare('DELETE FROM source_failure WHERE name = ?')
  const clear = db.prepare('DELETE FROM source_failure')
  return {
    list: () => all.all(),
    save: ({ name, failure, sinceMs }) => atomically(db, () => void upsert.run({ name, failure, sinceMs })),
    remove: (name) => atomically(db, () => void remove.run(name)),
    clear: () => atomically(db, () => void clear.run()),
  }
}
