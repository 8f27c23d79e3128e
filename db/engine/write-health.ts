import type { Database } from 'better-sqlite3'
import { Fault } from '../../lib/errors.ts'

/** Why nothing can be saved; `message` is for callers and operators. */
export interface WriteProblem {
  readonly reason: 'full' | 'unwritable' | 'moved'
  readonly message: string
}

export const FULL: WriteProblem = {
  reason: 'full',
  message: 'The disk is full, so the service cannot save changes. Free space; saving resumes without a restart.',
}
export const UNWRITABLE: WriteProblem = {
  reason: 'unwritable',
  message: 'The service cannot write to its database. Check the disk of DATA_DIR; saving resumes without a restart.',
}

interface Health {
  /** How the last write failed; a write that succeeds clears it. */
  failed: WriteProblem | null
  /** The file is not where the next start looks for it; only `watchStorage` knows. */
  moved: WriteProblem | null
}

const healths = new WeakMap<Database, Health>()

/** What is known of the database's writes; shared by all that write to it. */
export function writeHealthOf(db: Database): Health {
  let health = healths.get(db)
  if (!health) healths.set(db, (health = { failed: null, moved: null }))
  return health
}

export function writeProblemOf(db: Database): WriteProblem | null {
  const { moved, failed } = writeHealthOf(db)
  return moved ?? failed
}

export function toStorageFault({ message }: WriteProblem, cause?: unknown): Fault {
  return new Fault('service_unavailable', message, { cause, retryAfterMs: 10_000 })
}
