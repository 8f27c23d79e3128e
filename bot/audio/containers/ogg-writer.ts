import { randomInt } from 'node:crypto'
import { pageCrc } from './ogg.ts'
import { LIBOPUS_PRE_SKIP, SAMPLES_PER_FRAME } from './opus.ts'

const HEADER_BYTES = 27
const CRC_AT = 22
const FIRST_PAGE = 2
/** A page has 255 segments, and no frame takes more than six. */
const FRAMES_PER_PAGE = 40

/** Writes frames of 20 ms as a stream that browsers play (RFC 3533, RFC 7845). It has no end until it is stopped. */
export class OggWriter {
  readonly #serial = randomInt(2 ** 32)
  #pages = 0
  #samples = 0n

  /** Comes first, once. */
  head(): Buffer {
    const head = Buffer.alloc(19)
    head.write('OpusHead')
    head.writeUInt8(1, 8)
    head.writeUInt8(2, 9)
    head.writeUInt16LE(LIBOPUS_PRE_SKIP, 10)
    head.writeUInt32LE(48_000, 12)
    const vendor = Buffer.from('Bandstand')
    const tags = Buffer.alloc(8 + 4 + vendor.length + 4)
    tags.write('OpusTags')
    tags.writeUInt32LE(vendor.length, 8)
    vendor.copy(tags, 12)
    return Buffer.concat([this.#page([head], FIRST_PAGE), this.#page([tags], 0)])
  }

  frames(frames: readonly Uint8Array[]): Buffer {
    const pages: Buffer[] = []
    for (let at = 0; at < frames.length; at += FRAMES_PER_PAGE) {
      const some = frames.slice(at, at + FRAMES_PER_PAGE)
      this.#samples += BigInt(some.length * SAMPLES_PER_FRAME)
      pages.push(this.#page(some, 0))
    }
    return Buffer.concat(pages)
  }

  #page(packets: readonly Uint8Array[], flags: number): Buffer {
    const lacing = packets.flatMap(({ length }) => [...Array<number>(Math.floor(length / 255)).fill(255), length % 255])
    const header = Buffer.alloc(HEADER_BYTES + lacing.length)
    header.write('OggS')
    header.writeUInt8(flags, 5)
    header.writeBigInt64LE(this.#samples, 6)
    header.writeUInt32LE(this.#serial, 14)
    header.writeUInt32LE(this.#pages++, 18)
    header.writeUInt8(lacing.length, 26)
    header.set(lacing, HEADER_BYTES)
    const page = Buffer.concat([header, ...packets])
    page.writeUInt32LE(pageCrc(page, 0, page.length), CRC_AT)
    return page
  }
}
