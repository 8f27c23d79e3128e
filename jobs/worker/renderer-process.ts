import { fork, type ChildProcess } from 'node:child_process'
import { constants } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from '../../lib/log.ts'
import { setNice } from '../../lib/workers/child-process.ts'
import type { RendererSettings } from './renderer-settings.ts'

/** The service's own renderer: a child that is started again when it ends. */
export interface Renderer {
  readonly isRunning: boolean
  readonly restarts: number
  /** Lets it finish what it is at, within its grace, and ends it. */
  close(): Promise<void>
}

export interface RendererOptions {
  readonly settings: RendererSettings
  /** The child's whole environment: hostile pages are opened there, so it holds no secret. */
  readonly surroundings: Readonly<Record<string, string | undefined>>
  readonly log: Logger
}

const FIRST_RESTART_MS = 100
const LAST_RESTART_MS = 10_000
/** One that ran for as long was all right; the next restart is quick again. */
const SETTLED_MS = 30_000
/** Beyond its grace, for the browser and the connections to end. */
const END_MS = 3000
/** The browser, which needs most, is watched by the renderer itself. */
const HEAP_MIB = 1024

export function startRenderer({ settings, surroundings, log }: RendererOptions): Renderer {
  const stopping = new AbortController()
  let child: ChildProcess | null = null
  let restarts = -1
  let restartMs = FIRST_RESTART_MS

  async function runOnce(): Promise<void> {
    const startedMs = performance.now()
    restarts++
    child = forkChild(settings, surroundings)
    const { code, signal } = await ended(child)
    child = null
    if (stopping.signal.aborted) return
    if (performance.now() - startedMs > SETTLED_MS) restartMs = FIRST_RESTART_MS
    log.error({ code, signal, restartMs }, 'renderer exited')
    await sleep(restartMs, undefined, { signal: stopping.signal }).catch(() => undefined)
    restartMs = Math.min(restartMs * 2, LAST_RESTART_MS)
  }
  async function supervise(): Promise<void> {
    while (!stopping.signal.aborted) await runOnce()
  }
  const supervised = supervise()

  return {
    get isRunning() {
      return child !== null
    },
    get restarts() {
      return Math.max(0, restarts)
    },
    async close() {
      stopping.abort()
      child?.kill('SIGTERM')
      const hard = setTimeout(() => child?.kill('SIGKILL'), settings.graceMs + END_MS)
      await supervised
      clearTimeout(hard)
    },
  }
}

function forkChild(settings: RendererSettings, surroundings: RendererOptions['surroundings']): ChildProcess {
  const child = fork(new URL('../main.ts', import.meta.url), ['--of-service'], {
    env: surroundings,
    execArgv: [`--max-old-space-size=${HEAP_MIB}`],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  // Sound comes first on a machine that has little to spare. The browser inherits it.
  setNice(child.pid, constants.priority.PRIORITY_BELOW_NORMAL)
  // It may be gone before it has heard.
  child.send(settings, () => undefined)
  return child
}

function ended(child: ChildProcess): Promise<{ readonly code: number | null; readonly signal: string | null }> {
  return new Promise((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal }))
    child.once('error', () => resolve({ code: null, signal: null }))
  })
}
