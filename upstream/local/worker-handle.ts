import { Worker } from 'node:worker_threads'
import { Fault } from '../../lib/errors.ts'
import type { WorkerHealth } from '../../lib/workers/worker-health.ts'
import type { Logger } from '../../lib/log.ts'
import type { ResultMessage, Task, TaskMessage, TaskResults } from './protocol.ts'

export interface LocalWorkerOptions {
  readonly log: Logger
  /** The thread ends after so long without work, and gives its memory back. */
  readonly idleMs?: number
  /** For one task, the wait for its turn included. */
  readonly timeoutMs?: number
}

/** A thread for work on data of our own, so that it never holds up the main thread. */
export interface LocalWorker {
  /** @throws {Fault} `service_unavailable` when too much waits already or it takes too long. */
  ask<T extends Task>(task: T): Promise<TaskResults[T['task']]>
  health(): WorkerHealth
  close(): Promise<void>
}

interface Waiting {
  readonly resolve: (result: TaskResults[Task['task']]) => void
  readonly reject: (error: Error) => void
  readonly timer: NodeJS.Timeout
}

const MAX_WAITING = 200
const HEALTH = { name: 'local-data', quarantined: 0 }
/** Loading the largest language model takes most. */
const HEAP_MIB = 1024

/** The thread starts with the first task. One that fails or hangs is replaced; its tasks fail. */
export function createLocalWorker({ log, idleMs = 15 * 60_000, timeoutMs = 10_000 }: LocalWorkerOptions): LocalWorker {
  const tasks = createTaskList()
  let worker: Worker | null = null
  let idleTimer: NodeJS.Timeout | undefined
  let restarts = 0

  const stop = async (reason: Error): Promise<void> => {
    clearTimeout(idleTimer)
    const ending = worker
    worker = null
    tasks.failAll(reason)
    await ending?.terminate()
  }
  const restWhenDone = () => {
    if (tasks.count() > 0) return
    clearTimeout(idleTimer)
    idleTimer = setTimeout(() => void stop(failed('The worker thread was idle.')), idleMs).unref()
    worker?.unref()
  }
  const start = (): Worker => {
    const fresh = new Worker(new URL('local-worker.ts', import.meta.url), {
      name: 'local-data',
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MIB },
    })
    fresh.on('message', (message: ResultMessage) => {
      tasks.settle(message)
      restWhenDone()
    })
    fresh.on('error', (err) => {
      log.error({ err }, 'local data thread failed')
      restarts += 1
      if (worker === fresh) void stop(failed('This failed unexpectedly; try again in a moment.', err))
    })
    return fresh
  }

  return {
    ask<T extends Task>(task: T) {
      if (tasks.count() >= MAX_WAITING) {
        return Promise.reject(failed('Too many such requests at once; try again in a moment.'))
      }
      clearTimeout(idleTimer)
      worker ??= start()
      worker.ref()
      const { id, result } = tasks.add(timeoutMs, () => {
        log.error({ task: task.task, timeoutMs }, 'local data thread hung')
        restarts += 1
        void stop(failed('This took too long; try again in a moment.'))
      })
      worker.postMessage({ id, task } satisfies TaskMessage)
      return result as Promise<TaskResults[T['task']]>
    },
    health: () => ({ ...HEALTH, state: worker ? 'running' : 'idle', busy: tasks.count(), restarts }),
    close: () => stop(failed('The service is shutting down.')),
  }
}

/** The tasks that the thread has not answered yet. */
function createTaskList() {
  const waiting = new Map<number, Waiting>()
  let lastId = 0
  const take = (id: number): Waiting | undefined => {
    const one = waiting.get(id)
    waiting.delete(id)
    clearTimeout(one?.timer)
    return one
  }
  return {
    count: () => waiting.size,
    add(timeoutMs: number, onTimeout: () => void) {
      const { promise, resolve, reject } = Promise.withResolvers<TaskResults[Task['task']]>()
      waiting.set(++lastId, { resolve, reject, timer: setTimeout(onTimeout, timeoutMs) })
      return { id: lastId, result: promise }
    },
    settle(message: ResultMessage) {
      const one = take(message.id)
      if ('result' in message) one?.resolve(message.result)
      else one?.reject(new Error(`The worker thread failed: ${message.error}`))
    },
    failAll(reason: Error) {
      for (const id of waiting.keys()) take(id)?.reject(reason)
    },
  }
}

function failed(message: string, cause?: unknown): Fault {
  return new Fault('service_unavailable', message, { cause })
}
