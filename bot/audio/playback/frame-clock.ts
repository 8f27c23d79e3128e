import { FRAME_MS } from '../containers/opus.ts'

/** The 20 ms have five moments at which frames go out, 4 ms apart. */
const SLOTS = 5
/**
 * Players that share a slot before the next is used; beyond five times as many, all slots fill evenly. A thread that slept
 * reloads its code and data from memory: 50 players took 29 µs a frame in five slots, 24 in two and 21 in one. Fifty packets
 * take the thread about a millisecond, and each player keeps its place among them.
 */
const PLAYERS_PER_SLOT = 50
/** While behind, a player sends a frame each 5 ms instead of each 20: four times as fast, and never a burst. */
const CATCH_UP_MS = 5
/** Lag (a suspended machine) beyond which the schedule moves instead; frames wait in their window, none is lost. */
const GIVE_UP_MS = 1000
/** A timer may fire a little early; going back to sleep for less than this is not worth it. */
const EARLY_MS = 0.5

/** Called once for every 20 ms, with how long after its time that is. */
type Tick = (lateMs: number) => void

interface FrameClockOptions {
  /** Monotonic milliseconds. */
  readonly now: () => number
  /** @returns a function that cancels. */
  readonly wake: (delayMs: number, run: () => void) => () => void
  /** A tick threw. The others continue. */
  readonly onError: (error: unknown) => void
}

interface Slot {
  readonly ticks: Set<Tick>
  dueMs: number
  /** When it will: later than `dueMs` while catching up. */
  runAtMs: number
}

/** One schedule for all players of a thread. It is anchored to a monotonic clock, so that it never drifts. */
export class FrameClock {
  readonly #options: FrameClockOptions
  readonly #slots: readonly Slot[]
  readonly #startMs: number
  #cancel: (() => void) | null = null
  #wakesAtMs = Infinity
  #isRunning = false
  #frameNumber = 0

  constructor(options: FrameClockOptions) {
    this.#options = options
    this.#startMs = options.now()
    this.#slots = Array.from({ length: SLOTS }, () => ({ ticks: new Set(), dueMs: 0, runAtMs: 0 }))
  }

  /** Number of the frame that is being sent; it counts 20 ms steps and is the same for all players. */
  get frameNumber(): number {
    return this.#frameNumber
  }

  /** The first tick comes within 20 ms. @returns a function that ends it. */
  add(tick: Tick): () => void {
    const slot = this.#slotForOneMore()
    if (slot.ticks.size === 0) this.#align(slot)
    slot.ticks.add(tick)
    this.#schedule()
    return () => {
      if (slot.ticks.delete(tick)) this.#schedule()
    }
  }

  close(): void {
    for (const slot of this.#slots) slot.ticks.clear()
    this.#schedule()
  }

  #slotForOneMore(): Slot {
    const fromFullest = this.#slots.toSorted((a, b) => b.ticks.size - a.ticks.size)
    return fromFullest.find(({ ticks }) => ticks.size < PLAYERS_PER_SLOT) ?? fromFullest.at(-1)!
  }

  /** The slot's next place in the grid after now. */
  #align(slot: Slot): void {
    const phaseMs = (this.#slots.indexOf(slot) * FRAME_MS) / SLOTS
    const sinceMs = this.#options.now() - this.#startMs - phaseMs
    slot.dueMs = this.#startMs + phaseMs + Math.ceil(sinceMs / FRAME_MS) * FRAME_MS
    slot.runAtMs = slot.dueMs
  }

  #schedule(): void {
    if (this.#isRunning) return
    let atMs = Infinity
    for (const slot of this.#slots) if (slot.ticks.size > 0 && slot.runAtMs < atMs) atMs = slot.runAtMs
    if (atMs === this.#wakesAtMs) return
    this.#cancel?.()
    this.#cancel = null
    this.#wakesAtMs = atMs
    if (atMs === Infinity) return
    const delayMs = Math.max(1, Math.ceil(atMs - this.#options.now() - EARLY_MS))
    this.#cancel = this.#options.wake(delayMs, () => this.#run())
  }

  #run(): void {
    this.#cancel = null
    this.#wakesAtMs = Infinity
    this.#isRunning = true
    const nowMs = this.#options.now()
    const due = this.#slots.filter((slot) => slot.ticks.size > 0 && slot.runAtMs <= nowMs + EARLY_MS)
    for (const slot of due.toSorted((a, b) => a.dueMs - b.dueMs)) this.#runSlot(slot)
    this.#isRunning = false
    this.#schedule()
  }

  #runSlot(slot: Slot): void {
    const lateMs = Math.max(0, this.#options.now() - slot.dueMs)
    if (lateMs > GIVE_UP_MS) this.#align(slot)
    // Half a slot more, since times are not exact to the last digit.
    this.#frameNumber = Math.floor((slot.dueMs - this.#startMs) / FRAME_MS + 0.5 / SLOTS)
    // A tick may end itself or start another, which begins with the next round.
    const ticks = Array.from(slot.ticks)
    for (const tick of ticks) {
      try {
        tick(lateMs)
      } catch (error) {
        this.#options.onError(error)
      }
    }
    slot.dueMs += FRAME_MS
    slot.runAtMs = Math.max(slot.dueMs, this.#options.now() + CATCH_UP_MS)
  }
}
