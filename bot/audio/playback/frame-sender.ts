import type { FrameOutlet } from './track-player-options.ts'
import type { FrameClock } from './frame-clock.ts'
import { FRAME_MS, SILENCE } from '../containers/opus.ts'
import type { FlightRecorder } from '../node/flight-recorder.ts'
import type { Counters } from '../node/counters.ts'

/** Discord requires five frames of silence when audio stops; otherwise clients interpolate the last one. */
const TAIL_FRAMES = 5

interface OutFrame {
  readonly frame: Buffer
  /** The frame is silence, since the source had none. */
  readonly isNulled: boolean
}

interface FrameSenderOptions {
  readonly outlet: FrameOutlet
  readonly clock: FrameClock
  readonly counts: Counters
  readonly recorder: FlightRecorder
  /** The frame for now; null when there is nothing to send. */
  readonly next: () => OutFrame | null
  /** Whether there may be something to send later, while voice is away. */
  readonly isWaiting: () => boolean
  /** Nothing is heard for a while, since nothing can be sent or nothing plays. */
  readonly onSilence: () => void
  readonly onRest: () => void
}

/** Sends a frame every 20 ms while there are frames, and releases the clock when there are none. */
export class FrameSender {
  readonly #options: FrameSenderOptions
  #tailFrames = 0
  /** Frames that could not be sent yet, and why. */
  #heldFrames = 0
  readonly #blockReasons = new Set<string>()
  #leaveClock: (() => void) | null = null

  constructor(options: FrameSenderOptions) {
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
    const { outlet, counts, recorder } = this.#options
    if (!outlet.isSendable) {
      this.#options.onSilence()
      if (!this.#options.isWaiting()) return this.#rest()
      this.#heldFrames++
      this.#blockReasons.add(outlet.blockedBy ?? 'voice was disconnected')
      return
    }
    this.#recordGap()
    const next = this.#options.next()
    if (!next) return this.#sendTail()
    const { frame, isNulled } = next
    if (outlet.isUnheard) return
    recorder.frame(lateMs, isNulled)
    if (lateMs > FRAME_MS) counts.late++
    counts.sent++
    this.#tailFrames = TAIL_FRAMES
    outlet.send(frame)
  }

  #recordGap(): void {
    if (this.#heldFrames === 0) return
    this.#options.recorder.gap(this.#heldFrames * FRAME_MS, [...this.#blockReasons].join(', then '))
    this.#forgetHeld()
  }

  #sendTail(): void {
    if (this.#tailFrames > 0) {
      this.#tailFrames--
      this.#options.outlet.send(SILENCE)
    }
    if (this.#tailFrames === 0) this.#rest()
  }

  #forgetHeld(): void {
    this.#heldFrames = 0
    this.#blockReasons.clear()
  }

  #rest(): void {
    this.#forgetHeld()
    this.#tailFrames = 0
    this.#options.recorder.rest()
    this.#options.outlet.stopSpeaking()
    this.close()
    this.#options.onSilence()
    this.#options.onRest()
  }
}
