import { statSync, type BigIntStats } from 'node:fs'
import { stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from '../../lib/log.ts'
import { atomically, leaveExclusiveMode, type Database } from './open.ts'
import { writeHealthOf, writeProblemOf, type WriteProblem } from './write-health.ts'

/** Whether what is acknowledged can be saved. */
export type Storage = ReturnType<typeof watchStorage>

/** Below this free space, writes are tried before a caller needs one. */
const NEARLY_FULL_BYTES = 8 * 1024 * 1024

/**
 * Looks every 2 s whether the database is still where the next start expects it and how much room is left, and tries a
 * write while writes fail or room is short: so a full disk is noticed without a caller, and room is noticed again.
 */
export function watchStorage(
  db: Database,
  { dataDir, log, everyMs = 2000 }: { readonly dataDir: string; readonly log: Logger; readonly everyMs?: number },
) {
  const file = join(dataDir, 'bandstand.db')
  const health = writeHealthOf(db)
  const opened = identityOf(statSync(file, { bigint: true }))
  let freeBytes: number | null = null
  let reported: WriteProblem | null = null
  let isLooking = false

  async function probe(): Promise<void> {
    health.moved = (await findIdentity(file)) === opened ? null : movedFrom(dataDir)
    const { bavail, bsize } = await statfs(dataDir).catch(() => ({ bavail: Infinity, bsize: 1 }))
    freeBytes = Number.isFinite(bavail) ? bavail * bsize : null
    if (health.failed || (freeBytes !== null && freeBytes < NEARLY_FULL_BYTES)) tryWrite(db)
    report()
  }

  function report(): void {
    const problem = writeProblemOf(db)
    if (problem?.reason === reported?.reason) return
    if (problem) log.error({ reason: problem.reason, dataDir }, 'storage failed')
    else log.info({ dataDir }, 'storage recovered')
    reported = problem
  }

  function lookOnce(): void {
    if (isLooking || !db.open) return
    isLooking = true
    probe()
      .catch((err: unknown) => log.warn({ err }, 'storage probe failed'))
      .finally(() => {
        isLooking = false
      })
  }
  lookOnce()
  const timer = setInterval(lookOnce, everyMs)
  return {
    /** Null while writes succeed. */
    problem: () => writeProblemOf(db),
    /** Space that this user may still write on the disk of DATA_DIR; null while unknown. */
    get freeBytes(): number | null {
      return freeBytes
    },
    close: (): void => clearInterval(timer),
  }
}

function identityOf({ dev, ino }: BigIntStats): string {
  return `${dev} ${ino}`
}

/** Null when the file is not there. */
async function findIdentity(file: string): Promise<string | null> {
  const found = await stat(file, { bigint: true }).catch((error: unknown) => {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return null
    throw error
  })
  return found && identityOf(found)
}

function movedFrom(dataDir: string): WriteProblem {
  const what = `The database is no longer in ${dataDir}: the folder was moved, deleted or replaced while the service ran.`
  return { reason: 'moved', message: `${what} Move it back, or restart the service with the right DATA_DIR.` }
}

/** Writes a number that nothing reads; the outcome is noted by `atomically`. */
function tryWrite(db: Database): void {
  try {
    atomically(db, () => {
      const count = db.pragma('user_version', { simple: true }) as number
      db.pragma(`user_version = ${(count + 1) % 1_000_000}`)
    })
    if (!writeHealthOf(db).failed) leaveExclusiveMode(db)
  } catch {
    // It is noted.
  }
}
