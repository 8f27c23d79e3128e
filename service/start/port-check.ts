import { once } from 'node:events'
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { createServer } from 'node:net'
import { basename } from 'node:path'
import type { Config } from '../../config.ts'

/** A port that another program listens on. */
interface TakenPort {
  readonly setting: 'PORT' | 'SANDBOX_PORT'
  readonly host: string
  readonly port: number
  /** Null if the system does not show it, such as a process of another user. */
  readonly holder: PortHolder | null
}

interface PortHolder {
  readonly pid: number
  /** `redis-server`, `node main.ts`. */
  readonly name: string
}

/** The ports of these settings that are taken now. Opens and closes each, which takes about a millisecond. */
export async function findTakenPorts({ api, sandbox }: Pick<Config, 'api' | 'sandbox'>): Promise<readonly TakenPort[]> {
  const wanted = [
    { setting: 'PORT', host: api.host, port: api.port } as const,
    ...(sandbox.mode === 'off' ? [] : [{ setting: 'SANDBOX_PORT', host: '127.0.0.1', port: sandbox.port } as const]),
  ]
  const taken: TakenPort[] = []
  for (const each of wanted) {
    if (await isTaken(each)) taken.push({ ...each, holder: findPortHolder(each.port) })
  }
  return taken
}

/** One line for a person: which port, who has it, and which setting to change. */
export function describeTakenPort({ setting, host, port, holder }: TakenPort): string {
  const program = holder ? `${holder.name} (process ${holder.pid})` : 'another program'
  return `Port ${port} on ${host} is in use by ${program}. Stop it, or set ${setting} to a free port.`
}

async function isTaken({ host, port }: { readonly host: string; readonly port: number }): Promise<boolean> {
  if (port === 0) return false
  const server = createServer()
  try {
    server.listen(port, host)
    await once(server, 'listening')
    return false
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EADDRINUSE'
  } finally {
    server.close()
  }
}

/** The process that listens on a port, from `/proc`; null on systems other than Linux. */
export function findPortHolder(port: number): PortHolder | null {
  const sockets = new Set(['tcp', 'tcp6'].flatMap((table) => listeningSockets(table, port)))
  if (sockets.size === 0) return null
  const pids = readFolder('/proc').filter((name) => /^\d+$/.test(name))
  const pid = pids.find((each) => openFiles(each).some((target) => sockets.has(target)))
  return pid === undefined ? null : { pid: Number(pid), name: nameOfProcess(pid) }
}

/** Returns `socket:[INODE]`. The fields are in `man 5 proc_pid_net`: local address, remote address, state, …, inode. */
function listeningSockets(table: string, port: number): readonly string[] {
  const localPort = `:${port.toString(16).toUpperCase().padStart(4, '0')}`
  const rows = readText(`/proc/net/${table}`).split('\n').slice(1)
  const columns = rows.map((row) => row.trim().split(/\s+/))
  return columns
    .filter(([, local, , state]) => state === '0A' && local?.endsWith(localPort))
    .map((row) => `socket:[${row[9]}]`)
}

function openFiles(pid: string): readonly string[] {
  return readFolder(`/proc/${pid}/fd`).map((fd) => {
    try {
      return readlinkSync(`/proc/${pid}/fd/${fd}`)
    } catch {
      return ''
    }
  })
}

/** Options of Node that take a script which is not the program. */
const PRELOADS: ReadonlySet<string | undefined> = new Set(['--import', '--require', '-r'])

/** Node's own name says nothing, so its script follows. */
function nameOfProcess(pid: string): string {
  const [program = '', ...args] = readText(`/proc/${pid}/cmdline`).split('\0')
  const name = basename(program) || 'a program'
  const script = args.find((arg, i) => arg !== '' && !arg.startsWith('-') && !PRELOADS.has(args[i - 1]))
  return name === 'node' && script !== undefined && /\.[cm]?[jt]s$/.test(script) ? `node ${basename(script)}` : name
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

/** Empty if it cannot be read or is gone. */
function readFolder(path: string): readonly string[] {
  try {
    return readdirSync(path)
  } catch {
    return []
  }
}
