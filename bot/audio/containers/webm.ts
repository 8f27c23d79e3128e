import { MalformedError, type Demuxer, parseOpusHead, SAMPLES_PER_MS, type OpusHead } from './opus.ts'

/** The elements that are known here. */
export const ID = {
  header: 0x1a45dfa3,
  segment: 0x18538067,
  info: 0x1549a966,
  timestampScale: 0x2ad7b1,
  tracks: 0x1654ae6b,
  trackEntry: 0xae,
  trackNumber: 0xd7,
  codecId: 0x86,
  codecPrivate: 0x63a2,
  cluster: 0x1f43b675,
  clusterTimestamp: 0xe7,
  simpleBlock: 0xa3,
  blockGroup: 0xa0,
  block: 0xa1,
  seekHead: 0x114d9b74,
  seek: 0x4dbb,
  seekId: 0x53ab,
  seekPosition: 0x53ac,
  cues: 0x1c53bb6b,
  cuePoint: 0xbb,
  cueTime: 0xb3,
  cueTrackPositions: 0xb7,
  cueClusterPosition: 0xf1,
} as const

/** Elements to enter instead of skip. Their ends follow from the ID of the next element. */
const ENTERED = new Set<number>([ID.segment, ID.cluster, ID.blockGroup])
/** Read whole. */
const WANTED = new Set<number>([ID.header, ID.info, ID.tracks, ID.clusterTimestamp, ID.simpleBlock, ID.block])
const MAX_WANTED_BYTES = 1024 * 1024
export const DEFAULT_SCALE_NS = 1_000_000

interface Element {
  readonly id: number
  /** Null: unknown, it lasts until something begins that cannot be inside it. */
  readonly sizeBytes: number | null
  readonly headerBytes: number
}

/**
 * WebM and Matroska (RFC 9559) with Opus: the packets of the first Opus track. Not prism-media's demuxer, which reports
 * no timestamps to seek by and knows no lacing.
 */
export class WebmOpusDemuxer implements Demuxer {
  #rest: Buffer = Buffer.alloc(0)
  #skipBytes = 0
  #sawHeader = false
  #head: OpusHead | null = null
  #track: number | null = null
  #scaleNs = DEFAULT_SCALE_NS
  #clusterTime = 0
  /** Matroska's durations are not exact to the sample. */
  readonly endSample = null
  readonly isDamaged = false
  #firstSample: number | null = null

  get head(): OpusHead | null {
    return this.#head
  }

  get firstSample(): number | null {
    return this.#firstSample
  }

  push(bytes: Buffer): readonly Buffer[] {
    if (this.#skipBytes >= bytes.length) {
      this.#skipBytes -= bytes.length
      return []
    }
    const fresh = bytes.subarray(this.#skipBytes)
    this.#skipBytes = 0
    this.#rest = this.#rest.length === 0 ? fresh : Buffer.concat([this.#rest, fresh])
    const packets: Buffer[] = []
    let at = 0
    while (at < this.#rest.length) {
      const used = this.#step(at, packets)
      if (used === 0) break
      at += used
    }
    this.#skipBytes = Math.max(0, at - this.#rest.length)
    this.#rest = Buffer.from(this.#rest.subarray(Math.min(at, this.#rest.length)))
    return packets
  }

  /** @returns how many bytes the element took (perhaps more than there are), 0 when it needs more bytes. */
  #step(at: number, packets: Buffer[]): number {
    const element = readElement(this.#rest, at)
    if (!element) return 0
    const { id, sizeBytes, headerBytes } = element
    if (!this.#sawHeader && id !== ID.header) throw new MalformedError("it isn't a WebM stream")
    if (ENTERED.has(id)) return headerBytes
    if (sizeBytes === null) throw new MalformedError('one of its elements has no end')
    if (!WANTED.has(id)) return headerBytes + sizeBytes
    if (sizeBytes > MAX_WANTED_BYTES) throw new MalformedError('one of its elements is too long')
    const from = at + headerBytes
    if (this.#rest.length < from + sizeBytes) return 0
    this.#take(id, this.#rest.subarray(from, from + sizeBytes), packets)
    return headerBytes + sizeBytes
  }

  #take(id: number, body: Buffer, packets: Buffer[]): void {
    if (id === ID.header) this.#sawHeader = true
    else if (id === ID.info) this.#scaleNs = readNumber(find(body, ID.timestampScale)) ?? DEFAULT_SCALE_NS
    else if (id === ID.tracks) this.#chooseTrack(body)
    else if (id === ID.clusterTimestamp) this.#clusterTime = readNumber(body) ?? 0
    else this.#takeBlock(body, packets)
  }

  #chooseTrack(tracks: Buffer): void {
    for (const [id, entry] of children(tracks)) {
      if (id !== ID.trackEntry || find(entry, ID.codecId)?.toString('latin1') !== 'A_OPUS') continue
      const head = parseOpusHead(find(entry, ID.codecPrivate) ?? Buffer.alloc(0))
      if (!head) continue
      this.#head = head
      this.#track = readNumber(find(entry, ID.trackNumber))
      return
    }
    throw new MalformedError('it has no Opus track')
  }

  #takeBlock(block: Buffer, packets: Buffer[]): void {
    const track = readVint(block, 0)
    if (!track || track.value !== this.#track || block.length < track.bytes + 3) return
    const time = this.#clusterTime + block.readInt16BE(track.bytes)
    const lacing = (block[track.bytes + 2]! >> 1) & 3
    const found = unlace(block.subarray(track.bytes + 3), lacing)
    if (found.length > 0) {
      this.#firstSample ??= Math.max(0, Math.round((time * this.#scaleNs * SAMPLES_PER_MS) / 1_000_000))
    }
    for (const packet of found) packets.push(packet)
  }
}

/** Several packets may share one block: with Xiph (1), fixed (2) or EBML (3) sizes. */
function unlace(body: Buffer, lacing: number): Buffer[] {
  if (lacing === 0) return body.length > 0 ? [body] : []
  const count = (body[0] ?? 0) + 1
  const { sizes, at } =
    lacing === 1 ? xiphSizes(body, count) : lacing === 3 ? ebmlSizes(body, count) : fixedSizes(body, count)
  const packets: Buffer[] = []
  let from = at
  for (const size of sizes) {
    packets.push(body.subarray(from, from + size))
    from += size
  }
  if (from < body.length && packets.length < count) packets.push(body.subarray(from))
  return packets
}

function fixedSizes(body: Buffer, count: number) {
  const size = Math.floor((body.length - 1) / count)
  return { sizes: Array.from({ length: count }, () => size), at: 1 }
}

function xiphSizes(body: Buffer, count: number) {
  const sizes: number[] = []
  let at = 1
  while (sizes.length < count - 1 && at < body.length) {
    let size = 0
    while (body[at] === 255) size += body[at++]!
    sizes.push(size + (body[at++] ?? 0))
  }
  return { sizes, at }
}

function ebmlSizes(body: Buffer, count: number) {
  const sizes: number[] = []
  let at = 1
  while (sizes.length < count - 1) {
    const vint = readVint(body, at)
    if (!vint) break
    // The first is a size, the others are differences around the middle of their range.
    const offset = 2 ** (7 * vint.bytes - 1) - 1
    sizes.push(sizes.length === 0 ? vint.value : Math.max(0, sizes.at(-1)! + vint.value - offset))
    at += vint.bytes
  }
  return { sizes, at }
}

export function readElement(bytes: Buffer, at: number): Element | null {
  const first = bytes[at]
  if (first === undefined) return null
  const idBytes = Math.clz32(first) - 23
  if (idBytes > 4) throw new MalformedError('its structure is damaged')
  if (bytes.length < at + idBytes) return null
  const size = readVint(bytes, at + idBytes)
  if (!size) return null
  return {
    id: bytes.readUIntBE(at, idBytes),
    sizeBytes: size.isUnknown ? null : size.value,
    headerBytes: idBytes + size.bytes,
  }
}

/** A number that says in its first bits how long it is. Null when bytes are missing. */
function readVint(bytes: Buffer, at: number): { value: number; bytes: number; isUnknown: boolean } | null {
  const first = bytes[at]
  if (first === undefined) return null
  if (first === 0) throw new MalformedError('its structure is damaged')
  const length = Math.clz32(first) - 23
  if (bytes.length < at + length) return null
  const mask = 0xff >> length
  let value = first & mask
  let isUnknown = value === mask
  for (let i = 1; i < length; i++) {
    const byte = bytes[at + i]!
    value = value * 256 + byte
    isUnknown &&= byte === 255
  }
  return { value, bytes: length, isUnknown }
}

export function* children(body: Buffer): Generator<[id: number, body: Buffer]> {
  let at = 0
  for (;;) {
    const element = readElement(body, at)
    if (!element) return
    const from = at + element.headerBytes
    const to = element.sizeBytes === null ? body.length : from + element.sizeBytes
    yield [element.id, body.subarray(from, to)]
    at = to
  }
}

export function find(body: Buffer, id: number): Buffer | null {
  for (const [childId, child] of children(body)) if (childId === id) return child
  return null
}

export function readNumber(body: Buffer | null): number | null {
  if (!body || body.length === 0 || body.length > 8) return null
  return Number(BigInt(`0x${body.toString('hex')}`))
}
