import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { realpathSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { nodeWithMemoryLimit, setNice } from '../../../lib/workers/child-process.ts'
import type { WorkerHealth } from '../../../lib/workers/worker-health.ts'
import type { Logger } from '../../../lib/log.ts'
import { crowded, LATE, unavailable } from './refusals.ts'
import type { Ask, FromHelper, HelperSettings, Library, ToHelper } from './helper/protocol.ts'
import { abortable } from '../../../lib/deadline.ts'

/** The process in which foreign code asks YouTube. Started with the first question, and again after it died. */
export interface Helper {
  /** @throws {HelperFailure} as the library does; {Fault} when it could not be asked. */
  ask(library: Library, ask: Ask, signal: AbortSignal): Promise<unknown>
  /** For tests and logs; null while none runs. */
  readonly pid: number | null
  health(): WorkerHealth
  close(): Promise<void>
}

export interface HelperOptions {
  readonly settings: HelperSettings
  readonly log: Logger
  /** For one question. */
  readonly timeoutMs?: number
  /** Ends after so long without one. */
  readonly idleMs?: number
}

/** What a library could not do. */
export class HelperFailure extends Error {
  readonly kind: 'refused' | 'broken'

  constructor(kind: 'refused' | 'broken', reason: string) {
    super(reason)
    this.kind = kind
  }
}

interface Waiting {
  readonly asked: ChildProcess
  /** Runs until the helper answers, whether the caller still waits or not. */
  readonly timer: NodeJS.Timeout
  readonly resolve: (answer: unknown) => void
  readonly reject: (error: Error) => void
}

const QUESTIONS_MAX = 32
const HEAP_MIB = 256
const MEMORY_MIB = 1024
const HEALTH = { name: 'youtube-helper', quarantined: 0 }
const COMPLAINT_CHARS = 2000

export function createHelper({ settings, log, timeoutMs = 12_000, idleMs = 600_000 }: HelperOptions): Helper {
  const waiting = new Map<number, Waiting>()
  let child: ChildProcess | null = null
  let idle: NodeJS.Timeout | undefined
  let lastId = 0
  let isClosed = false
  let restarts = 0

  function start(): ChildProcess {
    const fresh = forkHelper(log)
    fresh.on('message', (message: FromHelper) => settle(take(message.id), message))
    fresh.on('exit', () => {
      if (child === fresh) child = null
      for (const [id, { asked }] of waiting) if (asked === fresh) take(id)?.reject(cutOff())
    })
    send(fresh, { settings })
    return fresh
  }
  function take(id: number): Waiting | undefined {
    const one = takeFrom(waiting, id)
    if (waiting.size === 0 && !isClosed) idle = setTimeout(() => child?.kill('SIGKILL'), idleMs).unref()
    return one
  }

  /** It does not get to its questions any more: the next question goes to another process. */
  function replace(id: number, hung: ChildProcess): void {
    log.warn({ timeoutMs }, 'YouTube helper hung')
    restarts += 1
    take(id)?.reject(unavailable(LATE, undefined, 'unreachable'))
    if (child === hung) child = null
    hung.kill('SIGKILL')
  }

  return {
    get pid() {
      return child?.pid ?? null
    },
    health: () => ({ ...HEALTH, state: child ? 'running' : 'idle', busy: waiting.size, restarts }),
    async ask(library, ask, signal) {
      assertRoom(isClosed, waiting.size)
      signal.throwIfAborted()
      clearTimeout(idle)
      child ??= start()
      const asked = child
      const id = ++lastId
      const { promise, resolve, reject } = Promise.withResolvers<unknown>()
      const timer = setTimeout(() => replace(id, asked), timeoutMs)
      waiting.set(id, { asked, timer, resolve, reject })
      send(asked, { id, library, ask })
      return abortable(promise, signal)
    },
    async close() {
      isClosed = true
      clearTimeout(idle)
      if (child) await end(child)
    },
  }
}

function assertRoom(isClosed: boolean, questions: number): void {
  if (isClosed) throw unavailable('The service is shutting down.')
  if (questions >= QUESTIONS_MAX) throw crowded()
}

function cutOff(): Error {
  return unavailable('The request to YouTube was interrupted. Try again in a moment.')
}

function takeFrom(waiting: Map<number, Waiting>, id: number): Waiting | undefined {
  const one = waiting.get(id)
  clearTimeout(one?.timer)
  waiting.delete(id)
  return one
}

async function end(child: ChildProcess): Promise<void> {
  const gone = once(child, 'exit')
  child.kill('SIGKILL')
  await gone
}

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

function forkHelper(log: Logger): ChildProcess {
  // Where they are installed may be a link to elsewhere.
  const [installed] = realpathSync(createRequire(import.meta.url).resolve('undici')).split('/undici/')
  const own = ['*', '../../../upstream/*', '../../../lib/*', '../../../package.json'].map(here)
  const readable = [...own, `${installed}/*`]
  const permissions = ['--permission', ...readable.map((path) => `--allow-fs-read=${path}`), '--no-warnings']
  const child = fork(here('helper/main.ts'), [], {
    ...nodeWithMemoryLimit(MEMORY_MIB, { heapMebibytes: HEAP_MIB, execArgv: permissions }),
    env: {},
    // Where it may read: one of the libraries looks for settings of its own.
    cwd: here('.'),
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  // Less urgent than sound.
  setNice(child.pid, 10)
  let complaint = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    complaint = (complaint + text).slice(-COMPLAINT_CHARS)
  })
  child.on('error', (err) => log.warn({ err }, 'YouTube helper failed'))
  child.on('exit', (code, killedBy) => {
    if (killedBy !== 'SIGKILL') log.warn({ code, killedBy, complaint }, 'YouTube helper exited')
  })
  return child
}

function send(child: ChildProcess, message: ToHelper): void {
  // A child that died meanwhile tells so by its end.
  child.send(message, () => undefined)
}

function settle(one: Waiting | undefined, message: FromHelper): void {
  if ('answer' in message) one?.resolve(message.answer)
  else one?.reject(new HelperFailure(message.failure.kind, message.failure.reason))
}
