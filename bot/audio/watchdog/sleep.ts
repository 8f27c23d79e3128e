import type { NodeStats } from '../node/protocol.ts'
import type { AudioMethods } from '../node/rpc.ts'
import { sumStats } from '../remote/sum-stats.ts'

interface SleepOptions {
  /** Approximate time without players before the thread ends; it never does if omitted. */
  readonly idleMs: number | undefined
  readonly stats: () => Promise<NodeStats>
  /** @throws when the thread does not start */
  readonly start: () => Promise<void>
}

/** Results for a thread without players, which need not start for these calls. */
const ASLEEP: Partial<Record<keyof AudioMethods, unknown>> = {
  leave: undefined,
  stop: undefined,
  snapshots: [],
  trace: null,
}

/** Ends an audio thread that has had no player for a while, which frees its memory, and starts it for the next player. */
export class IdleThread {
  readonly #options: SleepOptions
  #timer: NodeJS.Timeout | undefined
  /** Players that were about to be made. */
  #uses = 0
  #isAsleep = false
  #waking: Promise<void> | null = null
  #ending: Promise<unknown> | null = null
  /** Stats of the threads that have ended by falling asleep. */
  #earlier: NodeStats | null = null

  constructor(options: SleepOptions) {
    this.#options = options
  }

  get isAsleep(): boolean {
    return this.#isAsleep
  }

  /** Set while a thread that slept starts. Rejects when it does not. */
  get waking(): Promise<void> | null {
    return this.#waking
  }

  /** A thread is up: calls `onIdle` after two looks in a row without players, `idleMs` / 2 apart, and again until `stop`. */
  watch(onIdle: (last: NodeStats) => void): void {
    this.stop()
    const { idleMs, stats } = this.#options
    if (idleMs === undefined) return
    let unusedSince: number | null = null
    const timer = setInterval(() => {
      const uses = this.#uses
      const see = (last: NodeStats) => {
        // The stats do not include requests made in the meantime.
        if (this.#timer !== timer || this.#uses !== uses) return
        const isUnused = last.players === 0
        if (isUnused && unusedSince === uses) onIdle(last)
        unusedSince = isUnused ? uses : null
      }
      stats().then(see, () => undefined)
    }, idleMs / 2)
    this.#timer = timer
  }

  stop(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  /** The thread of these stats goes to sleep. `ended` resolves when nothing of it runs. */
  begin(last: NodeStats, ended: Promise<unknown>): void {
    this.stop()
    this.#earlier = { ...last, lagMs: 0, utilization: 0 }
    this.#isAsleep = true
    this.#ending = ended
  }

  /** Whether a thread that sleeps need not be started for this call; then `answerOf` has its answer. */
  answers(name: keyof AudioMethods): boolean {
    return this.#isAsleep && name in ASLEEP
  }

  answerOf(name: keyof AudioMethods): unknown {
    return ASLEEP[name]
  }

  /** Starts a thread that sleeps. @returns what the call has to wait for; null: nothing */
  wakeFor(name: keyof AudioMethods): Promise<void> | null {
    if (name === 'join' || name === 'open') this.#uses += 1
    if (this.#isAsleep) {
      this.#isAsleep = false
      this.#waking = this.#options.start().finally(() => (this.#waking = null))
      // Callers that await it handle the rejection.
      this.#waking.catch(() => undefined)
    }
    return this.#waking
  }

  /** Returns the stats including those of earlier threads. */
  async statsWith(ask: () => Promise<NodeStats>): Promise<NodeStats> {
    const earlier = this.#earlier
    if (earlier && this.#isAsleep) return earlier
    const now = await ask()
    return earlier ? sumStats([{ ...earlier, cacheBytes: 0, cacheEntries: 0 }, now]) : now
  }

  /** Closes it permanently. Resolves when no thread that fell asleep is running. */
  async close(): Promise<void> {
    this.stop()
    this.#isAsleep = false
    await this.#ending
  }
}
