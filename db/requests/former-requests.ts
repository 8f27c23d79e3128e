import { existsSync, rmSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import Sqlite from 'better-sqlite3'
import type { LoggedRequest } from '../../lib/request-log/request-log.ts'
import { SELECTED, type LoggedRequests } from './logged-requests.ts'

/** The same at each start, so that none is there twice after an interrupted one. */
const WRITER = 0
const ROWS_AT_ONCE = 50
const PAUSE_MS = 20

/** Adds the requests of the database file that versions before 2026-11-28 kept them in, a few at a time, and deletes it. */
export async function takeOverFormerRequests(
  file: string,
  requests: Pick<LoggedRequests, 'add'>,
  signal: AbortSignal,
): Promise<void> {
  if (!existsSync(file)) return
  const db = new Sqlite(file)
  try {
    const next = db.prepare<[number], LoggedRequest>(
      `SELECT ${SELECTED} FROM request WHERE id > ? ORDER BY id LIMIT ${ROWS_AT_ONCE}`,
    )
    for (let some = next.all(0); some.length > 0; some = next.all(some.at(-1)?.id ?? 0)) {
      await requests.add(some, WRITER)
      await sleep(PAUSE_MS, undefined, { signal })
    }
  } finally {
    db.close()
  }
  removeFormerRequests(file)
}

export function removeFormerRequests(file: string): void {
  for (const end of ['', '-wal', '-shm']) rmSync(file + end, { force: true })
}
