import { following } from '../input/same-start.ts'

/** Boxes that may stand before index and sound. */
const SMALL_BOXES: ReadonlySet<string> = new Set(['ftyp', 'free', 'skip', 'wide', 'uuid', 'pdin'])
/** Farther in, no index is looked for. */
const LOOKED_BYTES = 1024 * 1024

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
  for (;;) {
    const verdict = judge(Buffer.concat(held))
    const next = verdict === 'unknown' ? await rest.next() : null
    if (!next || next.done) return { isBehind: verdict === 'behind', bytes: following(held, all) }
    held.push(next.value)
  }
}

function judge(start: Buffer): 'behind' | 'no' | 'unknown' {
  for (let at = 0; at <= LOOKED_BYTES;) {
    if (start.length < at + 16) return 'unknown'
    const type = start.toString('latin1', at + 4, at + 8)
    if (type === 'mdat' && at > 0) return 'behind'
    if (!SMALL_BOXES.has(type)) return 'no'
    const size = start.readUInt32BE(at)
    const bytes = size === 1 ? Number(start.readBigUInt64BE(at + 8)) : size
    if (bytes < 8) return 'no'
    at += bytes
  }
  return 'no'
}
