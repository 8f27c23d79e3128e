import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { connect } from 'node:net'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { childEnv, withMemoryLimit } from '../../lib/workers/child-process.ts'

/** A `redis-server` that this process started. */
export type RedisChild = ReturnType<typeof launchServer>

interface RedisPlace {
  readonly folder: string
  readonly socket: string
}

const PROGRAMS = ['redis-server', 'valkey-server'] as const
const STOP_MS = 5000
/** Redis itself refuses writes at `maxmemory`; this holds what that does not count, such as clients' buffers. */
const MEMORY_MIB = 1536
const MAX_LAST_WORDS = 2000

/**
 * Waits until the service's end of its standard input closes, which the kernel does however the service dies, and then
 * ends the server: softly, and after 5 s hard.
 */
const WATCHER = `
  read -r _
  kill -TERM "$1" 2>/dev/null
  for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25; do
    kill -0 "$1" 2>/dev/null || exit 0
    sleep 0.2
  done
  kill -KILL "$1" 2>/dev/null`

/** The program's name, or null if none is installed. */
export async function findServerProgram(): Promise<string | null> {
  for (const program of PROGRAMS) {
    const found = await promisify(execFile)(program, ['--version'], { timeout: 5000, env: childEnv() }).catch(
      () => null,
    )
    if (found) return program
  }
  return null
}

export function launchServer(program: string, { folder, socket }: RedisPlace) {
  for (const path of [folder, dirname(socket)]) makePrivate(path)
  // A group of their own: Ctrl-C in the terminal must not end Redis while the service still finishes its requests.
  const [command, args] = withMemoryLimit(MEMORY_MIB, program, settings(folder, socket))
  const server = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], detached: true, env: childEnv() })
  let lastWords = ''
  const listen = (chunk: Buffer) => (lastWords = (lastWords + chunk.toString()).slice(-MAX_LAST_WORDS))
  server.stdout.on('data', listen)
  server.stderr.on('data', listen)
  const exit = new Promise<{ code: number | null; signal: string | null }>((resolve) => {
    server.once('exit', (code, signal) => resolve({ code, signal }))
    // Redis could not be started at all.
    server.once('error', (error) => {
      listen(Buffer.from(error.message))
      resolve({ code: null, signal: null })
    })
  })
  const watcher = server.pid === undefined ? null : watch(server.pid)
  return {
    /** Never rejects. `lastWords` are the last lines that it wrote. */
    ended: exit.then((how) => {
      watcher?.kill('SIGKILL')
      return { ...how, lastWords }
    }),
    isReady: () => answersPing(socket),
    async stop() {
      server.kill('SIGTERM')
      const hard = setTimeout(() => server.kill('SIGKILL'), STOP_MS)
      await exit
      clearTimeout(hard)
    },
  }
}

function settings(folder: string, socket: string): readonly string[] {
  return Object.entries({
    port: '0',
    unixsocket: socket,
    unixsocketperm: '700',
    dir: folder,
    pidfile: join(folder, 'redis.pid'),
    appendonly: 'yes',
    // A killed Redis loses nothing, since the kernel has what it wrote; a power cut may take the last second of limits
    // and of jobs' progress. `always` would put a disk flush into every request.
    appendfsync: 'everysec',
    save: '',
    databases: '1',
    maxmemory: '512mb',
    'maxmemory-policy': 'noeviction',
    loglevel: 'warning',
  }).flatMap(([name, value]) => [`--${name}`, value])
}

function watch(pid: number): ChildProcess {
  const watcher = spawn('sh', ['-c', WATCHER, 'sh', String(pid)], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
    env: childEnv(),
  })
  // Without a shell there is no watcher; the next start then ends what is left over.
  watcher.on('error', () => undefined)
  watcher.stdin?.on('error', () => undefined)
  return watcher
}

function makePrivate(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const { uid, mode } = statSync(folder)
  // The folder may lie in /tmp, where anybody could have made it first.
  if (uid !== process.getuid?.() || (mode & 0o077) !== 0)
    throw new Error(`Only the service's user can have access to ${folder} (mode 700).`)
}

/**
 * Ends a server that an earlier service left running: two on the same files would spoil them. Only the holder of the
 * DATA_DIR's lock may call this.
 */
export async function endLeftover({ folder, socket }: RedisPlace): Promise<void> {
  const pid = readPid(join(folder, 'redis.pid'))
  if (pid !== null && (await isOurServer(pid, socket))) {
    process.kill(pid, 'SIGTERM')
    for (let waitedMs = 0; waitedMs < STOP_MS && (await isOurServer(pid, socket)); waitedMs += 50) await sleep(50)
    if (await isOurServer(pid, socket)) process.kill(pid, 'SIGKILL')
  }
  rmSync(socket, { force: true })
}

function readPid(file: string): number | null {
  try {
    const pid = Number(readFileSync(file, 'utf8'))
    return Number.isInteger(pid) && pid > 1 ? pid : null
  } catch {
    return null
  }
}

/** The number may meanwhile be another program's; Redis shows its socket in its title. */
async function isOurServer(pid: number, socket: string): Promise<boolean> {
  return (await titleOf(pid)).includes(socket)
}

/** Empty for an unknown process. Small Linux images have no `ps`, other systems no `/proc`. */
async function titleOf(pid: number): Promise<string> {
  try {
    if (process.platform === 'linux') return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
    const { stdout } = await promisify(execFile)('ps', ['-ww', '-o', 'args=', '-p', String(pid)], { env: childEnv() })
    return stdout
  } catch {
    return ''
  }
}

async function answersPing(socket: string): Promise<boolean> {
  const connection = connect(socket)
  connection.setTimeout(500, () => connection.destroy(new Error('no answer')))
  try {
    connection.write('PING\r\n')
    const [answer] = (await once(connection, 'data')) as [Buffer]
    return answer.toString().startsWith('+PONG')
  } catch {
    return false
  } finally {
    connection.destroy()
  }
}
