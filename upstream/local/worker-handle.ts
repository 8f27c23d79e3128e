import { Fault } from '../../lib/errors.ts'
import { programFile } from '../../lib/installation.ts'
import type { Logger } from '../../lib/log.ts'
import { threadEnv } from '../../lib/workers/child-process.ts'
import { TaskThread } from '../../lib/workers/task-thread.ts'
import type { LocalTask, TaskResults } from './protocol.ts'

interface LocalWorkerOptions {
  readonly log: Logger
  /** The thread ends after so long without work, and gives its memory back. */
  readonly idleMs?: number
  /** For one task, the wait for its turn included and the loading of data left out. */
  readonly timeoutMs?: number
}

/** A thread for work on data of our own, so that it never holds up the main thread. */
export type LocalWorker = ReturnType<typeof createLocalWorker>

const MAX_WAITING = 200
/** Loading the largest language model takes most of the heap. */
const HEAP_MB = 1024
const LOAD_MS = 5 * 60_000

export function createLocalWorker({ log, idleMs = 5 * 60_000, timeoutMs = 10_000 }: LocalWorkerOptions) {
  const thread = new TaskThread<LocalTask, TaskResults[LocalTask['task']], null>({
    file: programFile('upstream/local/local-worker'),
    name: 'local-data',
    log,
    data: null,
    heapMb: HEAP_MB,
    taskMs: timeoutMs,
    hungMs: timeoutMs,
    loadMs: LOAD_MS,
    idleMs,
    env: threadEnv(),
  })
  return {
    /** @throws {Fault} `service_unavailable` when too much waits already or it takes too long. */
    async ask<T extends LocalTask>(task: T): Promise<TaskResults[T['task']]> {
      if ((thread.health().busy ?? 0) >= MAX_WAITING) {
        throw new Fault('service_unavailable', 'Too many concurrent requests of this kind. Try again in a moment.')
      }
      return (await thread.run(task)) as TaskResults[T['task']]
    },
    health: () => thread.health(),
    close: () => thread.close(),
  }
}
