/** The head of a page, up to its lacing. */
export const HEADER_BYTES = 27
/** Bytes that hold a whole page, wherever it begins: one has at most 65,307. */
export const PAGE_REACH_BYTES = 65_536
/** The flag of a page that begins a stream. */
export const FIRST = 2
export const CAPTURE = Buffer.from('OggS')

/** Header of a page, before its checksum is verified. */
export interface OggPageHead {
  readonly at: number
  readonly isFirst: boolean
  /** End of the last packet that ends on the page, in samples; -1 when none does. */
  readonly granule: number
  readonly serial: number
  /** Offset of the page's body, behind its header and segment table. */
  readonly bodyAt: number
}

/** The last page that begins in these bytes; null if none does. */
export function lastPageHead(bytes: Buffer): OggPageHead | null {
  return pageHeadAt(bytes, bytes.lastIndexOf(CAPTURE))
}

/** The first page that begins at `from` or behind it; null if none does. */
export function nextPageHead(bytes: Buffer, from: number): OggPageHead | null {
  return pageHeadAt(bytes, bytes.indexOf(CAPTURE, from))
}

function pageHeadAt(bytes: Buffer, at: number): OggPageHead | null {
  if (at < 0 || at + HEADER_BYTES > bytes.length) return null
  return {
    at,
    isFirst: (bytes[at + 5]! & FIRST) !== 0,
    granule: Number(bytes.readBigInt64LE(at + 6)),
    serial: bytes.readUInt32LE(at + 14),
    bodyAt: at + HEADER_BYTES + bytes[at + 26]!,
  }
}
