import type { ChildProcess } from 'node:child_process'
import { setPriority } from 'node:os'

/** Environment, memory bound and priority of child processes. Every child is started with these. */

/**
 * The environment of a child process: PATH, where Node.js keeps compiled code, and `extra`, nothing else. The service's
 * own holds tokens and keys, which no program that reads strangers' data may see.
 */
export function childEnv(extra: Readonly<Record<string, string>> = {}): Record<string, string> {
  // oxlint-disable-next-line no-restricted-properties -- what every program needs, and no setting
  const { PATH = '/usr/local/bin:/usr/bin:/bin', NODE_COMPILE_CACHE } = process.env
  return { PATH, ...(NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE }), ...extra }
}

/** The same for a thread, which keeps compiled code where the process does. */
export function threadEnv(): Record<string, string> {
  // oxlint-disable-next-line no-restricted-properties -- for Node.js itself, and no setting
  const { NODE_DISABLE_COMPILE_CACHE } = process.env
  return childEnv(NODE_DISABLE_COMPILE_CACHE === undefined ? {} : { NODE_DISABLE_COMPILE_CACHE })
}

/** Exit code of a command of `withMemoryLimit` that is not installed. */
export const NOT_INSTALLED = 127

/**
 * The command behind a shell that sets RLIMIT_DATA and then becomes the command, with the same process id. The limit
 * counts heap and private mappings, but neither libraries nor address space that is only reserved, which V8 does by
 * the terabyte. An allocation above it fails. Core dumps are switched off: they would hold what the process held.
 */
export function withMemoryLimit(mebibytes: number, command: string, args: readonly string[]): [string, string[]] {
  return ['/bin/sh', [...memoryLimitArgs(mebibytes), command, ...args]]
}

/** Options of `fork`: Node.js behind the same shell. V8's heap is bounded as well. */
export function nodeWithMemoryLimit(
  mebibytes: number,
  { heapMebibytes, execArgv = [] }: { readonly heapMebibytes: number; readonly execArgv?: readonly string[] },
): { readonly execPath: string; readonly execArgv: string[] } {
  const node = [process.execPath, `--max-old-space-size=${heapMebibytes}`, ...execArgv]
  return { execPath: '/bin/sh', execArgv: [...memoryLimitArgs(mebibytes), ...node] }
}

function memoryLimitArgs(mebibytes: number): string[] {
  const kibibytes = String(mebibytes * 1024)
  return ['-c', 'ulimit -c 0; ulimit -d "$1"; shift; exec "$@"', 'sh', kibibytes]
}

/** Hears what a child of ours says. One that says what it never would has been broken into: it ends. */
export function listenTo(child: ChildProcess, onMessage: (message: unknown) => void): void {
  child.on('message', (message) => {
    try {
      onMessage(message)
    } catch {
      child.kill('SIGKILL')
    }
  })
}

/** Sets a child's priority, from -20 (first) to 19 (last), where the system allows it. */
export function setNice(pid: number | undefined, nice: number): void {
  try {
    if (pid !== undefined) setPriority(pid, nice)
  } catch {
    // The child has ended already, or the system does not let us: neither matters.
  }
}
