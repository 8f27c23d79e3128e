import { fork, type ChildProcess } from 'node:child_process'
import { constants } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { abortable } from '../../lib/deadline.ts'
import type { Logger } from '../../lib/log.ts'
import { setNice } from '../../lib/workers/child-process.ts'
import type { RendererSettings } from './renderer-settings.ts'
import { programFile } from '../../lib/installation.ts'

/** `restarting`: it crashed and is not ready yet. */
export type RendererState = 'asleep' | 'starting' | 'running' | 'restarting'

/** The service's own renderer: a child that starts with a job, exits when it is idle, and is restarted when it crashes. */
export interface Renderer {
  state(): RendererState
  /** Number of restarts after a crash. */
  restarts(): number
  /** Starts it if it is asleep, or about to be. */
  wake(): void
  /** Lets it finish what it is at, within its grace, and ends it. */
  close(): Promise<void>
}

interface RendererOptions {
  /** Without an idle time it starts at once. */
  readonly settings: RendererSettings
  /** The child's whole environment: hostile pages are opened there, so it holds no secret. */
  readonly surroundings: Readonly<Record<string, string | undefined>>
  readonly log: Logger
}

/** Message of the child before it exits because no job came. */
export const IDLE = 'idle'

const FIRST_RESTART_MS = 100
const LAST_RESTART_MS = 10_000
/** Run time after which a renderer counts as healthy; the next restart is quick again. */
const SETTLED_MS = 30_000
/** Time beyond its grace, for the browser and the connections to end. */
const END_MS = 3000
/** The browser, which needs most, is watched by the renderer itself. */
const HEAP_MIB = 1024

export function startRenderer({ settings, surroundings, log }: RendererOptions): Renderer {
  const stopping = new AbortController()
  let state: RendererState = settings.idleMs === null ? 'starting' : 'asleep'
  let child: ChildProcess | null = null
  let isLeaving = false
  let woken = Promise.withResolvers<void>()
  let restarts = 0
  const backoff = createBackoff()

  const onMessage = (message: unknown) => {
    if (message === 'ready') state = 'running'
    if (message === IDLE) isLeaving = true
  }
  async function runOnce(): Promise<void> {
    const startedMs = performance.now()
    woken = Promise.withResolvers()
    isLeaving = false
    child = forkChild(settings, surroundings).on('message', onMessage)
    const { code, signal } = await ended(child)
    child = null
    if (stopping.signal.aborted) return
    if (isLeaving) {
      state = 'asleep'
      log.info('renderer asleep until the next job')
      return
    }
    state = 'restarting'
    restarts++
    const restartMs = backoff.next(performance.now() - startedMs)
    log.error({ code, signal, restartMs }, 'renderer exited')
    await sleep(restartMs, undefined, { signal: stopping.signal }).catch(() => undefined)
  }
  async function supervise(): Promise<void> {
    while (!stopping.signal.aborted) {
      if (state === 'asleep') await abortable(woken.promise, stopping.signal)
      if (state === 'asleep') state = 'starting'
      await runOnce()
    }
  }
  const supervised = supervise().catch((err: unknown) => {
    // A stop ends its sleep.
    if (!stopping.signal.aborted) log.error({ err }, 'renderer not supervised')
  })

  return {
    state: () => state,
    restarts: () => restarts,
    wake() {
      if (isLeaving || state === 'asleep') woken.resolve()
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

/** Doubles from restart to restart. */
function createBackoff() {
  let restartMs = FIRST_RESTART_MS
  return {
    /** @param ranMs how long the process was there */
    next(ranMs: number): number {
      const nowMs = ranMs > SETTLED_MS ? FIRST_RESTART_MS : restartMs
      restartMs = Math.min(nowMs * 2, LAST_RESTART_MS)
      return nowMs
    },
  }
}

function forkChild(settings: RendererSettings, surroundings: RendererOptions['surroundings']): ChildProcess {
  const child = fork(programFile('jobs/main'), ['--of-service'], {
    env: surroundings,
    execArgv: [`--max-old-space-size=${HEAP_MIB}`],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  // Sound comes first on a machine that has little to spare. The browser inherits it.
  setNice(child.pid, constants.priority.PRIORITY_BELOW_NORMAL)
  // The child may exit before it receives the message.
  child.send(settings, () => undefined)
  return child
}

function ended(child: ChildProcess): Promise<{ readonly code: number | null; readonly signal: string | null }> {
  return new Promise((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal }))
    child.once('error', () => resolve({ code: null, signal: null }))
  })
}
