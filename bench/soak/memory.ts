import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { Session } from 'node:inspector'
import { setTimeout as sleep } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { Worker } from 'node:worker_threads'

export const MIB = 1024 * 1024
const COLLECTED_WITHIN_MS = 10_000

export interface MemoryUse {
  /** What all threads hold after a collection, buffers included. Bytes. */
  readonly heldBytes: number
  /** What the system has given to the process, in use or not. */
  readonly residentBytes: number
  readonly threads: number
}

export interface MemoryMeter {
  /** Collects in every thread first. */
  measure(): Promise<MemoryUse>
  close(): void
}

/** Measures this process and the threads that begin from now on. */
export function createMemoryMeter(): MemoryMeter {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const threads = new Set<Worker>()
  const onThread = (message: unknown): void => {
    const { worker } = message as { worker: Worker }
    threads.add(worker)
    worker.once('exit', () => threads.delete(worker))
  }
  subscribe('worker_threads', onThread)
  return {
    async measure() {
      // What finalizers release, the second collection takes.
      for (let round = 0; round < 3; round += 1) {
        collect()
        await collectIn(threads)
        await new Promise(setImmediate)
      }
      const { heapUsed, external, rss } = process.memoryUsage()
      const inThreads = await Promise.all([...threads].map(heldBy))
      const heldBytes = inThreads.reduce((sum, bytes) => sum + bytes, heapUsed + external)
      return { heldBytes, residentBytes: rss, threads: threads.size }
    },
    close: () => unsubscribe('worker_threads', onThread),
  }
}

/**
 * Collects the garbage of all worker threads, which only the inspector can ask of them. A heap snapshot collects, too,
 * but leaves more than 100 MiB in the allocator that the process never gives back.
 */
async function collectIn(threads: ReadonlySet<Worker>): Promise<void> {
  const session = new Session()
  const collected = Promise.withResolvers<void>()
  let waiting = threads.size
  if (waiting === 0) return
  session.on('NodeWorker.attachedToWorker', ({ params: { sessionId } }) => {
    const message = JSON.stringify({ id: 1, method: 'HeapProfiler.collectGarbage' })
    session.post('NodeWorker.sendMessageToWorker', { sessionId, message })
  })
  session.on('NodeWorker.receivedMessageFromWorker', () => {
    waiting -= 1
    if (waiting === 0) collected.resolve()
  })
  session.connect()
  session.post('NodeWorker.enable', { waitForDebuggerOnStart: false })
  await Promise.race([collected.promise, sleep(COLLECTED_WITHIN_MS, undefined, { ref: false })])
  session.disconnect()
}

async function heldBy(worker: Worker): Promise<number> {
  const { used_heap_size: used, external_memory: external } = await worker.getHeapStatistics()
  return used + external
}

export function inMib(bytes: number): string {
  return `${(bytes / MIB).toFixed(1)} MiB`
}
