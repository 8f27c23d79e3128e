import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { finished } from 'node:stream/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { Worker } from 'node:worker_threads'

export const MIB = 1024 * 1024

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

/** A heap snapshot collects before it is taken, which nothing else can ask of another thread. */
async function heldBy(worker: Worker): Promise<number> {
  const snapshot = await worker.getHeapSnapshot()
  snapshot.resume()
  await finished(snapshot)
  const { used_heap_size: used, external_memory: external } = await worker.getHeapStatistics()
  return used + external
}

export function inMib(bytes: number): string {
  return `${(bytes / MIB).toFixed(1)} MiB`
}
