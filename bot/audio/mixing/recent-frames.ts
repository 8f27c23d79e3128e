/** The largest frame of 20 ms that Opus knows has 1,275 bytes. */
const PLACE_BYTES = 1280

/** Copies of the frames that were sent last: a player may pause for long, and the memory of frames is used again. */
export class RecentFrames {
  readonly #most: number
  /** A place for each; a longer frame has memory of its own. */
  #places: Buffer | null = null
  #lengths: number[] = []
  readonly #long = new Map<number, Buffer>()
  /** Index of the oldest frame once the buffer is full. */
  #next = 0

  constructor(most: number) {
    this.#most = most
  }

  push(frame: Buffer): void {
    const at = this.#next
    this.#next = (at + 1) % this.#most
    this.#lengths[at] = frame.length
    if (frame.length > PLACE_BYTES) this.#long.set(at, Buffer.from(frame))
    else (this.#places ??= Buffer.allocUnsafeSlow(this.#most * PLACE_BYTES)).set(frame, at * PLACE_BYTES)
  }

  /** The oldest first; they hold until the next `push`. */
  list(): readonly Buffer[] {
    const frames = this.#lengths.map((length, at) => {
      const isLong = length > PLACE_BYTES
      return isLong ? this.#long.get(at)! : this.#places!.subarray(at * PLACE_BYTES, at * PLACE_BYTES + length)
    })
    return [...frames.slice(this.#next), ...frames.slice(0, this.#next)]
  }

  /** Clears the buffer. Results of `list` stay valid. */
  clear(): void {
    this.#places = null
    this.#lengths = []
    this.#long.clear()
    this.#next = 0
  }
}
