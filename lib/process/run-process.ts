import { once } from 'node:events'
import { enableCompileCache } from 'node:module'
import { createLog, type Logger } from '../log.ts'
import type { LogOutput } from '../log-output.ts'
import { standardOutput } from '../terminal-output.ts'
import { assetFile } from '../installation.ts'

/** The running program of a process. */
interface Running {
  /** Text for the person who started it; written below the log. */
  readonly greeting?: string
  close(): Promise<void>
}

interface RunOptions {
  readonly log: Logger
  /** Aborts when the process is told to stop. */
  readonly signal: AbortSignal
  /** Stops the process. */
  readonly stop: () => void
}

interface ProcessSpec<Settings> {
  /** The subject of "did not start". */
  readonly name: string
  /** @throws {Error} whose message tells the operator what to change */
  readonly readSettings: (stop: () => void) => Settings | Promise<Settings>
  readonly logging: (settings: Settings) => { readonly level: string; readonly secrets?: readonly string[] }
  /** The last resort when something does not let go, in milliseconds after the process was told to stop. */
  readonly stopWithinMs: (settings: Settings) => number
  readonly start: (settings: Settings, options: RunOptions) => Promise<Running>
}

/** Everything is closed and saved by then. */
const LINGER_MS = 500

/**
 * Inside the installation, where no other user of the machine can plant code, as they could in a folder for temporary
 * files.
 */
const COMPILE_CACHE = assetFile('node_modules/.cache/node')

/**
 * The life of a process of ours: it reads its settings, starts, tells its parent `ready`, runs until SIGINT, SIGTERM or the
 * message `shutdown`, and closes. A failed start is told on standard error; the process then exits with 1.
 */
export async function runProcess<Settings>(spec: ProcessSpec<Settings>): Promise<void> {
  keepCompiledCode()
  const stopping = new AbortController()
  const { signal } = stopping
  const stop = () => stopping.abort()
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, stop)
  // pm2 on Windows and `shutdown_with_message` send words instead of signals.
  process.on('message', (message) => {
    if (message === 'shutdown') stop()
  })

  let output: LogOutput | null = null
  try {
    const settings = await spec.readSettings(stop)
    exitLate(signal, spec.stopWithinMs(settings))
    const { level, secrets } = spec.logging(settings)
    output = standardOutput(level)
    const log = createLog(level, output, secrets)
    process.on('unhandledRejection', (err) => log.error({ err }, 'unhandled promise rejection'))
    const running = await spec.start(settings, { log, signal, stop })
    if (!signal.aborted) {
      // Written through the log output, so it stands below the earlier lines.
      if (running.greeting) output.write(running.greeting)
      if (process.connected) process.send?.('ready')
      await once(signal, 'abort')
    }
    await running.close()
  } catch (error) {
    const wasStopped = signal.aborted && error === signal.reason
    if (!wasStopped) {
      process.stderr.write(`${spec.name} didn't start.\n${error instanceof Error ? error.message : String(error)}\n`)
      process.exitCode = 1
    }
    await output?.close()
    // Resources that a failed start could not close would keep the process alive.
    process.exit()
  }
  await output.close()
  // An IPC channel of a parent keeps a process alive for ever.
  if (process.connected) process.disconnect()
  // Resources that could not be closed must not keep it alive, nor those of a library, such as a request to a collector
  // that hangs.
  if (process.exitCode === 1) process.exit()
  setTimeout(() => process.exit(), LINGER_MS).unref()
}

/**
 * Keeps compiled code for the next start, which then takes a third less CPU. Where the folder is read-only, nothing is
 * kept. Child processes find it by the variable. A process that tools/node.sh started keeps none itself: Node.js would hold
 * it in memory.
 */
function keepCompiledCode(): void {
  // oxlint-disable-next-line no-restricted-properties -- for Node.js itself, and no setting
  const folder = (process.env['NODE_COMPILE_CACHE'] ??= COMPILE_CACHE)
  enableCompileCache(folder)
}

function exitLate(signal: AbortSignal, afterMs: number): void {
  const arm = () => setTimeout(() => process.exit(1), afterMs).unref()
  if (signal.aborted) arm()
  else signal.addEventListener('abort', arm, { once: true })
}
