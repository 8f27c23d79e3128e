import { Worker } from 'node:worker_threads'
import { Fault } from '../../lib/errors.ts'
import { threadEnv } from '../../lib/workers/child-process.ts'
import type { WorkerHealth } from '../../lib/workers/worker-health.ts'
import type { Logger } from '../../lib/log.ts'
import type { LoadingMessage, ResultMessage, LocalTask, TaskMessage, TaskResults } from './protocol.ts'
import { createTaskList } from './task-list.ts'
import { programFile } from '../../lib/installation.ts'

interface LocalWorkerOptions {
  readonly log: Logger
  /** The thread ends after so long without work, and gives its memory back. */
  readonly idleMs?: number
  /** For one task, the wait for its turn included and the loading of data left out. */
  readonly timeoutMs?: number
  /** For the start of the thread, and for the loading of what a task needs. */
  readonly loadTimeoutMs?: number
}

/** A thread for work on data of our own, so that it never holds up the main thread. */
export type LocalWorker = ReturnType<typeof createLocalWorker>

const MAX_WAITING = 200
const HEALTH = { name: 'local-data', quarantined: 0 }
/** Loading the largest language model takes most of the heap. */
const RESOURCE_LIMITS = { maxOldGenerationSizeMb: 1024 }

function startThread(): Worker {
  return new Worker(programFile('upstream/local/local-worker'), {
    name: 'local-data',
    env: threadEnv(),
    resourceLimits: RESOURCE_LIMITS,
  })
}

/** The thread starts with the first task. One that fails or hangs is replaced; its tasks fail. */
export function createLocalWorker(options: LocalWorkerOptions) {
  const { log, idleMs = 5 * 60_000, timeoutMs = 10_000, loadTimeoutMs = 5 * 60_000 } = options
  let worker: Worker | null = null
  let idleTimer: NodeJS.Timeout | undefined
  let restarts = 0
  const onTimeout = (what: 'task' | 'load') => {
    log.error({ what, timeoutMs, loadTimeoutMs }, 'local data thread hung')
    restarts += 1
    void stop(failed('The task timed out. Try again in a moment.'))
  }
  const tasks = createTaskList(timeoutMs, loadTimeoutMs, onTimeout)

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
    const fresh = startThread()
    tasks.setLoading(true)
    fresh.on('message', (message: ResultMessage | LoadingMessage) => {
      if (worker !== fresh) return
      if ('isLoading' in message) return tasks.setLoading(message.isLoading)
      tasks.settle(message)
      restWhenDone()
    })
    fresh.on('error', (err) => {
      log.error({ err }, 'local data thread failed')
      restarts += 1
      if (worker === fresh) void stop(failed('The task failed unexpectedly. Try again in a moment.', err))
    })
    return fresh
  }

  return {
    /** @throws {Fault} `service_unavailable` when too much waits already or it takes too long. */
    ask<T extends LocalTask>(task: T): Promise<TaskResults[T['task']]> {
      if (tasks.count() >= MAX_WAITING) {
        return Promise.reject(failed('Too many concurrent requests of this kind. Try again in a moment.'))
      }
      clearTimeout(idleTimer)
      worker ??= start()
      worker.ref()
      const { id, result } = tasks.add()
      worker.postMessage({ id, task } satisfies TaskMessage)
      return result as Promise<TaskResults[T['task']]>
    },
    health: (): WorkerHealth => ({ ...HEALTH, state: worker ? 'running' : 'idle', busy: tasks.count(), restarts }),
    close: (): Promise<void> => stop(failed('The service is shutting down.')),
  }
}

function failed(message: string, cause?: unknown): Fault {
  return new Fault('service_unavailable', message, { cause })
}
