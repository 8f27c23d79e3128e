/** Metadata blocks are at most 255 × 16 bytes. */
const UNIT_BYTES = 16

const TITLE_START = "StreamTitle='"

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
      const title = titleOf(Buffer.concat(this.#block))
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

/** `StreamTitle='…';`, in UTF-8 where it is valid, else in the Latin-1 of old encoders. Null if there is none. */
function titleOf(block: Buffer): string | null {
  const text = decode(block.subarray(0, block.indexOf(0) === -1 ? block.length : block.indexOf(0)))
  const start = text.indexOf(TITLE_START)
  // Titles hold apostrophes themselves: the end is the previous one the semicolon.
  const end = start < 0 ? -1 : text.indexOf("';", start + TITLE_START.length)
  return (end < 0 ? '' : text.slice(start + TITLE_START.length, end).trim()) || null
}

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return bytes.toString('latin1')
  }
}
