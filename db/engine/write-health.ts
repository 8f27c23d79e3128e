import { statfsSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Database } from 'better-sqlite3'
import { Fault } from '../../lib/errors.ts'

/** Why nothing can be saved; `message` is for callers and operators. */
export interface WriteProblem {
  readonly reason: 'full' | 'unwritable' | 'moved' | 'unreachable'
  readonly message: string
}

export const FULL: WriteProblem = {
  reason: 'full',
  message: "The disk is full, so the service can't save changes. Free space; saving resumes without a restart.",
}
export const UNREACHABLE: WriteProblem = {
  reason: 'unreachable',
  message: "The database can't be reached. Start PostgreSQL, or check the network; saving resumes without a restart.",
}
export const UNWRITABLE: WriteProblem = {
  reason: 'unwritable',
  message: "The service can't write to its database. Check the disk of DATA_DIR; saving resumes without a restart.",
}

interface Health {
  /** The failure of the last write; `noteWritten` clears it. */
  failed: WriteProblem | null
  /** The file is not where the next start looks for it; only `watchStorage` knows. */
  moved: WriteProblem | null
}

const healths = new WeakMap<Database, Health>()

/** Returns the health of a database's writes, shared by all its writers. */
export function writeHealthOf(db: Database): Health {
  let health = healths.get(db)
  if (!health) healths.set(db, (health = { failed: null, moved: null }))
  return health
}

export function writeProblemOf(db: Database): WriteProblem | null {
  const { moved, failed } = writeHealthOf(db)
  return moved ?? failed
}

/** Minimum of free space. Below it, a small write may succeed and the next one fail. */
const ENOUGH_BYTES = 1024 * 1024

/**
 * Notes a write that succeeded. A disk stays full until it has room for more than one small write: the pages that a
 * failed write took, or a temporary file that was removed, would else let the state change with each write.
 */
export function noteWritten(db: Database): void {
  const health = writeHealthOf(db)
  if (health.failed && (health.failed !== FULL || hasRoom(db))) health.failed = null
}

function hasRoom(db: Database): boolean {
  if (db.memory) return true
  try {
    const { bavail, bsize } = statfsSync(dirname(db.name))
    return bavail * bsize >= ENOUGH_BYTES
  } catch {
    // Without an answer, the write that succeeded counts.
    return true
  }
}

export function toStorageFault({ message }: WriteProblem, cause?: unknown): Fault {
  return new Fault('service_unavailable', message, { cause, retryAfterMs: 10_000 })
}
