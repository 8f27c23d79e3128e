import type { FrameMemory } from './frame-memory.ts'

/** Before each frame stands how long it is. */
const LENGTH_BYTES = 4

interface Piece {
  readonly bytes: Buffer
  endBytes: number
}

/**
 * Frames, one behind the other in the order in which they are taken. None is an object here: 900 objects a player, which
 * live for 18 s, would be most of what a garbage collection of the audio thread looks at. And each lies beside its length,
 * since a list of them would have to be fetched from memory as well, every 20 ms for each player.
 */
export class FrameStore {
  readonly #memory: FrameMemory
  /** The first has the next frame. */
  #pieces: Piece[] = []
  #at = 0
  #size = 0
  /** `take` gives the very object then: decoders know by it that they have decoded the frame. */
  #peeked: Buffer | null = null

  constructor(memory: FrameMemory) {
    this.#memory = memory
  }

  /** Frames that `take` gives. */
  get size(): number {
    return this.#size
  }

  /** Copies the frame. */
  push(frame: Buffer): void {
    const piece = this.#pieceFor(LENGTH_BYTES + frame.length)
    piece.bytes.writeUInt32LE(frame.length, piece.endBytes)
    piece.bytes.set(frame, piece.endBytes + LENGTH_BYTES)
    piece.endBytes += LENGTH_BYTES + frame.length
    this.#size++
  }

  take(): Buffer | null {
    const frame = this.#peeked ?? this.#read()
    if (frame === null) return null
    this.#peeked = null
    this.#at += LENGTH_BYTES + frame.length
    this.#size--
    return frame
  }

  peek(): Buffer | null {
    this.#peeked ??= this.#read()
    return this.#peeked
  }

  clear(): void {
    for (const { bytes } of this.#pieces.splice(0)) this.#memory.release(bytes.buffer)
    this.#at = 0
    this.#size = 0
    this.#peeked = null
  }

  #read(): Buffer | null {
    if (this.#size === 0) return null
    if (this.#at === this.#pieces[0]!.endBytes) {
      this.#memory.release(this.#pieces.shift()!.bytes.buffer)
      this.#at = 0
    }
    const { bytes } = this.#pieces[0]!
    const from = this.#at + LENGTH_BYTES
    return bytes.subarray(from, from + bytes.readUInt32LE(this.#at))
  }

  #pieceFor(leastBytes: number): Piece {
    const last = this.#pieces.at(-1)
    if (last && last.endBytes + leastBytes <= last.bytes.length) return last
    const piece = { bytes: Buffer.from(this.#memory.take(leastBytes)), endBytes: 0 }
    this.#pieces.push(piece)
    return piece
  }
}
