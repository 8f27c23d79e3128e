import type { FrameOutlet } from './deck-options.ts'
import type { FrameClock } from './frame-clock.ts'
import { FRAME_MS, SILENCE } from './opus.ts'
import type { Tallies } from './tallies.ts'

/** Discord asks for five frames of silence when sound stops, or clients smear the last one. */
const TAIL_FRAMES = 5

export interface OutflowOptions {
  readonly outlet: FrameOutlet
  readonly clock: FrameClock
  readonly counts: Tallies
  /** The frame for now; null when there is nothing to send. */
  readonly next: () => Buffer | null
  /** Whether there may be something to send later, while voice is away. */
  readonly isWaiting: () => boolean
  /** Sound has stopped. */
  readonly onRest: () => void
}

/** Sends a frame each 20 ms for as long as there is one, and lets go of the clock when there is none. */
export class Outflow {
  readonly #options: OutflowOptions
  #tailFrames = 0
  #leaveClock: (() => void) | null = null

  constructor(options: OutflowOptions) {
    this.#options = options
  }

  get isAwake(): boolean {
    return this.#leaveClock !== null
  }

  wake(): void {
    this.#leaveClock ??= this.#options.clock.add((lateMs) => this.#tick(lateMs))
  }

  close(): void {
    this.#leaveClock?.()
    this.#leaveClock = null
  }

  #tick(lateMs: number): void {
    const { outlet, counts } = this.#options
    if (!outlet.isSendable) {
      if (!this.#options.isWaiting()) this.#rest()
      return
    }
    const frame = this.#options.next()
    if (!frame) return this.#sendTail()
    if (lateMs > FRAME_MS) counts.late++
    counts.sent++
    this.#tailFrames = TAIL_FRAMES
    outlet.send(frame)
  }

  #sendTail(): void {
    if (this.#tailFrames > 0) {
      this.#tailFrames--
      this.#options.outlet.send(SILENCE)
    }
    if (this.#tailFrames === 0) this.#rest()
  }

  #rest(): void {
    this.#tailFrames = 0
    this.#options.outlet.stopSpeaking()
    this.close()
    this.#options.onRest()
  }
}
