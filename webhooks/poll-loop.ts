/** Runs a piece of work whenever there may be something to do. */
export interface PollLoop {
  /** Polls in the next turn of the event loop, instead of at the scheduled time. */
  soon(): void
  /** Now, and then never again. */
  finish(): void
}

/** Polls at least this often, since timers ignore changes of the system clock. */
const LOOK_EVERY_MS = 60_000
const AFTER_TROUBLE_MS = 1000

/**
 * @param run says after how many milliseconds to look again.
 * @param onTrouble hears what it threw; it is tried again in a second.
 */
export function createPollLoop(run: () => number, onTrouble: (err: unknown) => void): PollLoop {
  let timer: NodeJS.Timeout | undefined
  let isFinished = false

  function runAfter(ms: number): void {
    clearTimeout(timer)
    if (!isFinished) timer = setTimeout(turn, Math.min(ms, LOOK_EVERY_MS))
  }

  function turn(): void {
    try {
      runAfter(run())
    } catch (err) {
      onTrouble(err)
      runAfter(AFTER_TROUBLE_MS)
    }
  }

  return {
    soon: () => runAfter(0),
    finish() {
      isFinished = true
      turn()
      clearTimeout(timer)
    },
  }
}
