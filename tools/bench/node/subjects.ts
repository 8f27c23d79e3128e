import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { eventually } from '../../../test/support/service.ts'
import { descendantsOf, LAUNCHER, treeCpuSeconds } from '../../stage/process.ts'
import type { Address } from './bot.ts'

/** A Lavalink node that is measured. */
export interface Subject {
  readonly name: string
  start(certificateFile: string): Promise<RunningSubject>
}

interface RunningSubject extends Address {
  readonly pid: number
  stop(): Promise<void>
}

const ROOT = join(import.meta.dirname, '..', '..', '..')
const PASSWORD = 'a password of the bench'
const START_WITHIN_MS = 60_000

/** `npm run node`, with its settings. */
export function ours(mostPlayers: number): Subject {
  return {
    name: 'Bandstand',
    async start(certificateFile) {
      const [port, folder] = [await freePort(), mkdtempSync(join(tmpdir(), 'bandstand-bench-node-'))]
      const env = {
        LAVALINK_PORT: String(port),
        LAVALINK_PASSWORD: PASSWORD,
        LAVALINK_PLAYERS: String(mostPlayers),
        DATA_DIR: folder,
        MUSIC_SOURCES: 'http',
        EGRESS_ALLOW_HOSTS: '127.0.0.1',
        LAVALINK_VOICE_HOSTS: 'localhost',
        LOG_LEVEL: 'warn',
      }
      const child = spawn(LAUNCHER, [join(ROOT, 'service', 'lavalink-node', 'main.ts')], {
        stdio: ['ignore', 'inherit', 'inherit'],
        env: { ...process.env, ...env, NODE_EXTRA_CA_CERTS: certificateFile },
      })
      await answers(child, port, PASSWORD)
      return running(child, { port, password: PASSWORD }, () => rmSync(folder, { recursive: true, force: true }))
    },
  }
}

interface NodeLinkOptions extends Address {
  /**
   * The folder of its installation, with its `config.js`: on this machine, its HTTP source on, at `port` with
   * `password`.
   */
  readonly folder: string
}

/** Runs its own start script, in a process without npm and a shell around it. */
export function nodeLink({ folder, port, password }: NodeLinkOptions): Subject {
  const { version, scripts } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  return {
    name: `NodeLink ${version}`,
    async start(certificateFile) {
      const path = [join(folder, 'node_modules', '.bin'), process.env['PATH']].join(delimiter)
      const child = spawn('sh', ['-c', `exec ${scripts.start}`], {
        cwd: folder,
        stdio: ['ignore', 'ignore', 'inherit'],
        env: { ...process.env, PATH: path, NODELINK_PORT: String(port), NODE_EXTRA_CA_CERTS: certificateFile },
      })
      await answers(child, port, password)
      return running(child, { port, password }, () => undefined)
    },
  }
}

async function answers(child: ChildProcess, port: number, password: string): Promise<void> {
  const died = once(child, 'exit').then(() => {
    throw new Error('The node ended while it started.')
  })
  const isUp = () =>
    fetch(`http://127.0.0.1:${port}/version`, { headers: { authorization: password } }).then(
      ({ ok }) => ok,
      () => false,
    )
  await Promise.race([eventually(isUp, Boolean, START_WITHIN_MS), died])
}

function running(child: ChildProcess, address: Address, after: () => void): RunningSubject {
  return {
    ...address,
    pid: child.pid ?? 0,
    async stop() {
      const gone = once(child, 'exit')
      const all = descendantsOf(child.pid ?? 0)
      child.kill('SIGTERM')
      const patience = setTimeout(() => [child.pid ?? 0, ...all.map(({ pid }) => pid)].forEach(end), 8000)
      await gone
      clearTimeout(patience)
      after()
    },
  }
}

function end(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // Ended already.
  }
}

/** CPU seconds and MiB of a node with all that it started. */
export function costOf({ pid }: Pick<RunningSubject, 'pid'>): { readonly cpuSeconds: number; readonly mib: number } {
  const pids = [pid, ...descendantsOf(pid).map((one) => one.pid)]
  const kib = pids.reduce((sum, one) => sum + pssKib(one), 0)
  return { cpuSeconds: treeCpuSeconds(pid), mib: kib / 1024 }
}

/** Proportional memory: each process has its part of shared pages. */
function pssKib(pid: number): number {
  try {
    return Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? 0)
  } catch {
    return 0
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
