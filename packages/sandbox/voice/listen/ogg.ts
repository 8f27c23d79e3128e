import { randomInt } from 'node:crypto'
import { SAMPLES_PER_SECOND } from '../opus.ts'

const CONTINUED_MAX = 255
const HEADER_BYTES = 27
const CRC_AT = 22
const BEGIN_OF_STREAM = 2
const VENDOR = 'Bandstand'

/** Decoders need so long to settle (RFC 7845 4.2); what a stream begins with is silence anyway. */
const PRE_SKIP_SAMPLES = 3840

export interface OpusPacket {
  readonly bytes: Buffer
  readonly samples: number
}

/** Writes one logical Ogg stream of Opus (RFC 3533, RFC 7845), page by page. */
export function createOggWriter(serial: number = randomInt(2 ** 32)) {
  let pageNumber = 0
  let granule = 0n

  function page(packets: readonly Buffer[], type: number): Buffer {
    const lacing = packets.flatMap(segmentSizes)
    const head = Buffer.alloc(HEADER_BYTES + lacing.length)
    head.write('OggS')
    head.writeUInt8(type, 5)
    head.writeBigUInt64LE(granule, 6)
    head.writeUInt32LE(serial, 14)
    head.writeUInt32LE(pageNumber, 18)
    head.writeUInt8(lacing.length, 26)
    Buffer.from(lacing).copy(head, HEADER_BYTES)
    pageNumber = (pageNumber + 1) >>> 0
    const bytes = Buffer.concat([head, ...packets])
    bytes.writeUInt32LE(checksum(bytes), CRC_AT)
    return bytes
  }

  return {
    /** The two header pages; come first. */
    header: (): Buffer => Buffer.concat([page([opusHead()], BEGIN_OF_STREAM), page([opusTags()], 0)]),
    /** Pages with these packets; the granule position counts on from page to page. */
    pages(packets: readonly OpusPacket[]): Buffer {
      const written = groupByPage(packets).map((group) => {
        granule += BigInt(group.reduce((sum, { samples }) => sum + samples, 0))
        return page(
          group.map(({ bytes }) => bytes),
          0,
        )
      })
      return Buffer.concat(written)
    },
  }
}

/** RFC 7845 5.1: version 1, two channels, mapping family 0. */
function opusHead(): Buffer {
  const head = Buffer.alloc(19)
  head.write('OpusHead')
  head.writeUInt8(1, 8)
  head.writeUInt8(2, 9)
  head.writeUInt16LE(PRE_SKIP_SAMPLES, 10)
  head.writeUInt32LE(SAMPLES_PER_SECOND, 12)
  return head
}

/** RFC 7845 5.2: the vendor and no comments. */
function opusTags(): Buffer {
  const counts = Buffer.alloc(4)
  counts.writeUInt32LE(VENDOR.length)
  return Buffer.concat([Buffer.from('OpusTags'), counts, Buffer.from(VENDOR), Buffer.alloc(4)])
}

/** The lacing values of a packet (RFC 3533 6): 255 as often as it goes, then the rest, which may be 0. */
function segmentSizes({ length }: Buffer): number[] {
  const whole = Math.floor(length / CONTINUED_MAX)
  return [...Array<number>(whole).fill(CONTINUED_MAX), length % CONTINUED_MAX]
}

/** No packet goes over two pages: one of 255 segments holds any packet that fits a datagram. */
function groupByPage(packets: readonly OpusPacket[]): OpusPacket[][] {
  const groups: OpusPacket[][] = []
  let segments = CONTINUED_MAX
  for (const packet of packets) {
    const needed = segmentSizes(packet.bytes).length
    if (segments + needed > CONTINUED_MAX) {
      groups.push([])
      segments = 0
    }
    groups.at(-1)?.push(packet)
    segments += needed
  }
  return groups
}

/** CRC-32 of RFC 3533: polynomial 04c11db7, most significant bit first, starting from 0, not inverted. */
const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte << 24
  for (let bit = 0; bit < 8; bit++) value = value < 0 ? (value << 1) ^ 0x04c1_1db7 : value << 1
  return value
})

function checksum(bytes: Buffer): number {
  let crc = 0
  for (const byte of bytes) crc = (crc << 8) ^ (CRC_TABLE[(crc >>> 24) ^ byte] ?? 0)
  return crc >>> 0
}
