import type { FrameOutlet } from './track-player-options.ts'

/** Frames of one player in one piece, since a message copies all the memory that a frame is a part of. */
export interface Batch {
  readonly bytes: Uint8Array
  readonly sizes: readonly number[]
}

/** A fifth of a second: few messages and little latency. */
const BATCH_FRAMES = 10

/** Between a track player and its voice connection: copies the frames sent to Discord to listeners, in batches. */
export class FrameTee implements FrameOutlet {
  readonly #voice: FrameOutlet
  readonly #pass: (batch: Batch | null) => void
  #frames: Buffer[] = []
  #isOpen = false

  /** @param pass takes what was sent; null: there will be no more. */
  constructor(voice: FrameOutlet, pass: (batch: Batch | null) => void) {
    this.#voice = voice
    this.#pass = pass
  }

  get isSendable(): boolean {
    return this.#voice.isSendable
  }

  /** Someone listens. */
  get isOpen(): boolean {
    return this.#isOpen
  }

  get isUnheard(): boolean {
    return this.#voice.isUnheard ?? false
  }

  get blockedBy(): string {
    return this.#voice.blockedBy ?? ''
  }

  send(frame: Buffer): void {
    this.#voice.send(frame)
    if (!this.#isOpen) return
    // Copies the frame because a batch may wait for long.
    this.#frames.push(Buffer.from(frame))
    if (this.#frames.length >= BATCH_FRAMES) this.#flush()
  }

  stopSpeaking(): void {
    this.#voice.stopSpeaking()
    this.#flush()
  }

  set(isOpen: boolean): void {
    this.#isOpen = isOpen
    this.#frames = []
  }

  close(): void {
    if (this.#isOpen) this.#pass(null)
    this.set(false)
  }

  #flush(): void {
    if (this.#frames.length === 0) return
    const bytes = new Uint8Array(Buffer.concat(this.#frames))
    this.#pass({ bytes, sizes: this.#frames.map(({ length }) => length) })
    this.#frames = []
  }
}
