import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { createServer } from 'node:net'
import { once } from 'node:events'
import { dirname, join } from 'node:path'
import sql from 'sql-template-tag'
import { findHolder } from '../../../db/engine/lock.ts'
import { openDatabase } from '../../../db/engine/open.ts'
import { createSqliteStore } from '../../../db/engine/sqlite-store.ts'
import { countUnopened } from '../../../db/engine/reseal.ts'
import { readKeyFile } from '../../../db/engine/token-keys.ts'
import { createSourceFailures } from '../../../db/music/source-failures.ts'
import { createSourceSwitches } from '../../../db/music/source-switches.ts'
import { createVault } from '../../../db/engine/vault.ts'
import { quoted } from '../../../lib/process/private-files.ts'
import { readMachine } from '../../../lib/process/machine.ts'
import { fail, ok, warn, type Finding } from './check.ts'
import type { StoredFacts } from './sources.ts'
import { counted } from '../../../lib/text.ts'

const MIB = 1024 * 1024
const ENOUGH_DISK_MIB = 2048
const LEAST_DISK_MIB = 256
const ENOUGH_MEMORY_MIB = 900

export function checkFolder(dataDir: string): Finding {
  if (!existsSync(dataDir)) {
    const parent = existing(dataDir)
    accessSync(parent, constants.W_OK)
    return ok('data folder', `${dataDir} doesn't exist yet; the first start creates it`)
  }
  if (!statSync(dataDir).isDirectory()) {
    const advice = 'Move it away, or set DATA_DIR to another folder.'
    return fail('data folder', `${dataDir} isn't a folder`, advice)
  }
  try {
    accessSync(dataDir, constants.W_OK)
  } catch {
    return fail(
      'data folder',
      `this user can't write to ${dataDir}`,
      `Make the user of the service its owner: chown -R USER ${quoted(dataDir)}`,
    )
  }
  if ((statSync(dataDir).mode & 0o007) !== 0) {
    return warn('data folder', `all users can access ${dataDir}`, `Run: chmod 700 ${quoted(dataDir)}`)
  }
  return ok('data folder', dataDir)
}

export async function checkDisk(dataDir: string): Promise<Finding> {
  const { bavail, bsize } = await statfs(existing(dataDir))
  const freeMib = Math.floor((bavail * bsize) / MIB)
  const found = `${freeMib} MiB free`
  if (freeMib < LEAST_DISK_MIB)
    return fail('disk', found, 'Free disk space, since a full disk stops all database writes.')
  if (freeMib < ENOUGH_DISK_MIB)
    return warn('disk', found, 'Free disk space, or set AUDIO_CACHE_MIB, UPLOADS_MIB and RESULTS_MAX_MB lower.')
  return ok('disk', found)
}

export function checkMemory(): Finding {
  const { memoryMiB: mib } = readMachine()
  if (mib >= ENOUGH_MEMORY_MIB) return ok('memory', `${mib} MiB`)
  return warn('memory', `${mib} MiB`, 'Use a machine with 1 GiB, plus 500 MiB for screenshots.')
}

export function checkDatabase(dataDir: string): Finding {
  if (!existsSync(join(dataDir, 'bandstand.db'))) return ok('database', "doesn't exist yet")
  const db = openDatabase({ dataDir, busyMs: 5000 })
  try {
    const [result] = db.pragma('quick_check(1)') as readonly { readonly quick_check: string }[]
    if (result?.quick_check !== 'ok') {
      return fail('database', `corrupt: ${result?.quick_check}`, 'Restore a backup: npm run admin -- restore FILE.')
    }
    const newest = db.prepare<[], string>('SELECT name FROM migration ORDER BY number DESC LIMIT 1').pluck().get()
    return ok('database', `intact, migrated to ${newest}`)
  } finally {
    db.close()
  }
}

/** Reads what this machine's database says about sources. With PostgreSQL it has no bots, and services have real ones. */
export async function readStoredFacts(dataDir: string, hasPostgres: boolean): Promise<StoredFacts> {
  const none = { failures: [], hasRealBot: hasPostgres, off: [] }
  if (!existsSync(join(dataDir, 'bandstand.db'))) return none
  try {
    const db = openDatabase({ dataDir, busyMs: 5000 })
    try {
      const store = createSqliteStore(db)
      const real = await store.find(sql`SELECT 1 FROM bot WHERE sandbox = 0 LIMIT 1`)
      const [failures, off] = [await createSourceFailures(store).list(), await createSourceSwitches(store).listOff()]
      return { failures, hasRealBot: hasPostgres || real !== undefined, off }
    } finally {
      db.close()
    }
  } catch {
    return none
  }
}

export async function checkTokenKey(dataDir: string, tokenKey: string | null): Promise<Finding> {
  const keys = readKeyFile(dataDir)
  if (!tokenKey && !keys) return ok('token key', "doesn't exist yet; the first start creates it")
  const lost = existsSync(join(dataDir, 'bandstand.db')) ? await countLost(dataDir, tokenKey) : 0
  if (lost > 0) {
    const advice = 'Append the previous key to token.key as its own line, or add the bots again with their tokens.'
    return fail('token key', `another key encrypted ${counted(lost, 'secret')} in the database`, advice)
  }
  if (tokenKey || !keys) return ok('token key', 'from TOKEN_KEY')
  if (keys.length === 1) return ok('token key', 'token.key')
  return warn(
    'token key',
    `token.key has ${keys.length} keys`,
    'Finish the rotation: npm run admin -- token-key rotate',
  )
}

async function countLost(dataDir: string, tokenKey: string | null): Promise<number> {
  const store = createSqliteStore(openDatabase({ dataDir, busyMs: 5000 }))
  try {
    return await countUnopened(store, createVault({ tokenKey, dataDir }))
  } finally {
    await store.close()
  }
}

/** Whether the service runs, or could take its port. */
export async function checkPort(dataDir: string, host: string, port: number): Promise<Finding> {
  const holder = findHolder(dataDir)
  if (holder) {
    const since = new Date(holder.startedAtMs).toISOString()
    return ok('service', `running since ${since}, process ${holder.pid}`)
  }
  const server = createServer()
  try {
    server.listen(port, host)
    await once(server, 'listening')
    return ok('service', `not running; ${host}:${port} is free`)
  } catch (error) {
    const why = (error as NodeJS.ErrnoException).code
    return fail(
      'service',
      `not running, and ${host}:${port} isn't available (${why})`,
      'Set HOST and PORT to an address and a port that are free.',
    )
  } finally {
    server.close()
  }
}

/** The nearest folder above that is there. */
function existing(folder: string): string {
  return existsSync(folder) || dirname(folder) === folder ? folder : existing(dirname(folder))
}
