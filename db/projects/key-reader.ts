import { statSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { Fault } from '../../lib/errors.ts'
import { monotonicNow } from '../../lib/clock.ts'
import { APPLICATION_ID } from '../engine/open.ts'
import { createSqliteStore } from '../engine/sqlite-store.ts'
import type { Store } from '../engine/store.ts'
import { createKeyFinder, type Keys } from './keys.ts'

/** Interval at which a replaced database, such as after a restore, is noticed. */
const LOOK_EVERY_MS = 1000
/** Writers hold the lock for about a millisecond. */
const BUSY_MS = 50

export interface KeyReader extends Pick<Keys, 'findByDigest'> {
  close(): Promise<void>
}

interface OpenFile {
  readonly store: Store
  readonly finder: Pick<Keys, 'findByDigest'>
  readonly inode: number
}

/**
 * Reads the keys of a service from another process: it writes nothing and migrates nothing. What the service changes is seen
 * within 250 ms.
 * @throws {Fault} that says what is wrong with the database; so does `findByDigest`, later.
 */
export function openKeyReader(dataDir: string): KeyReader {
  const file = join(dataDir, 'bandstand.db')
  let open: OpenFile | null = openFile(file)
  let lookedAtMs = monotonicNow()

  function current(): OpenFile {
    const nowMs = monotonicNow()
    if (open && nowMs - lookedAtMs < LOOK_EVERY_MS) return open
    lookedAtMs = nowMs
    if (open && open.inode === inodeOf(file)) return open
    void open?.store.close()
    open = null
    open = openFile(file)
    return open
  }

  return {
    findByDigest: async (digest) => current().finder.findByDigest(digest),
    close: async () => open?.store.close(),
  }
}

function inodeOf(file: string): number | null {
  return statSync(file, { throwIfNoEntry: false })?.ino ?? null
}

function openFile(file: string): OpenFile {
  const inode = inodeOf(file)
  if (inode === null) throw unreadable(`${file} doesn't exist. Start the service once, or set DATA_DIR to its folder.`)
  let db: Sqlite.Database | null = null
  try {
    db = new Sqlite(file, { readonly: true, fileMustExist: true, timeout: BUSY_MS })
    if (db.pragma('application_id', { simple: true }) !== APPLICATION_ID) {
      throw unreadable(`${file} belongs to another program. Set DATA_DIR to the folder of a service.`)
    }
    const store = createSqliteStore(db)
    return { store, finder: createKeyFinder(store), inode }
  } catch (error) {
    db?.close()
    if (error instanceof Fault) throw error
    throw unreadable(`Reading ${file} failed: ${(error as Error).message}. Do both run as the same user?`, error)
  }
}

function unreadable(message: string, cause?: unknown): Fault {
  return new Fault('service_unavailable', message, { cause })
}
