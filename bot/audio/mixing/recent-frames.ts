/** The largest frame of 20 ms that Opus knows has 1,275 bytes. */
const PLACE_BYTES = 1280

/** Copies of the frames that were sent last: a player may pause for long, and the memory of frames is used again. */
export class RecentFrames {
  readonly #most: number
  #places: Buffer[] = []
  #frames: Buffer[] = []
  #next = 0

  constructor(most: number) {
    this.#most = most
  }

  push(frame: Buffer): void {
    if (frame.length > PLACE_BYTES) this.#add(Buffer.from(frame))
    else {
      const place = (this.#places[this.#next] ??= Buffer.allocUnsafeSlow(PLACE_BYTES))
      this.#next = (this.#next + 1) % this.#most
      frame.copy(place)
      this.#add(place.subarray(0, frame.length))
    }
  }

  #add(frame: Buffer): void {
    this.#frames.push(frame)
    if (this.#frames.length > this.#most) this.#frames.shift()
  }

  /** The oldest first; they hold until the next `push`. */
  list(): readonly Buffer[] {
    return this.#frames
  }

  /** What `list` gave stays with its caller. */
  clear(): void {
    this.#frames = []
    this.#places = []
    this.#next = 0
  }
}
