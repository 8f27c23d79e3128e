import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { constants, setPriority } from 'node:os'
import type { Logger } from '../../log.ts'
import { OUT_OF_MEMORY, type ImageResult, type Work, type WorkerMessage } from './protocol.ts'
import { Refusal } from './refusal.ts'

/** One piece of work and who waits for it. */
export interface Task {
  readonly work: Work
  readonly resolve: (result: ImageResult) => void
  readonly reject: (error: Error) => void
}

export interface WorkerRules {
  readonly log: Logger
  readonly jobMs: number
  readonly idleMs: number
  /** It can take the next task. */
  readonly onFree: (worker: WorkerProcess) => void
  /** It has ended; `wasReady` tells whether it ever could work. */
  readonly onGone: (worker: WorkerProcess, wasReady: boolean) => void
}

/** A process that works on one picture at a time. */
export interface WorkerProcess {
  readonly state: 'starting' | 'free' | 'busy' | 'gone'
  /** Only to a free one. */
  give(task: Task): void
  /** Ends it where it stands; what it was at fails with `reason`. */
  end(reason: Error): Promise<void>
}

const START_MS = 20_000

export function startWorker({ log, jobMs, idleMs, onFree, onGone }: WorkerRules): WorkerProcess {
  const child = forkChild(log)
  let state: WorkerProcess['state'] = 'starting'
  let task: Task | null = null
  let timer = setTimeout(kill, START_MS)
  let wasReady = false

  function kill(): void {
    state = 'gone'
    child.kill('SIGKILL')
  }
  const fail = (reason: Error): void => {
    task?.reject(reason)
    task = null
  }
  const rest = (): void => {
    clearTimeout(timer)
    timer = setTimeout(kill, idleMs).unref()
    state = 'free'
    onFree(worker)
  }
  const overrun = (): void => {
    log.warn({ effect: task?.work.effect, jobMs }, 'image work took too long')
    kill()
    fail(
      new Refusal(
        `This takes longer than ${jobMs / 1000} s; send a smaller picture or ask for a smaller \`size\`.`,
        'picture_too_slow',
      ),
    )
  }
  const worker: WorkerProcess = {
    get state() {
      return state
    },
    give(next) {
      clearTimeout(timer)
      task = next
      state = 'busy'
      timer = setTimeout(overrun, jobMs)
      child.send(next.work)
    },
    async end(reason) {
      fail(reason)
      kill()
      await once(child, 'exit')
    },
  }
  child.on('message', (message: WorkerMessage) => {
    wasReady = true
    if (state === 'gone') return
    settle(message, task, log)
    task = null
    rest()
  })
  child.once('exit', (code, signal) => {
    clearTimeout(timer)
    state = 'gone'
    if (task) log.error({ code, signal, effect: task.work.effect }, 'image worker ended at its work')
    fail(diedWith(code))
    onGone(worker, wasReady)
  })
  return worker
}

function forkChild(log: Logger): ChildProcess {
  const child = fork(new URL('worker.ts', import.meta.url), [], {
    serialization: 'advanced',
    // Nothing of the service's environment: whoever breaks out of a decoder finds no secret there.
    env: { UV_THREADPOOL_SIZE: '2', VIPS_WARNING: '0' },
    execArgv: ['--max-old-space-size=256'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  child.on('error', (err) => log.error({ err }, 'image worker could not be reached'))
  // Sound comes first on a machine that has little to spare. From here, before it has threads: they inherit it.
  if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL)
  return child
}

/** Tells whoever waits what the worker said. */
function settle(message: WorkerMessage, task: Task | null, log: Logger): void {
  switch (message.type) {
    case 'ready':
      return
    case 'done':
      task?.resolve(message.result)
      return
    case 'refused':
      task?.reject(new Refusal(message.message, message.reason, message.input))
      return
    case 'failed':
      log.error({ effect: task?.work.effect, error: message.error }, 'image effect failed')
      task?.reject(new Error(`An image effect failed: ${message.error}`))
  }
}

function diedWith(code: number | null): Error {
  if (code === OUT_OF_MEMORY)
    return new Refusal('This takes too much memory; send a smaller picture.', 'picture_too_large')
  return new Refusal('This picture cannot be worked on.', 'picture_unreadable')
}
