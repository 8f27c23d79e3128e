/** Decides which jobs of a worker may run at the same time. */
export type StalledIsolation = ReturnType<typeof createStalledIsolation>

export function createStalledIsolation() {
  let running = 0
  let isAlone = false
  let onEmpty: (() => void) | null = null

  return {
    /**
     * Resolves when the job may run, with what to call at its end; null: it had better come back later.
     * A suspect is a job that was being run when a worker died. It runs alone, so that it takes no other job with it the
     * next time; and those beside it, which are suspects as well, show that they are innocent.
     */
    async enter(isSuspect: boolean): Promise<(() => void) | null> {
      if (isAlone) return null
      if (!isSuspect) {
        running++
        return () => {
          running--
          if (running === 0) onEmpty?.()
        }
      }
      isAlone = true
      if (running > 0) await new Promise<void>((resolve) => (onEmpty = resolve))
      onEmpty = null
      return () => {
        isAlone = false
      }
    },
  }
}
