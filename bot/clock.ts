/** Time as a player knows it; tests turn it by hand. */
export interface Clock {
  /** Milliseconds since 1970. */
  nowMs(): number
  /** Calls back once. @returns a function that takes the call back; safe to repeat. */
  after(delayMs: number, call: () => void): () => void
}

/** The machine's own. Its timers do not keep the process alive. */
export const systemClock: Clock = {
  nowMs: () => Date.now(),
  after(delayMs, call) {
    const timer = setTimeout(call, delayMs)
    timer.unref()
    return () => clearTimeout(timer)
  },
}
