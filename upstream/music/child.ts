import { finished } from 'node:stream/promises'
import { endNow } from '../../lib/process/end-now.ts'
import { NOT_INSTALLED, withMemoryLimit } from '../../lib/workers/child-process.ts'
import type { SpawnedChild, Spawner } from '../../lib/workers/spawner.ts'

interface ChildOptions {
  readonly spawner: Spawner
  readonly command: string
  /** Handed over as they are: no shell reads them. */
  readonly args: readonly string[]
  readonly signal: AbortSignal
  readonly maxBytes: number
  /** Beside what every child gets. */
  readonly env?: Readonly<Record<string, string>>
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
 * Runs a program to its end. It is gone when this settles, with all that it started: it exits, or is killed
 * for the signal or for more output than the bound.
 * @throws {Error} when it cannot be started.
 */
export async function runChild(options: ChildOptions): Promise<ChildOutcome> {
  const { spawner, command, args, signal, maxBytes } = options
  const env = { ...ENVIRONMENT, ...options.env }
  signal.throwIfAborted()
  const [shell, shellArgs] = withMemoryLimit(MEMORY_MIB, command, args)
  const child = await spawner.start({ command: shell, args: shellArgs, nice: 0, env, leadsSession: true })
  const { stdin, stdout, stderr, exited } = child
  const chunks: Buffer[] = []
  let bytes = 0
  let complaint = ''
  const onAbort = () => killGroup(child)
  stdin.end()
  stdout.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > maxBytes) killGroup(child)
    else chunks.push(chunk)
  })
  stderr.setEncoding('utf8').on('data', (text: string) => {
    complaint = (complaint + text).slice(-COMPLAINT_CHARS)
  })
  signal.addEventListener('abort', onAbort, { once: true })
  if (signal.aborted) onAbort()
  try {
    const ends = [stdout, stderr].map((stream) => finished(stream, { writable: false }).catch(() => undefined))
    const [status] = await Promise.all([exited, ...ends])
    if (status === NOT_INSTALLED) throw Object.assign(new Error(complaint.trim()), { code: 'ENOENT' })
    return {
      code: typeof status === 'number' ? status : null,
      output: Buffer.concat(chunks).toString('utf8'),
      complaint,
    }
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}

function killGroup({ pid, stdout, stderr }: SpawnedChild): void {
  endNow(-pid)
  // A grandchild that left the group could hold the streams open for ever.
  stdout.destroy()
  stderr.destroy()
}
