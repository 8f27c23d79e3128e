import { MalformedError, type Demuxer, packetSamples, parseOpusHead, type OpusHead } from './opus.ts'
import { CAPTURE, FIRST, HEADER_BYTES } from './ogg-page.ts'

const MAX_PAGE_BYTES = HEADER_BYTES + 255 + 255 * 255
/** Comments may hold cover art; more than this is not a song. They are not kept. */
const MAX_COMMENT_BYTES = 16 * 1024 * 1024
/** 120 ms in 48 frames of at most 1,275 bytes, and their lengths. */
const MAX_PACKET_BYTES = 64 * 1024
/** Give up when this much in a row holds no page. */
const MAX_GARBAGE_BYTES = 1024 * 1024
/** Limits the search to at most 64 damaged pages in a row. */
const DAMAGED_PAGE_COST = MAX_GARBAGE_BYTES / 64
/** Spare room of each allocation; the remainder of one piece of a stream is seldom longer. */
const GROWTH_BYTES = 16 * 1024
const CRC_AT = 22
const CONTINUED = 1
const LAST = 4

/** CRC contribution of a byte with 0 to 3 bytes behind it: 256 entries each. */
const CRC_TABLES = makeCrcTables()

function makeCrcTables(): Uint32Array {
  const tables = new Uint32Array(4 * 256)
  for (let byte = 0; byte < 256; byte++) {
    let value = byte << 24
    for (let bit = 0; bit < 8; bit++) value = value & 0x80000000 ? (value << 1) ^ 0x04c11db7 : value << 1
    tables[byte] = value
  }
  for (let at = 256; at < tables.length; at++) {
    const before = tables[at - 256]!
    tables[at] = (before << 8) ^ tables[before >>> 24]!
  }
  return tables
}

/** One Ogg page (RFC 3533). */
export interface OggPage {
  readonly flags: number
  /** End of the last packet that ends here, in samples; -1n when none does. */
  readonly granule: bigint
  readonly serial: number
  readonly lacing: Buffer
  readonly body: Buffer
  readonly bytes: number
}

/** The page that starts at `at`; 'more' when bytes are missing, null when none starts there. */
export function readPage(bytes: Buffer, at: number): OggPage | 'more' | null {
  const left = bytes.length - at
  const start = bytes.subarray(at, at + 4)
  if (!CAPTURE.subarray(0, start.length).equals(start)) return null
  if (left < HEADER_BYTES) return 'more'
  if (bytes[at + 4] !== 0) return null
  const segments = bytes[at + 26]!
  const bodyAt = at + HEADER_BYTES + segments
  if (left < HEADER_BYTES + segments) return 'more'
  const lacing = bytes.subarray(at + HEADER_BYTES, bodyAt)
  const end = lacing.reduce((sum, length) => sum + length, bodyAt)
  if (bytes.length < end) return 'more'
  if (pageCrc(bytes, at, end) !== bytes.readUInt32LE(at + CRC_AT)) return null
  return {
    flags: bytes[at + 5]!,
    granule: bytes.readBigInt64LE(at + 6),
    serial: bytes.readUInt32LE(at + 14),
    lacing,
    body: bytes.subarray(bodyAt, end),
    bytes: end - at,
  }
}

/** The checksum of the page between the two offsets, with its own checksum field taken as zero. */
export function pageCrc(bytes: Buffer, from: number, to: number): number {
  const fieldAt = Math.min(to, from + CRC_AT)
  let crc = crcOf(bytes, { from, to: fieldAt }, 0)
  for (let at = fieldAt; at < Math.min(to, fieldAt + 4); at++) crc = (crc << 8) ^ CRC_TABLES[crc >>> 24]!
  return crcOf(bytes, { from: Math.min(to, fieldAt + 4), to }, crc) >>> 0
}

/** Four bytes at once: each byte of music goes through here. */
function crcOf(bytes: Buffer, { from, to }: { readonly from: number; readonly to: number }, start: number): number {
  let crc = start
  let at = from
  for (; at + 4 <= to; at += 4) {
    crc ^= (bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!
    crc =
      CRC_TABLES[768 + (crc >>> 24)]! ^
      CRC_TABLES[512 + ((crc >>> 16) & 255)]! ^
      CRC_TABLES[256 + ((crc >>> 8) & 255)]! ^
      CRC_TABLES[crc & 255]!
  }
  for (; at < to; at++) crc = (crc << 8) ^ CRC_TABLES[(crc >>> 24) ^ bytes[at]!]!
  return crc
}

/** Reads pages from a stream of bytes and finds its way again after damage. */
class PageReader {
  /** Used again for each piece of the stream: what came is copied behind what is left. */
  #memory: Buffer = Buffer.alloc(0)
  #rest: Buffer = this.#memory
  #garbageBytes = 0
  #isDamaged = false

  /** Something else than pages lay between them, or a page was not what its checksum says. */
  get isDamaged(): boolean {
    return this.#isDamaged
  }

  #skipGarbage(at: number): number {
    const found = this.#rest.indexOf(CAPTURE, at + 1)
    // The capture pattern may begin in the last three bytes.
    const next = found === -1 ? Math.max(at + 1, this.#rest.length - 3) : found
    // The heads of many long pages within a few bytes would cost a checksum each.
    const isHead = CAPTURE.equals(this.#rest.subarray(at, at + CAPTURE.length))
    this.#garbageBytes += next - at + (isHead ? DAMAGED_PAGE_COST : 0)
    this.#isDamaged = true
    if (this.#garbageBytes > MAX_GARBAGE_BYTES) throw new MalformedError("it isn't an Ogg stream")
    return next
  }

  /** The pages lie in memory that the next call of this uses again. */
  *push(bytes: Buffer): Generator<OggPage> {
    this.#append(bytes)
    let at = 0
    while (at < this.#rest.length) {
      const page = readPage(this.#rest, at)
      if (page === 'more') break
      if (page) {
        this.#garbageBytes = 0
        at += page.bytes
        yield page
      } else {
        at = this.#skipGarbage(at)
      }
    }
    this.#rest = this.#rest.subarray(at)
    if (this.#rest.length > 2 * MAX_PAGE_BYTES + bytes.length) throw new MalformedError("it isn't an Ogg stream")
  }

  #append(bytes: Buffer): void {
    const rest = this.#rest
    const totalBytes = rest.length + bytes.length
    if (this.#memory.length < totalBytes) this.#memory = Buffer.allocUnsafeSlow(totalBytes + GROWTH_BYTES)
    rest.copy(this.#memory)
    bytes.copy(this.#memory, rest.length)
    this.#rest = this.#memory.subarray(0, totalBytes)
  }
}

interface DemuxerOptions {
  /** The header of a stream that is entered in the middle. */
  readonly head?: OpusHead
}

/**
 * Ogg Opus (RFC 7845): the first Opus stream of the file, and those chained behind it. Not prism-media's demuxer, which
 * reports no positions to seek by and ends at the first damaged page.
 */
export class OggOpusDemuxer implements Demuxer {
  readonly #pages = new PageReader()
  #head: OpusHead | null
  #serial: number | null = null
  #headersLeft = 0
  #partial: Buffer[] = []
  #partialBytes = 0
  #dropPartial = false
  #firstSample: number | null = null
  #endSample: number | null = null
  #ended = false

  constructor({ head }: DemuxerOptions = {}) {
    this.#head = head ?? null
    // The first packet may have begun before the first page when reading starts in the middle.
    this.#dropPartial = head !== undefined
  }

  get head(): OpusHead | null {
    return this.#head
  }

  get isDamaged(): boolean {
    return this.#pages.isDamaged
  }

  get firstSample(): number | null {
    return this.#firstSample
  }

  get endSample(): number | null {
    return this.#endSample
  }

  push(bytes: Buffer): readonly Buffer[] {
    const packets: Buffer[] = []
    for (const page of this.#pages.push(bytes)) {
      if (!this.#follows(page)) continue
      const found = this.#packetsOf(page)
      if (found.length > 0) this.#firstSample ??= startOf(page, found)
      for (const packet of found) packets.push(packet)
      if (page.flags & LAST) {
        this.#serial = null
        // A chained stream counts from its own start.
        this.#endSample = this.#ended ? null : Number(page.granule)
        this.#ended = true
      }
    }
    return packets
  }

  /** Whether the page belongs to the stream that is played; a new one begins where the last ended. */
  #follows(page: OggPage): boolean {
    if (page.flags & FIRST) {
      const head = parseOpusHead(page.body)
      if (this.#serial !== null || !head) return false
      this.#head = head
      this.#serial = page.serial
      this.#headersLeft = 1
      this.#partial = []
      this.#partialBytes = 0
      this.#dropPartial = false
      return false
    }
    // Joined in the middle: the first page decides which stream it is.
    if (this.#serial === null && this.#head && this.#firstSample === null && this.#headersLeft === 0) {
      this.#serial = page.serial
    }
    return page.serial === this.#serial
  }

  #packetsOf(page: OggPage): Buffer[] {
    if (!(page.flags & CONTINUED)) {
      // A packet that was to be continued and was not is damaged.
      this.#partial = []
      this.#partialBytes = 0
      this.#dropPartial = false
    }
    const packets: Buffer[] = []
    let from = 0
    let to = 0
    for (const length of page.lacing) {
      to += length
      if (length === 255) continue
      const packet = this.#complete(page.body.subarray(from, to))
      from = to
      if (packet) packets.push(packet)
    }
    if (to > from || page.lacing.at(-1) === 255) this.#keep(page.body.subarray(from, to))
    return packets
  }

  #keep(piece: Buffer): void {
    const isHeader = this.#headersLeft > 0
    this.#partialBytes += piece.length
    if (this.#partialBytes > (isHeader ? MAX_COMMENT_BYTES : MAX_PACKET_BYTES))
      throw new MalformedError('one of its packets is too long')
    if (!isHeader) this.#partial.push(Buffer.from(piece))
  }

  #complete(end: Buffer): Buffer | null {
    const packet = this.#partial.length === 0 ? end : Buffer.concat([...this.#partial, end])
    const dropped = this.#dropPartial
    this.#partial = []
    this.#partialBytes = 0
    this.#dropPartial = false
    if (dropped) return null
    if (this.#headersLeft > 0) {
      this.#headersLeft--
      return null
    }
    return packet
  }
}

/** A page's granule is where its last packet ends: counted back, that is where its first begins. */
function startOf(page: OggPage, packets: readonly Buffer[]): number {
  const samples = packets.reduce((sum, packet) => sum + packetSamples(packet), 0)
  // The last page may end before its last packet does, so that a short file would begin before zero.
  return Math.max(0, Number(page.granule) - samples)
}
