import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { createServer } from 'node:net'
import { once } from 'node:events'
import { totalmem } from 'node:os'
import { dirname, join } from 'node:path'
import { findHolder } from '../../db/engine/lock.ts'
import { openDatabase } from '../../db/engine/open.ts'
import { countUnopened } from '../../db/engine/reseal.ts'
import { readKeyFile } from '../../db/engine/token-keys.ts'
import { createSourceFailures, type SourceFailureRecord } from '../../db/music/source-failures.ts'
import { createVault } from '../../db/engine/vault.ts'
import { fail, ok, warn, type Finding } from './check.ts'

const MIB = 1024 * 1024
const ENOUGH_DISK_MIB = 2048
const LEAST_DISK_MIB = 256
const ENOUGH_MEMORY_MIB = 900

export function checkFolder(dataDir: string): Finding {
  if (!existsSync(dataDir)) {
    const parent = existing(dataDir)
    accessSync(parent, constants.W_OK)
    return ok('data folder', `${dataDir} will be made at the first start`)
  }
  try {
    accessSync(dataDir, constants.W_OK)
  } catch {
    return fail(
      'data folder',
      `${dataDir} cannot be written by this user`,
      'Give it to the user of the service: chown.',
    )
  }
  if ((statSync(dataDir).mode & 0o007) !== 0) {
    return warn('data folder', `${dataDir} is open to all users`, `Run: chmod 700 ${dataDir}`)
  }
  return ok('data folder', dataDir)
}

export async function checkDisk(dataDir: string): Promise<Finding> {
  const { bavail, bsize } = await statfs(existing(dataDir))
  const freeMib = Math.floor((bavail * bsize) / MIB)
  const found = `${freeMib} MiB free`
  if (freeMib < LEAST_DISK_MIB) return fail('disk', found, 'Make room: the database cannot be written when it is full.')
  if (freeMib < ENOUGH_DISK_MIB) return warn('disk', found, 'Make room, or set smaller bounds for caches and results.')
  return ok('disk', found)
}

export function checkMemory(): Finding {
  const mib = Math.floor(totalmem() / MIB)
  if (mib >= ENOUGH_MEMORY_MIB) return ok('memory', `${mib} MiB`)
  return warn('memory', `${mib} MiB`, 'Give the machine 1 GiB, and 500 MiB more where it also makes screenshots.')
}

export function checkDatabase(dataDir: string): Finding {
  if (!existsSync(join(dataDir, 'bandstand.db'))) return ok('database', 'none yet')
  const db = openDatabase({ dataDir, busyMs: 5000 })
  try {
    const [result] = db.pragma('quick_check(1)') as readonly { readonly quick_check: string }[]
    if (result?.quick_check !== 'ok') {
      return fail('database', `damaged: ${result?.quick_check}`, 'Restore a backup: npm run admin -- restore FILE.')
    }
    const newest = db.prepare<[], string>('SELECT name FROM migration ORDER BY number DESC LIMIT 1').pluck().get()
    return ok('database', `sound, at ${newest}`)
  } finally {
    db.close()
  }
}

/** What the service has met with its sources; none where there is no database, or one that cannot be read. */
export function readSourceFailures(dataDir: string): readonly SourceFailureRecord[] {
  if (!existsSync(join(dataDir, 'bandstand.db'))) return []
  try {
    const db = openDatabase({ dataDir, busyMs: 5000 })
    try {
      return createSourceFailures(db).list()
    } finally {
      db.close()
    }
  } catch {
    return []
  }
}

export function checkTokenKey(dataDir: string, tokenKey: string | null): Finding {
  const keys = readKeyFile(dataDir)
  if (!tokenKey && !keys) return ok('token key', 'will be made at the first start')
  const lost = existsSync(join(dataDir, 'bandstand.db')) ? countLost(dataDir, tokenKey) : 0
  if (lost > 0) {
    const advice = 'Put the key of then as a further line into token.key, or add the bots again with their tokens.'
    return fail('token key', `${lost} secrets in the database were sealed with another key`, advice)
  }
  if (tokenKey || !keys) return ok('token key', 'from TOKEN_KEY')
  if (keys.length === 1) return ok('token key', 'token.key')
  return warn('token key', `token.key has ${keys.length} keys`, 'Finish: npm run admin -- token-key rotate.')
}

function countLost(dataDir: string, tokenKey: string | null): number {
  const db = openDatabase({ dataDir, busyMs: 5000 })
  try {
    return countUnopened(db, createVault({ tokenKey, dataDir }))
  } finally {
    db.close()
  }
}

/** Whether the service runs, or could take its port. */
export async function checkPort(dataDir: string, host: string, port: number): Promise<Finding> {
  const holder = findHolder(dataDir)
  if (holder) {
    const since = new Date(holder.startedAtMs).toISOString()
    return ok('service', `runs since ${since} as process ${holder.pid}`)
  }
  const server = createServer()
  try {
    server.listen(port, host)
    await once(server, 'listening')
    return ok('service', `does not run; ${host}:${port} is free for it`)
  } catch (error) {
    const why = (error as NodeJS.ErrnoException).code
    return fail('service', `does not run, and ${host}:${port} cannot be taken (${why})`, 'Set HOST and PORT to others.')
  } finally {
    server.close()
  }
}

/** The nearest folder above that is there. */
function existing(folder: string): string {
  return existsSync(folder) || dirname(folder) === folder ? folder : existing(dirname(folder))
}
