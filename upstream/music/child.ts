import { spawn, type ChildProcessByStdio } from 'node:child_process'
import type { Readable } from 'node:stream'
import { childEnv, NOT_INSTALLED, withMemoryLimit } from '../../lib/workers/child-process.ts'

export interface ChildOptions {
  readonly command: string
  /** Handed over as they are: no shell reads them. */
  readonly args: readonly string[]
  readonly signal: AbortSignal
  readonly maxBytes: number
}

export interface ChildOutcome {
  /** Null when it was killed. */
  readonly code: number | null
  readonly output: string
  /** The end of what it complained about. */
  readonly complaint: string
}

const COMPLAINT_CHARS = 8000
const ENVIRONMENT = { LANG: 'C.UTF-8', PYTHONIOENCODING: 'utf-8' }
/** Python and a JavaScript engine; each process that the program starts has as much. */
const MEMORY_MIB = 1024

/**
 * Runs a program to its end. It is gone when this settles, with all that it started: it ends by itself, or is killed
 * for the signal or for more output than the bound.
 * @throws {Error} when it cannot be started.
 */
export async function runChild({ command, args, signal, maxBytes }: ChildOptions): Promise<ChildOutcome> {
  signal.throwIfAborted()
  const [shell, shellArgs] = withMemoryLimit(MEMORY_MIB, command, args)
  const env = childEnv(ENVIRONMENT)
  const child = spawn(shell, shellArgs, { stdio: ['ignore', 'pipe', 'pipe'], detached: true, env })
  const chunks: Buffer[] = []
  let bytes = 0
  let complaint = ''
  const onAbort = () => killGroup(child)
  child.stdout.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > maxBytes) killGroup(child)
    else chunks.push(chunk)
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaint = (complaint + text).slice(-COMPLAINT_CHARS)
  })
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    const code = await new Promise<number | null>((resolve, reject) => {
      child.once('error', reject)
      child.once('close', resolve)
    })
    if (code === NOT_INSTALLED) throw Object.assign(new Error(complaint.trim()), { code: 'ENOENT' })
    return { code, output: Buffer.concat(chunks).toString('utf8'), complaint }
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}

function killGroup({ pid, stdout, stderr }: ChildProcessByStdio<null, Readable, Readable>): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL')
  } catch {
    // It has ended already.
  }
  // A grandchild that left the group could hold the pipes open for ever.
  stdout.destroy()
  stderr.destroy()
}
