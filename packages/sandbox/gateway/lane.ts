/** Passes things on in order, each no earlier than its delay says: what comes after one that waits, waits behind it. */
export interface Lane<T> {
  pass(item: T, delayMs: number): void
  close(): void
}

export function createLane<T>(deliver: (item: T) => void): Lane<T> {
  const waiting: { readonly item: T; readonly dueMs: number }[] = []
  let timer: NodeJS.Timeout | undefined

  function deliverDue(): void {
    for (;;) {
      const next = waiting[0]
      if (!next) return
      const leftMs = next.dueMs - performance.now()
      if (leftMs > 0) {
        timer = setTimeout(deliverDue, leftMs)
        return
      }
      waiting.shift()
      deliver(next.item)
    }
  }
  return {
    pass(item, delayMs) {
      if (delayMs === 0 && waiting.length === 0) return deliver(item)
      waiting.push({ item, dueMs: performance.now() + delayMs })
      if (waiting.length === 1) deliverDue()
    },
    close() {
      clearTimeout(timer)
      waiting.length = 0
    },
  }
}
