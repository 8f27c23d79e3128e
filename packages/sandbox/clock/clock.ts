/** State of the clock: it runs with the machine's, ahead or behind by an offset, or it is frozen. */
export interface ClockMode {
  readonly frozenAtMs: number | null
  readonly offsetMs: number
}

export interface ClockView {
  readonly nowMs: number
  readonly now: string
  readonly frozen: boolean
}

/** The time of a world, which tests stop, set and advance. What clients measure themselves stays on real time. */
export type Clock = ReturnType<typeof createClock>

interface Timer {
  leftMs: number
  /** Time of the machine's clock; null while this clock is frozen. */
  armedAtMs: number | null
  handle: NodeJS.Timeout | undefined
  readonly act: () => void
}

const LONGEST_TIMEOUT_MS = 2_147_483_647

/** `base` is the clock that it runs with. */
export function createClock(base: () => number = Date.now) {
  const timers = new Set<Timer>()
  let mode: ClockMode = { frozenAtMs: null, offsetMs: 0 }
  const now = () => mode.frozenAtMs ?? base() + mode.offsetMs

  function arm(timer: Timer): void {
    if (mode.frozenAtMs !== null) return
    timer.armedAtMs = performance.now()
    timer.handle = setTimeout(() => pass(timer, 0), Math.min(timer.leftMs, LONGEST_TIMEOUT_MS))
  }

  /** Takes the real time since it was armed off what is left, and `ms` more; fires or arms it again. */
  function pass(timer: Timer, ms: number): void {
    clearTimeout(timer.handle)
    const elapsedMs = timer.armedAtMs === null ? 0 : performance.now() - timer.armedAtMs
    timer.armedAtMs = null
    timer.leftMs -= elapsedMs + ms
    // A timeout of Node's may come a fraction of a millisecond early.
    if (timer.leftMs > 1) return arm(timer)
    if (timers.delete(timer)) timer.act()
  }

  function change(next: ClockMode): void {
    const before = now()
    mode = next
    const ms = Math.max(0, now() - before)
    for (const timer of [...timers].toSorted((one, other) => one.leftMs - other.leftMs)) pass(timer, ms)
  }

  /** Jumps to a moment and stays frozen or running. Timers that are due then fire; back in time none does. */
  const jump = (atMs: number) =>
    change(mode.frozenAtMs === null ? { ...mode, offsetMs: atMs - base() } : { ...mode, frozenAtMs: atMs })
  return {
    now,
    view: () => ({ nowMs: now(), now: new Date(now()).toISOString(), frozen: mode.frozenAtMs !== null }),
    /** Stops it: now, or at a moment. */
    freeze: (atMs: number = now()) => change({ ...mode, frozenAtMs: atMs }),
    /** Lets it run from where it stands. */
    run: () => change({ frozenAtMs: null, offsetMs: now() - base() }),
    set: jump,
    advance: (ms: number) => jump(now() + ms),
    /** Calls back when so much time has passed here. @returns what cancels it. */
    after(delayMs: number, act: () => void) {
      const timer: Timer = { leftMs: delayMs, armedAtMs: null, handle: undefined, act }
      timers.add(timer)
      arm(timer)
      return () => {
        timers.delete(timer)
        clearTimeout(timer.handle)
      }
    },
    mode: () => mode,
    setMode: change,
    close() {
      for (const { handle } of timers) clearTimeout(handle)
      timers.clear()
    },
  }
}
