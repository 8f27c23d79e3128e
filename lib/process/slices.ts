/**
 * Long work of a thread in small pieces: timers, sockets and the sound come in between. Within one turn of the event loop, what
 * asks `isSpent` stops after a few milliseconds, and one piece of what waits for `next` is done.
 */
type Slices = ReturnType<typeof createSlices>

/** Together with one piece of other work, less than half of a frame of sound. */
const SHARE_MS = 4

export function createSlices(now: () => number = () => performance.now()) {
  const waiting: (() => void)[] = []
  let isScheduled = false
  let beganMs: number | null = null

  function schedule(): void {
    if (isScheduled) return
    isScheduled = true
    setImmediate(() => {
      isScheduled = false
      beganMs = null
      waiting.shift()?.()
      if (waiting.length > 0) schedule()
    })
  }

  return {
    /** Waits until the next piece may be done, of at most a few milliseconds. First come, first served. */
    next(): Promise<void> {
      schedule()
      return new Promise((resolve) => waiting.push(resolve))
    },
    /** Whether work that began with the first call in this turn has taken its share of it. */
    isSpent(): boolean {
      if (beganMs === null) {
        beganMs = now()
        schedule()
        return false
      }
      return now() - beganMs >= SHARE_MS
    },
  }
}

/** The slices of the thread that imports it, shared by all its work. */
export const slices: Slices = createSlices()
