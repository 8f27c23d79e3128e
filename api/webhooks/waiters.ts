/** People who wait for an attempt to be over. */
export function createWaiters() {
  const waiting = new Map<string, Set<() => void>>()
  return {
    /** Settles when it is announced, or after so long. */
    wait(name: string, patienceMs: number): Promise<void> {
      return new Promise((resolve) => {
        const own = waiting.get(name) ?? new Set()
        waiting.set(name, own)
        const over = () => {
          clearTimeout(patience)
          own.delete(over)
          if (own.size === 0) waiting.delete(name)
          resolve()
        }
        const patience = setTimeout(over, patienceMs)
        own.add(over)
      })
    },
    tell(name: string) {
      for (const over of waiting.get(name) ?? []) over()
    },
  }
}
