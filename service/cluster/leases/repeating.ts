import type { Clock } from '../../../bot/player/timers.ts'

/** Work that runs again and again, never twice at a time. */
export type Repeating = ReturnType<typeof createRepeating>

/** @param work returns when to run it again, in milliseconds; Infinity: only when it is asked for. Never rejects. */
export function createRepeating(clock: Pick<Clock, 'nowMs' | 'after'>, work: () => Promise<number>) {
  let running: Promise<void> | null = null
  let dueAtMs = Infinity
  let askedMs = Infinity
  let isClosed = false
  let cancel: (() => void) | null = null

  function schedule(delayMs: number): void {
    const atMs = clock.nowMs() + delayMs
    if (isClosed || atMs >= dueAtMs) return
    cancel?.()
    dueAtMs = atMs
    cancel = clock.after(delayMs, () => void run())
  }

  async function runOnce(): Promise<void> {
    cancel?.()
    dueAtMs = Infinity
    askedMs = Infinity
    const againMs = isClosed ? Infinity : await work()
    running = null
    const nextMs = Math.min(againMs, askedMs)
    if (nextMs !== Infinity) schedule(nextMs)
  }
  function run(): Promise<void> {
    return (running ??= runOnce())
  }

  return {
    /** Runs it after so long at the latest; what is asked for while it runs waits for its end. */
    within(delayMs: number) {
      if (running) askedMs = Math.min(askedMs, delayMs)
      else schedule(delayMs)
    },
    /** Runs it now, or waits for the run that is under way. */
    now(): Promise<void> {
      if (running) askedMs = 0
      return run()
    },
    /** Waits for the run that is under way, if any. */
    settled: async () => void (await running),
    close() {
      isClosed = true
      cancel?.()
    },
  }
}
