import { performance, type EventLoopUtilization } from 'node:perf_hooks'

/** Shorter looks say more about one garbage collection than about the load. */
const WINDOW_MS = 900

type Look = (before?: EventLoopUtilization) => EventLoopUtilization

/** Utilization of this thread's event loop, averaged between two readings. */
export class Utilization {
  readonly #now: () => number
  readonly #look: Look
  #sinceMs: number
  #since: EventLoopUtilization
  #last = 0

  constructor(
    now: () => number = () => performance.now(),
    look: Look = (before) => performance.eventLoopUtilization(before),
  ) {
    this.#now = now
    this.#look = look
    this.#sinceMs = now()
    this.#since = look()
  }

  /** 0 to 1. Averages over the time since the last look, or repeats that one within a second of it. */
  read(): number {
    const nowMs = this.#now()
    if (nowMs - this.#sinceMs < WINDOW_MS) return this.#last
    this.#last = this.#look(this.#since).utilization
    this.#since = this.#look()
    this.#sinceMs = nowMs
    return this.#last
  }
}
