import type { Clock } from '../../player/timers.ts'

/** Work that is done again and again: at once when it is due, but never too often, and one at a time. */
export type Debounce = ReturnType<typeof createDebounce>

interface DebounceOptions {
  readonly clock: Clock
  /** The least time from one beginning to the next. */
  readonly gapMs: number
  /** Delay of the next run after the end of one that asks to repeat. */
  readonly everyMs: number
  /** Never rejects. @returns whether to repeat. */
  readonly work: () => Promise<boolean>
}

export function createDebounce({ clock, gapMs, everyMs, work }: DebounceOptions) {
  let running: Promise<void> | null = null
  let isDue = false
  let isStopped = false
  let lastAtMs = -Infinity
  let cancel: (() => void) | null = null

  async function run(): Promise<void> {
    isDue = false
    lastAtMs = clock.nowMs()
    const goesOn = await work()
    running = null
    if (isStopped) return
    if (isDue) plan()
    else if (goesOn) cancel = clock.after(everyMs, plan)
  }

  function plan(): void {
    isDue = true
    if (isStopped || running) return
    cancel?.()
    const waitMs = lastAtMs + gapMs - clock.nowMs()
    if (waitMs > 0) cancel = clock.after(waitMs, plan)
    else running = run()
  }

  return {
    due: plan,
    stop() {
      isStopped = true
      cancel?.()
    },
    /** Resolves when nothing is being done. */
    async settled() {
      await running
    },
  }
}
