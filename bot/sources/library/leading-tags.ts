import type { RandomAccessBytes } from '../http/random-access.ts'

const TAG_HEAD_BYTES = 32
/** Taggers that do not find the last one put another in front. */
const TAGS_MAX = 16
/** Largest tag; anything that claims to be larger is none. */
const TAGS_MAX_BYTES = 16 * 1024 * 1024
const PADDING_PIECE_BYTES = 65_536
const PADDING_MAX_BYTES = 1024 * 1024

/** Finds the end of the ID3v2 tags, APE tags and zeros in front of the sound. */
export async function skipLeadingTags(bytes: RandomAccessBytes) {
  let at = 0
  let isPlain = true
  for (let tags = 0; tags < TAGS_MAX; tags++) {
    const head = await bytes.read(at, TAG_HEAD_BYTES)
    const tag = id3Tag(head) ?? apeBytes(head)
    if (!tag || at + tag.bytes > TAGS_MAX_BYTES) break
    at += tag.bytes
    isPlain &&= tag.isPlain
  }
  const padding = await paddingBytes(bytes, at)
  return {
    /** End of tags and padding. */
    endByte: at + padding,
    /** Nothing but ID3v2 tags as parsers know them: one behind the other, without footers and padding. */
    isPlain: isPlain && padding === 0,
  }
}

/** The ID3v2 tag that begins there, with its footer. Seven bits of each byte count (ID3v2.4, 3.1). */
export function id3Tag(head: Buffer) {
  if (head.length < 10 || head.toString('latin1', 0, 3) !== 'ID3') return null
  const size = head.subarray(6, 10).reduce((sum, byte) => sum * 128 + (byte & 0x7f), 0)
  const hasFooter = ((head[5] ?? 0) & 0x10) !== 0
  return { bytes: 10 + size + (hasFooter ? 10 : 0), isPlain: !hasFooter }
}

/** An APE tag in front has a header; its size counts all but that. */
function apeBytes(head: Buffer) {
  if (head.length < TAG_HEAD_BYTES || head.toString('latin1', 0, 8) !== 'APETAGEX') return null
  return { bytes: TAG_HEAD_BYTES + head.readUInt32LE(12), isPlain: false }
}

/** Less than four zeros are none: formats may begin with them. All zeros are no padding but silence, or nothing. */
async function paddingBytes(bytes: RandomAccessBytes, from: number): Promise<number> {
  for (let count = 0; count < PADDING_MAX_BYTES;) {
    const piece = await bytes.read(from + count, count === 0 ? TAG_HEAD_BYTES : PADDING_PIECE_BYTES)
    const end = piece.findIndex((byte) => byte !== 0)
    if (end >= 0) return count + end < 4 ? 0 : count + end
    if (piece.length === 0) return 0
    count += piece.length
  }
  return 0
}
