import { constants, PerformanceObserver } from 'node:perf_hooks'
import { setFlagsFromString } from 'node:v8'

/** Full collections that come sooner after one another are too many. */
const CLOSE_MS = 30_000
/** By how much of what lives the heap then grows until the next one. V8 alone takes a tenth where objects mostly die young. */
const BUSY_PERCENT = 60

interface Timers {
  /** Calls once. @returns what takes the call back */
  after(delayMs: number, call: () => void): () => void
}

export interface HeapGrowth {
  /** A full collection has ended. */
  onFullCollection(): void
  /** Back to V8's own choice. */
  close(): void
}

/**
 * Chooses how far the heap grows between full collections: as V8 would while they are rare, further once two come within
 * 30 s, until there was none for as long. Each takes the main thread and the marking threads 50 ms together, which requests
 * and packets feel on two cores.
 *
 * @param setPercent gets zero for V8's own choice
 */
export function createHeapGrowth(setPercent: (percent: number) => void, timers: Timers = unrefTimers): HeapGrowth {
  let cancel: (() => void) | null = null
  let percent = 0
  const set = (next: number) => {
    if (next !== percent) setPercent(next)
    percent = next
  }
  const rest = () => {
    cancel?.()
    cancel = null
    set(0)
  }
  return {
    onFullCollection() {
      if (cancel) set(BUSY_PERCENT)
      cancel?.()
      cancel = timers.after(CLOSE_MS, rest)
    },
    close: rest,
  }
}

const unrefTimers: Timers = {
  after(delayMs, call) {
    const timer = setTimeout(call, delayMs).unref()
    return () => clearTimeout(timer)
  },
}

/** Adapts the heaps of this process, those of its threads too, to the load of this thread. @returns what ends it */
export function adaptHeapGrowth(): () => void {
  const growth = createHeapGrowth((percent) => setFlagsFromString(`--heap-growing-percent=${percent}`))
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      // The types leave out what only these entries have.
      const { detail } = entry as unknown as { readonly detail: { readonly kind: number } }
      if (detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR) growth.onFullCollection()
    }
  })
  observer.observe({ entryTypes: ['gc'] })
  return () => {
    observer.disconnect()
    growth.close()
  }
}
