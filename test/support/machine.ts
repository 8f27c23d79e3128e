import { fork, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { program } from './program.ts'
import { eventually } from './service.ts'

/** On a machine with much else to do. */
const START_WITHIN_MS = 180_000
const ROOT = join(import.meta.dirname, '..', '..')

/** A program that a test kills and starts again. */
export interface Machine {
  /** Sends a signal that it lives through. */
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void
  /** 0 before its first start. */
  pid(): number
  /** Everything that it has said since its first start. */
  output(): string
  /** @returns its exit code; null if the signal ended it. */
  kill(signal?: NodeJS.Signals): Promise<number | null>
  start(): Promise<void>
}

interface NodeFacts {
  readonly env: Readonly<Record<string, string>>
  /** Defaults to the Node.js of this process, without the settings of tools/node.sh. */
  readonly execPath?: string | undefined
}

/** A program of ours that has started when it logs so. */
export function nodeMachine(file: string, started: string, { env, execPath }: NodeFacts): Machine {
  return createMachine(started, () =>
    fork(execPath === undefined ? program(file) : join(ROOT, file), {
      cwd: ROOT,
      execPath: execPath ?? process.execPath,
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      env: { ...process.env, ...env },
    }),
  )
}

export function redisMachine(port: number, folder: string, isKept: boolean): Machine {
  const kept = ['--appendonly', isKept ? 'yes' : 'no', '--save', '']
  const args = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder, ...kept]
  return createMachine('Ready to accept connections', () => spawn('redis-server', args))
}

export function createMachine(started: string, launch: () => ChildProcess): Machine {
  let child: ChildProcess | null = null
  let output = ''
  return {
    signal: (signal) => void child?.kill(signal),
    pid: () => child?.pid ?? 0,
    output: () => output,
    async kill(signal = 'SIGKILL') {
      if (!child || child.exitCode !== null || child.signalCode !== null) return child?.exitCode ?? null
      const gone = once(child, 'exit')
      child.kill(signal)
      await gone
      return child.exitCode
    },
    async start() {
      const before = output.length
      child = launch()
      const listen = (chunk: Buffer) => (output += chunk.toString())
      child.stdout?.on('data', listen)
      child.stderr?.on('data', listen)
      const words = () => output.slice(before)
      await eventually(
        () => words().includes(started) || child?.exitCode !== null || child.signalCode !== null,
        Boolean,
        START_WITHIN_MS,
      )
      if (!words().includes(started)) throw new Error(`It ended instead of starting: ${words().slice(-2000)}`)
    },
  }
}
