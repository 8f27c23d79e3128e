import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { eventually } from './service.ts'
import { freePort } from './web.ts'

/** A PostgreSQL server of the machine's own version, for what PGlite has not: several connections, and ends. */
export interface PostgresServer {
  /** Returns the URL of a new, empty database. */
  database(): Promise<string>
  /** `SIGINT` ends it as an operator does, `SIGKILL` as a crash. */
  stop(signal?: 'SIGINT' | 'SIGKILL'): Promise<void>
  start(): Promise<void>
  /** Ends it and removes its files. */
  close(): Promise<void>
}

const DEBIAN = '/usr/lib/postgresql'
/** Kernel buffers outlive the process, which is all that tests end. */
const QUICK = [
  '-c',
  'fsync=off',
  '-c',
  'synchronous_commit=on',
  '-c',
  'shared_buffers=16MB',
  '-c',
  'max_connections=60',
]

/** The folder of its programs, or null where it is not installed. */
function programs(): string | null {
  try {
    const versions = readdirSync(DEBIAN).toSorted((a, b) => Number(a) - Number(b))
    const newest = versions.at(-1)
    return newest === undefined ? null : join(DEBIAN, newest, 'bin')
  } catch {
    return null
  }
}

/** Whether PostgreSQL is installed. The set-up installs it on Debian; elsewhere its tests skip. */
export function hasPostgres(): boolean {
  return programs() !== null
}

/** User that runs PostgreSQL, which refuses to run as root. */
function owner(): { readonly uid: number; readonly gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined
  return { uid: idOf('-u'), gid: idOf('-g') }
}

function idOf(kind: '-u' | '-g'): number {
  return Number(spawnSync('id', [kind, 'postgres']).stdout.toString())
}

export async function startPostgres(): Promise<PostgresServer> {
  const bin = programs() ?? ''
  const folder = mkdtempSync(join(tmpdir(), 'bandstand-postgres-'))
  const user = owner()
  if (user) chownSync(folder, user.uid, user.gid)
  const data = join(folder, 'data')
  const port = await freePort()
  const options = { ...user, cwd: folder, env: { PATH: '/usr/bin:/bin', LANG: 'C.UTF-8' } } as const
  const made = spawnSync(
    join(bin, 'initdb'),
    ['-D', data, '-U', 'bandstand', '-A', 'trust', '-E', 'UTF8', '--no-sync', '--no-instructions'],
    options,
  )
  if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr.toString()}`)
  let child: ChildProcess | null = null
  let databases = 0
  const urlOf = (name: string) => `postgres://bandstand@127.0.0.1:${port}/${name}`

  async function start(): Promise<void> {
    const where = ['-D', data, '-p', String(port), '-h', '127.0.0.1', '-k', folder]
    child = spawn(join(bin, 'postgres'), [...where, ...QUICK], { ...options, stdio: ['ignore', 'ignore', 'pipe'] })
    let output = ''
    child.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()))
    await eventually(
      () => output,
      (text) => text.includes('ready to accept connections'),
    )
  }

  async function stop(signal: 'SIGINT' | 'SIGKILL' = 'SIGINT'): Promise<void> {
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const gone = once(child, 'exit')
    child.kill(signal)
    await gone
  }

  await start()
  return {
    start,
    stop,
    async database() {
      const name = `test_${++databases}`
      const client = new Client({ connectionString: urlOf('postgres') })
      await client.connect()
      await client.query(`CREATE DATABASE ${name}`)
      await client.end()
      return urlOf(name)
    },
    async close() {
      await stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
