import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdirSync, openSync, realpathSync } from 'node:fs'
import type { Server } from 'node:net'
import { childEnv } from '../../../lib/workers/child-process.ts'

/**
 * Namespaces for decoders: no network but a loopback of their own, on which only our range server listens, and of the
 * file system nothing but programs, libraries and the folders of tracks, all read-only. bubblewrap makes them once; no
 * process stays in them, since open files hold them. Entering them costs a decoder one `exec`.
 */
export interface DecoderSandbox {
  /** Listens on the loopback of the namespaces. */
  readonly server: Server
  /** Goes before a command; the process that runs it is given `namespaces` as its files 3, 4 and 5. */
  readonly enter: readonly [string, ...string[]]
  readonly namespaces: readonly number[]
  close(): void
}

export const ADVICE = 'Install bubblewrap and allow user namespaces, or set CHILD_SANDBOX=off.'

const OPEN_MS = 10_000
const PROGRAMS = ['/usr', '/bin', '/lib', '/lib64', '/etc/ld.so.cache', '/etc/alternatives', '/opt/homebrew']
const NAMESPACES = ['user', 'net', 'mnt'] as const
const FILES = ['--user=/proc/self/fd/3', '--net=/proc/self/fd/4', '--mount=/proc/self/fd/5']

/** Runs within the new namespaces: hands the socket over, and waits until the namespaces are held. */
const LISTEN = `
  const server = require('node:net').createServer().listen(0, '127.0.0.1', () => {
    process.send(process.pid, server)
    process.on('disconnect', () => process.exit())
  })`

/**
 * @param folders which decoders may read.
 * @throws {Error} that says why this machine has no sandbox.
 */
export async function openDecoderSandbox(folders: readonly string[]): Promise<DecoderSandbox> {
  for (const folder of folders) mkdirSync(folder, { recursive: true })
  const maker = spawn('bwrap', [...views(folders), '--', process.execPath, '-e', LISTEN], {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    env: childEnv(),
  })
  try {
    const [pid, server] = await firstMessage(maker)
    const namespaces = NAMESPACES.map((name) => openSync(`/proc/${pid}/ns/${name}`, 'r'))
    const sandbox = {
      server,
      enter: ['nsenter', ...FILES, '--preserve-credentials', '--'] as const,
      namespaces,
      close: () => namespaces.forEach((file) => closeSync(file)),
    }
    await tryOut(sandbox)
    return sandbox
  } finally {
    maker.kill('SIGKILL')
  }
}

/** Whether ffmpeg runs without network and with a read-only view of the file system. */
export interface DecoderSettings {
  /** `auto`: where the machine can do it; `required`: or not at all. */
  readonly sandbox: 'auto' | 'off' | 'required'
  readonly folders: readonly string[]
}

/** @throws {Error} if the sandbox is required but unavailable. */
export async function sandboxFor(settings: DecoderSettings | undefined, onMissing: (why: unknown) => void) {
  if (!settings || settings.sandbox === 'off') return null
  try {
    return await openDecoderSandbox(settings.folders)
  } catch (error) {
    if (settings.sandbox === 'required') throw error
    onMissing(error)
    return null
  }
}

/** @throws {Error} that says what to do if this machine has no sandbox. */
export async function assertDecoderSandbox(folders: readonly string[]): Promise<void> {
  try {
    const sandbox = await openDecoderSandbox(folders)
    sandbox.server.close()
    sandbox.close()
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new Error(`CHILD_SANDBOX=required, but ${why}. ${ADVICE}`, { cause })
  }
}

function views(folders: readonly string[]): string[] {
  const node = realpathSync(process.execPath)
  const readable = [...PROGRAMS, process.execPath, node, ...folders, ...folders.map((folder) => realpathSync(folder))]
  // Root has no privileges in there: an `exec` leaves no capabilities.
  const scope = ['--unshare-user', '--uid', '65534', '--gid', '65534', '--die-with-parent']
  const apart = ['--unshare-net', '--unshare-ipc', '--unshare-uts', '--unshare-cgroup-try']
  const visible = readable.flatMap((path) => ['--ro-bind-try', path, path])
  // Not `--dev`: for it bubblewrap makes a second user namespace, from which the others cannot be entered.
  const devices = ['/dev/null', '/dev/zero', '/dev/urandom'].flatMap((path) => ['--dev-bind', path, path])
  return [...scope, ...apart, ...devices, ...visible, '--remount-ro', '/']
}

async function firstMessage(maker: ChildProcess): Promise<[number, Server]> {
  let stderrText = ''
  maker.stderr?.setEncoding('utf8').on('data', (text: string) => (stderrText = (stderrText + text).slice(-500)))
  const died = once(maker, 'close').then(() => {
    throw new Error(stderrText.trim() || 'bubblewrap exited')
  })
  const signal = AbortSignal.timeout(OPEN_MS)
  return Promise.race([once(maker, 'message', { signal }) as Promise<[number, Server]>, died])
}

async function tryOut({ enter, namespaces }: DecoderSandbox): Promise<void> {
  const [command, ...args] = [...enter, 'ffmpeg', '-version'] as const
  const probe = spawn(command, args, {
    stdio: ['ignore', 'ignore', 'pipe', ...namespaces],
    env: childEnv(),
    timeout: OPEN_MS,
  })
  let stderrText = ''
  probe.stderr?.setEncoding('utf8').on('data', (text: string) => (stderrText = (stderrText + text).slice(-500)))
  const [code] = (await once(probe, 'close')) as [number | null]
  if (code !== 0) throw new Error(stderrText.trim() || `ffmpeg exited with ${code}`)
}
