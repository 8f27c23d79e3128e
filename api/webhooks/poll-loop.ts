/** Runs a piece of work whenever there may be something to do, one run at a time. */
export type PollLoop = ReturnType<typeof createPollLoop>

/** Polls at least this often, since timers ignore changes of the system clock. */
const LOOK_EVERY_MS = 60_000
const AFTER_TROUBLE_MS = 1000

/**
 * @param run says after how many milliseconds to look again.
 * @param onTrouble hears what it threw; it is tried again in a second.
 */
export function createPollLoop(run: () => Promise<number>, onTrouble: (err: unknown) => void) {
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | null = null
  let isDue = false
  let isFinished = false

  function runAfter(ms: number): void {
    clearTimeout(timer)
    if (!isFinished) timer = setTimeout(turn, Math.min(ms, LOOK_EVERY_MS))
  }

  async function runOnce(): Promise<void> {
    isDue = false
    let nextMs = AFTER_TROUBLE_MS
    try {
      const afterMs = await run()
      nextMs = isDue ? 0 : afterMs
    } catch (err) {
      onTrouble(err)
    }
    running = null
    runAfter(nextMs)
  }

  function turn(): void {
    running ??= runOnce()
  }

  return {
    /** Polls in the next turn of the event loop, or right after the run that is under way, instead of at the scheduled time. */
    soon() {
      isDue = true
      if (!running) runAfter(0)
    },
    /** After the run that is under way once more, and then never again. */
    async finish() {
      isFinished = true
      clearTimeout(timer)
      await running
      turn()
      await running
    },
  }
}
