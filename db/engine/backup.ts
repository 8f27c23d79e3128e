import {
  closeSync,
  createReadStream,
  createWriteStream,
  existsSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import Sqlite from 'better-sqlite3'
import { Fault } from '../../lib/errors.ts'
import { ensurePrivateFolder } from '../../lib/process/private-files.ts'
import { migrate } from './migrate.ts'
import { APPLICATION_ID, type Database } from './open.ts'

interface BackupFacts {
  readonly file: string
  readonly bytes: number
  /** The newest migration that it has had. */
  readonly schema: string
}

/** Follows a copy of the database, and cancels it. */
interface CopyWatch {
  /** Counts the pages of a backup, or the bytes of a restore. */
  readonly onProgress?: (done: number, total: number) => void
  readonly signal?: AbortSignal
}

/** 4 MiB: a few milliseconds, after which the thread is free for other things. */
const PAGES_A_STEP = 1024
const COPY_CHUNK_BYTES = 4 * 1024 * 1024

/**
 * Writes the database as it is at one moment into a file of its own, while others read and write it. The request log, which
 * may be most of it, is left out.
 * @throws {Fault} `conflict` when the file is there already.
 */
export async function backUp(db: Database, file: string, watch: CopyWatch = {}): Promise<BackupFacts> {
  if (existsSync(file)) throw new Fault('conflict', `${file} already exists. Choose another filename.`)
  const draft = `${file}.part`
  rmSync(draft, { force: true })
  try {
    // SQLite writes into what is there, so that others cannot read it meanwhile, nor its journal.
    closeSync(openSync(draft, 'wx', 0o600))
    // SQLite copies from the beginning whenever another process has written, unless a transaction keeps this state.
    db.exec('BEGIN; SELECT 1 FROM migration')
    await db.backup(draft, {
      progress({ totalPages, remainingPages }) {
        watch.signal?.throwIfAborted()
        watch.onProgress?.(totalPages - remainingPages, totalPages)
        return PAGES_A_STEP
      },
    })
    intoOneFile(draft)
    const facts = inspect(draft)
    renameSync(draft, file)
    return { ...facts, file }
  } catch (error) {
    rmSync(draft, { force: true })
    throw error instanceof Fault ? error : unwritten(file, error)
  } finally {
    if (db.inTransaction) db.exec('ROLLBACK')
  }
}

/**
 * Puts a backup in the place of the database of a folder whose service is stopped, or into a new folder.
 * @returns where the former database is now, or null if there was none.
 * @throws {Fault} when it is no sound backup of a version that this one can continue; nothing has changed then.
 */
export async function restore(
  dataDir: string,
  file: string,
  { nowMs, ...watch }: CopyWatch & { readonly nowMs: number },
): Promise<{ readonly former: string | null }> {
  const found = statSync(file, { throwIfNoEntry: false })
  if (!found) throw new Fault('not_found', `${file} doesn't exist.`)
  if (!found.isFile()) throw foreign(file)
  const path = join(dataDir, 'bandstand.db')
  const draft = `${path}.restored`
  ensurePrivateFolder(dataDir)
  try {
    rmSync(draft, { force: true })
    await copyFile(file, draft, watch)
    inspect(draft)
    prove(draft)
  } catch (error) {
    for (const end of ['', '-wal', '-shm']) rmSync(`${draft}${end}`, { force: true })
    throw error
  }
  const stamp = new Date(nowMs).toISOString().replaceAll(/[:.]/g, '-')
  const former = existsSync(path) ? `${path}.before-${stamp}` : null
  // The journal belongs to the former database, and SQLite would play it into the new one.
  if (former) for (const end of ['', '-wal', '-shm']) if (existsSync(path + end)) renameSync(path + end, former + end)
  renameSync(draft, path)
  return { former }
}

async function copyFile(from: string, to: string, { onProgress, signal }: CopyWatch): Promise<void> {
  const total = statSync(from).size
  let done = 0
  const counted = async function* (chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      yield chunk
      done += chunk.length
      onProgress?.(done, total)
    }
  }
  const source = createReadStream(from, { highWaterMark: COPY_CHUNK_BYTES })
  await pipeline(source, counted, createWriteStream(to, { flags: 'wx', mode: 0o600 }), { ...(signal && { signal }) })
}

/** Without the journal beside it that the service's database has, and without the request log. */
function intoOneFile(file: string): void {
  const db = new Sqlite(file)
  try {
    db.pragma('journal_mode = DELETE')
    db.exec('DELETE FROM logged_request; DELETE FROM logged_request_count; DELETE FROM logged_request_capture; VACUUM')
  } finally {
    db.close()
  }
}

/** @throws {Fault} when it is damaged or not ours. */
function inspect(file: string): BackupFacts {
  const db = openUnchanged(file)
  try {
    if (db.pragma('application_id', { simple: true }) !== APPLICATION_ID) throw foreign(file)
    const [damage] = db.pragma('integrity_check(1)') as readonly { readonly integrity_check: string }[]
    if (damage?.integrity_check !== 'ok') {
      throw new Fault('validation_error', `${file} is corrupt: ${damage?.integrity_check}. Use another backup.`)
    }
    const newest = db.prepare<[], string>('SELECT name FROM migration ORDER BY number DESC LIMIT 1').pluck().get()
    return { file, bytes: statSync(file).size, schema: newest ?? 'none' }
  } catch (error) {
    throw error instanceof Fault ? error : foreign(file, error)
  } finally {
    db.close()
  }
}

function openUnchanged(file: string): Database {
  try {
    return new Sqlite(file, { readonly: true, fileMustExist: true })
  } catch (error) {
    throw foreign(file, error)
  }
}

/** Brings the copy up to this version's schema, so that a backup that cannot be continued is refused here. */
function prove(file: string): void {
  const db = new Sqlite(file)
  try {
    migrate(db)
  } finally {
    db.close()
  }
}

function foreign(file: string, cause?: unknown): Fault {
  const advice = 'Create one with `npm run admin -- backup FILE`.'
  return new Fault('validation_error', `${file} isn't a Bandstand backup. ${advice}`, { cause })
}

function unwritten(file: string, cause: unknown): Fault {
  return new Fault('service_unavailable', `Writing ${file} failed: ${(cause as Error).message}.`, { cause })
}
