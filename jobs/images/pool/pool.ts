import { LIMITS, type ImageResult } from 'bandstand-images'
import { Fault } from '../../../lib/errors.ts'
import type { WorkerHealth } from '../../../lib/workers/worker-health.ts'
import type { Logger } from '../../../lib/log.ts'
import { startWorker, type ImageTask, type WorkerProcess, type WorkerRules } from './process.ts'
import type { Work } from './protocol.ts'
import { createFairQueue } from '../../../lib/sharing/fair-queue.ts'

interface PoolOptions {
  readonly log: Logger
  /** Number of pictures processed in parallel. */
  readonly size: number
  /** Time limit of a piece of work, from its start. */
  readonly jobMs?: number
  /** Until work that no worker has begun is given up: its caller would not wait much longer. */
  readonly waitMs?: number
  /** Workers without work for this long end and give their memory back. */
  readonly idleMs?: number
}

/**
 * Processes that work on pictures. Processes rather than threads: the library computes in threads that all of a process
 * share, so only a process can be slowed down, bounded in memory and stopped in the middle of its work, and a picture
 * that crashes the decoder takes nothing else with it.
 */
export type Pool = ReturnType<typeof createPool>

export function createPool(options: PoolOptions) {
  const { log, size, jobMs = LIMITS.jobMs, waitMs = 20_000, idleMs = 5 * 60_000 } = options
  const queue = createFairQueue<ImageTask>()
  const workers = new Set<WorkerProcess>()
  let isClosed = false
  let restarts = 0

  const failWaiting = (reason: Error): void => {
    for (let task = queue.take(); task; task = queue.take()) task.reject(reason)
  }
  const giveNext = (worker: WorkerProcess): void => {
    const task = queue.take()
    if (task) worker.give(task)
  }
  const onGone: WorkerRules['onGone'] = (worker, { wasReady, wasBusy }) => {
    workers.delete(worker)
    if (wasBusy) restarts += 1
    // A worker that cannot even start will not start the next time either.
    if (wasReady) fill()
    else failWaiting(broken('The image workers are unavailable. Try again in a moment.'))
  }
  /** Starts as many workers as there is work for, within the bound. */
  function fill(): void {
    if (isClosed) return
    for (const worker of workers) if (worker.state === 'free') giveNext(worker)
    const starting = [...workers].filter(({ state }) => state === 'starting').length
    for (let missing = queue.size - starting; missing > 0 && workers.size < size; missing--) {
      workers.add(startWorker({ log, jobMs, idleMs, onFree: giveNext, onGone }))
    }
  }
  return {
    /** @throws {Refusal} when the picture is at fault; {Fault} when the service is. */
    run(owner: string, work: Work, signal: AbortSignal): Promise<ImageResult> {
      signal.throwIfAborted()
      if (isClosed) return Promise.reject(broken('The service is shutting down.'))
      const { promise, resolve, reject } = Promise.withResolvers<ImageResult>()
      const task: ImageTask = { work, resolve, reject }
      const giveUp = (reason: Error) => {
        if (queue.remove(owner, task)) reject(reason)
      }
      const onAbort = () => giveUp(signal.reason as Error)
      const timer = setTimeout(() => giveUp(broken(TOO_MANY)), waitMs)
      signal.addEventListener('abort', onAbort, { once: true })
      queue.add(owner, task)
      fill()
      return promise.finally(() => {
        clearTimeout(timer)
        signal.removeEventListener('abort', onAbort)
      })
    },
    health: () => healthOf(workers, restarts),
    /** Fails what waits and ends all workers. */
    async close() {
      isClosed = true
      const closing = broken('The service is shutting down.')
      failWaiting(closing)
      await Promise.all([...workers].map((worker) => worker.end(closing)))
    },
  }
}

function healthOf(workers: ReadonlySet<WorkerProcess>, restarts: number): WorkerHealth {
  const busy = [...workers].filter(({ state }) => state === 'busy').length
  return { name: 'images', state: workers.size > 0 ? 'running' : 'idle', busy, restarts, quarantined: 0 }
}

export const TOO_MANY = 'Too many concurrent images. Try again in a moment.'

export function broken(message: string): Fault {
  return new Fault('service_unavailable', message, { retryAfterMs: 2000 })
}
