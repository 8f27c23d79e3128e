import { following } from '../input/same-start.ts'

/** Boxes that may stand before index and sound. */
const SMALL_BOXES: ReadonlySet<string> = new Set(['ftyp', 'free', 'skip', 'wide', 'uuid', 'pdin'])
/** Farther in, no index is looked for. */
const LOOKED_BYTES = 1024 * 1024
const BOXES_MAX = 64
/** Header size, including the 64-bit size of a large box. */
const BOX_HEAD_BYTES = 16

/**
 * Whether bytes are an MP4 (ISO/IEC 14496-12) whose sound comes before its index, so that a decoder has to jump. Reads no more
 * than it takes to tell.
 */
export async function hasIndexBehind(bytes: AsyncIterable<Buffer>): Promise<{
  readonly isBehind: boolean
  readonly bytes: AsyncIterable<Buffer>
}> {
  const rest = bytes[Symbol.asyncIterator]()
  const all = { [Symbol.asyncIterator]: () => rest }
  const held: Buffer[] = []
  let bytesHeld = 0
  for (;;) {
    const verdict = judge(Buffer.concat(held))
    if (typeof verdict === 'boolean') return { isBehind: verdict, bytes: following(held, all) }
    while (bytesHeld < verdict) {
      const { value, done } = await rest.next()
      if (done) return { isBehind: false, bytes: following(held, all) }
      held.push(value)
      bytesHeld += value.length
    }
  }
}

/** True or false where it is known, or how many bytes it takes to look further. */
function judge(start: Buffer): boolean | number {
  let at = 0
  for (let boxes = 0; boxes < BOXES_MAX && at <= LOOKED_BYTES; boxes++) {
    if (start.length < at + BOX_HEAD_BYTES) return at + BOX_HEAD_BYTES
    const type = start.toString('latin1', at + 4, at + 8)
    if (type === 'mdat' && at > 0) return true
    if (!SMALL_BOXES.has(type)) return false
    const size = start.readUInt32BE(at)
    const bytes = size === 1 ? Number(start.readBigUInt64BE(at + 8)) : size
    if (bytes < 8) return false
    at += bytes
  }
  return false
}
