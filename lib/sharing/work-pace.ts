import { Fault } from '../errors.ts'
import { createFairQueue } from './fair-queue.ts'

interface WorkPaceOptions {
  readonly bytesPerSecond: number
  /** What may be done at once after a rest. */
  readonly burstBytes: number
  /** Of one project. */
  readonly maxWaiting: number
  readonly maxWaitMs: number
}

/** A megabyte of JSON holds the thread for some eight milliseconds. */
const USUAL: WorkPaceOptions = {
  bytesPerSecond: 2 * 1024 * 1024,
  burstBytes: 1024 * 1024,
  maxWaiting: 32,
  maxWaitMs: 10_000,
}

/**
 * Paces work of this thread whose size callers choose, such as answers with thousands of tracks: the projects in turns, and all
 * of it together takes a small part of the thread's time, so that others hardly notice. Its price is its length as JSON.
 */
export function createWorkPace(options: WorkPaceOptions = USUAL, now = () => performance.now()) {
  const { bytesPerSecond, burstBytes, maxWaiting, maxWaitMs } = options
  const queue = createFairQueue<{ readonly bytes: number; readonly go: () => void }>()
  const msOf = (bytes: number) => (bytes / bytesPerSecond) * 1000
  /** When all that was let through is paid for; the next may come then. */
  let paidAtMs = 0
  let timer: NodeJS.Timeout | undefined

  function pay(bytes: number): void {
    paidAtMs = Math.max(paidAtMs, now() - msOf(burstBytes)) + msOf(bytes)
  }

  function next(): void {
    timer = undefined
    while (queue.size > 0 && paidAtMs <= now()) {
      const waiting = queue.take()
      if (!waiting) return
      pay(waiting.bytes)
      waiting.go()
    }
    if (queue.size > 0) timer = setTimeout(next, Math.max(1, paidAtMs - now()))
  }

  return {
    /**
     * Waits until the project may do work of this price.
     * @throws {Fault} `service_unavailable` when more of its work waits than may, or it would wait for too long
     */
    async take(projectId: string, bytes: number): Promise<void> {
      if (queue.size === 0 && paidAtMs <= now()) return pay(bytes)
      if (queue.sizeOf(projectId) >= maxWaiting) throw tooMuch()
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      const waiting = { bytes, go: resolve }
      queue.add(projectId, waiting)
      const late = setTimeout(() => queue.remove(projectId, waiting) && reject(tooMuch()), maxWaitMs)
      timer ??= setTimeout(next, Math.max(1, paidAtMs - now()))
      await promise.finally(() => clearTimeout(late))
    },
  }
}

function tooMuch(): Fault {
  const message =
    'Your project requests large responses faster than the service can make them. Send fewer at a time, or request pages.'
  return new Fault('service_unavailable', message, { retryAfterMs: 2000 })
}
