import type { RandomAccessBytes } from '../http/random-access.ts'

const BOXES_MAX = 64
/** Header of a box, with the size of a large one. */
const HEAD_BYTES = 16

/** Finds the end of an MP4's index, `moov`; a parser needs nothing behind it. Null if there is none within reach. */
export async function findIndexEnd(bytes: RandomAccessBytes): Promise<number | null> {
  let at = 0
  for (let boxes = 0; boxes < BOXES_MAX; boxes++) {
    const head = await bytes.read(at, HEAD_BYTES)
    if (head.length < HEAD_BYTES) return null
    const size = head.readUInt32BE(0)
    const boxBytes = size === 1 ? Number(head.readBigUInt64BE(8)) : size
    if (boxBytes < 8) return null
    at += boxBytes
    if (head.toString('latin1', 4, 8) === 'moov') return at
  }
  return null
}
