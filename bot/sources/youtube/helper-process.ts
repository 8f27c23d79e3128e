import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { realpathSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { listenTo, nodeWithMemoryLimit, setNice } from '../../../lib/workers/child-process.ts'
import type { WorkerHealth } from '../../../lib/workers/worker-health.ts'
import type { Logger } from '../../../lib/log.ts'
import type { TokenProvider } from './token-provider.ts'
import { crowded, LATE, unavailable } from './refusals.ts'
import type { YoutubeRequest, FromHelper, HelperSettings, YoutubeLibrary, ToHelper } from './helper/protocol.ts'
import { abortable } from '../../../lib/deadline.ts'
import { assetFile, CODE, programFile, ROOT } from '../../../lib/installation.ts'

/** The process in which foreign code asks YouTube. Started with the first question, and again after it died. */
export type Helper = ReturnType<typeof createHelper>

interface HelperOptions {
  readonly settings: HelperSettings
  /** Finds the tokens that the process asks for. */
  readonly findToken?: TokenProvider['find']
  readonly log: Logger
  /** Time limit of one question. */
  readonly timeoutMs?: number
  /** Idle time after which the process ends. */
  readonly idleMs?: number
}

/** A failure of a library. */
export class HelperFailure extends Error {
  readonly kind: 'refused' | 'broken'

  constructor(kind: 'refused' | 'broken', reason: string) {
    super(reason)
    this.kind = kind
  }
}

interface Running {
  readonly process: ChildProcess
  readonly ready: Promise<void>
}

interface Waiting {
  readonly asked: Running
  /** Runs until the helper answers, whether the caller still waits or not. */
  readonly timer: NodeJS.Timeout
  readonly resolve: (answer: unknown) => void
  readonly reject: (error: Error) => void
}

type Answer = Extract<FromHelper, { readonly id: number }>

const QUESTIONS_MAX = 32
/** On a busy machine, where it comes after all else. */
const START_MS = 20_000
const HEAP_MIB = 256
const MEMORY_MIB = 1024
const HEALTH = { name: 'youtube-helper', quarantined: 0 }
const COMPLAINT_CHARS = 2000

const noToken = () => Promise.resolve(null)

export function createHelper(options: HelperOptions) {
  const { settings, findToken = noToken, log, timeoutMs = 12_000, idleMs = 600_000 } = options
  const questions = createQuestions(rest)
  let child: Running | null = null
  let starting = 0
  let isClosed = false
  let restarts = 0
  const served = createServed(findToken, rest)
  const idle = createIdleTimer(idleMs, () => child?.process.kill('SIGKILL'))

  function start(): Running {
    const fresh = startChild(log, settings, served, (answer) => questions.settle(answer))
    fresh.ready.then(rest, () => undefined)
    fresh.process.on('exit', () => {
      if (child === fresh) child = null
      questions.cutOff(fresh)
    })
    return fresh
  }
  function rest(): void {
    idle.set(questions.count() === 0 && served.streams === 0 && !isClosed)
  }

  /** Kills a process that no longer answers: the next question goes to another one. */
  function replace(hung: Running): void {
    log.warn({ timeoutMs }, 'YouTube helper hung')
    restarts += 1
    if (child === hung) child = null
    hung.process.kill('SIGKILL')
  }
  return {
    /** Process ID for tests and logs; null while none runs. */
    get pid(): number | null {
      return child?.process.pid ?? null
    },
    served,
    health: (): WorkerHealth => ({ ...HEALTH, state: child ? 'running' : 'idle', busy: questions.count(), restarts }),
    /** Resolves when it takes questions. @throws {Fault} when it does not start. */
    async started(signal: AbortSignal) {
      assertRoom(isClosed, questions.count() + starting, signal)
      child ??= start()
      starting += 1
      await abortable(child.ready, signal).finally(() => (starting -= 1))
    },
    /** @throws {HelperFailure} as the library does; {Fault} when it could not be asked. */
    async ask(library: YoutubeLibrary, ask: YoutubeRequest, signal: AbortSignal): Promise<unknown> {
      assertRoom(isClosed, questions.count(), signal)
      idle.set(false)
      const asked = (child ??= start())
      const { id, answer } = questions.add(asked, timeoutMs, () => replace(asked))
      send(asked.process, { id, library, ask })
      return abortable(answer, signal)
    },
    async close() {
      isClosed = true
      idle.set(false)
      if (child) await end(child.process)
    },
  }
}

/** Questions without an answer yet. `onSettled` runs after each that is settled. */
function createQuestions(onSettled: () => void) {
  const waiting = new Map<number, Waiting>()
  let lastId = 0

  function take(id: number): Waiting | undefined {
    const one = waiting.get(id)
    clearTimeout(one?.timer)
    waiting.delete(id)
    onSettled()
    return one
  }
  return {
    count: () => waiting.size,
    add(asked: Running, timeoutMs: number, onLate: () => void) {
      const id = ++lastId
      const { promise: answer, resolve, reject } = Promise.withResolvers<unknown>()
      const timer = setTimeout(() => {
        take(id)?.reject(unavailable(LATE, undefined, 'unreachable'))
        onLate()
      }, timeoutMs)
      waiting.set(id, { asked, timer, resolve, reject })
      return { id, answer }
    },
    settle(message: Answer): void {
      const one = take(message.id)
      if ('answer' in message) one?.resolve(message.answer)
      else one?.reject(new HelperFailure(message.failure.kind, message.failure.reason))
    },
    /** Rejects the questions of a process that exited. */
    cutOff(gone: Running): void {
      for (const [id, { asked }] of waiting) if (asked === gone) take(id)?.reject(cutOff())
    },
  }
}

type Told = Extract<FromHelper, { readonly wants: number } | { readonly streams: number }>

/** Runs `end` once the process has been idle for as long as that. */
function createIdleTimer(idleMs: number, end: () => void) {
  let timer: NodeJS.Timeout | undefined
  return {
    set(isIdle: boolean): void {
      clearTimeout(timer)
      if (isIdle) timer = setTimeout(end, idleMs).unref()
    },
  }
}

type Served = ReturnType<typeof createServed>

/** The audio that a process serves, and the tokens that it asks for. */
function createServed(findToken: TokenProvider['find'], onChange: () => void) {
  let latest: { readonly from: ChildProcess; readonly streams: number; readonly port: number } | null = null
  return {
    get streams(): number {
      return latest?.streams ?? 0
    },
    /** `host:port`; null while it serves nothing. */
    get at(): string | null {
      return latest && `127.0.0.1:${latest.port}`
    },
    receive(from: ChildProcess, message: Told): void {
      if ('wants' in message) {
        const { wants, binding, isFresh } = message
        return void findToken(binding, isFresh).then((token) => send(from, { granted: wants, token }))
      }
      latest = { from, ...message }
      onChange()
    },
    end(from: ChildProcess): void {
      if (latest?.from === from) latest = null
    },
  }
}

function assertRoom(isClosed: boolean, questions: number, signal: AbortSignal): void {
  if (isClosed) throw unavailable('The service is shutting down.')
  if (questions >= QUESTIONS_MAX) throw crowded()
  signal.throwIfAborted()
}

function cutOff(): Error {
  return unavailable('The request to YouTube was interrupted. Try again in a moment.')
}

function startChild(
  log: Logger,
  settings: HelperSettings,
  served: Served,
  answered: (answer: Answer) => void,
): Running {
  const { promise: ready, resolve, reject } = Promise.withResolvers<void>()
  const child = forkHelper(log)
  const late = setTimeout(() => {
    log.warn({ timeoutMs: START_MS }, 'YouTube helper did not start')
    child.kill('SIGKILL')
  }, START_MS).unref()
  listenTo(child, (told) => {
    const message = told as FromHelper
    if ('id' in message) return answered(message)
    if (!('ready' in message)) return served.receive(child, message)
    clearTimeout(late)
    resolve()
  })
  child.on('exit', () => {
    clearTimeout(late)
    served.end(child)
    reject(cutOff())
  })
  send(child, { settings })
  return { process: child, ready }
}

async function end(child: ChildProcess): Promise<void> {
  const gone = once(child, 'exit')
  child.kill('SIGKILL')
  await gone
}

const HELPER = programFile('bot/sources/youtube/helper/main')

function forkHelper(log: Logger): ChildProcess {
  // The folder of installed packages may be a link to elsewhere.
  const [installed] = realpathSync(createRequire(import.meta.url).resolve('undici')).split('/undici/')
  const folders = CODE === ROOT ? ['bot/sources/youtube', 'upstream', 'lib'] : ['']
  const own = [...folders.map((folder) => join(CODE, folder, '*')), assetFile('package.json')]
  const readable = [...own, `${installed}/*`]
  const permissions = ['--permission', ...readable.map((path) => `--allow-fs-read=${path}`), '--no-warnings']
  const child = fork(HELPER, [], {
    ...nodeWithMemoryLimit(MEMORY_MIB, { heapMebibytes: HEAP_MIB, execArgv: permissions }),
    env: {},
    // A readable folder: one of the libraries looks for settings of its own.
    cwd: dirname(HELPER),
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
