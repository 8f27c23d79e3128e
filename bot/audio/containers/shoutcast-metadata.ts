import { streamTitleIn } from '../../sources/http/stream-title.ts'

/** Metadata blocks are at most 255 × 16 bytes. */
const UNIT_BYTES = 16

/**
 * Takes the metadata out of an internet radio's bytes: after every `intervalBytes` of sound comes one length byte and
 * that many times 16 bytes of text.
 */
export class IcyStripper {
  readonly #intervalBytes: number
  readonly #onTitle: (title: string) => void
  #soundLeft: number
  #blockLeft = 0
  #block: Buffer[] = []
  #lastBlock: Buffer = Buffer.alloc(0)
  #title: string | null = null

  constructor(intervalBytes: number, onTitle: (title: string) => void) {
    this.#intervalBytes = intervalBytes
    this.#soundLeft = intervalBytes
    this.#onTitle = onTitle
  }

  /** The sound among these bytes. */
  push(bytes: Buffer): Buffer[] {
    const sound: Buffer[] = []
    let at = 0
    while (at < bytes.length) {
      if (this.#soundLeft > 0) {
        const piece = bytes.subarray(at, at + this.#soundLeft)
        sound.push(piece)
        this.#soundLeft -= piece.length
        at += piece.length
        if (this.#soundLeft === 0) this.#blockLeft = -1
      } else if (this.#blockLeft === -1) {
        this.#blockLeft = bytes[at++]! * UNIT_BYTES
        if (this.#blockLeft === 0) this.#soundLeft = this.#intervalBytes
      } else {
        at += this.#takeBlock(bytes.subarray(at, at + this.#blockLeft))
      }
    }
    return sound
  }

  #takeBlock(piece: Buffer): number {
    this.#block.push(piece)
    this.#blockLeft -= piece.length
    if (this.#blockLeft === 0) {
      const block = Buffer.concat(this.#block)
      // Most stations send the same one again and again.
      const title = block.equals(this.#lastBlock) ? null : streamTitleIn(block)
      this.#lastBlock = block
      this.#block = []
      this.#soundLeft = this.#intervalBytes
      if (title !== null && title !== this.#title) {
        this.#title = title
        this.#onTitle(title)
      }
    }
    return piece.length
  }
}
