import { CompositeBuffer, UmpReader } from 'googlevideo/ump'

/** A part of a UMP response: its type, and its content as it arrived. */
export interface UmpPart {
  readonly type: number
  readonly content: Buffer
}

/** More than the longest part, a segment of some seconds of video. */
const PART_BYTES = 16 * 1024 * 1024

/** The parts of a UMP response, each as soon as it is complete. */
export async function* readParts(body: AsyncIterable<Uint8Array>): AsyncGenerator<UmpPart, void> {
  let held: Uint8Array[] = []
  let bytes = 0
  /** Joining what is held before its part is complete would copy a long one with each of its chunks. */
  let needed = 1
  for await (const chunk of body) {
    held.push(chunk)
    bytes += chunk.length
    if (bytes > PART_BYTES) throw new Error('a part of the response is too long')
    if (bytes < needed) continue
    let rest = Buffer.concat(held)
    for (let part = headOf(rest); part; part = headOf(rest)) {
      needed = part.end
      if (rest.length < needed) break
      yield { type: part.type, content: rest.subarray(part.start, needed) }
      rest = rest.subarray(needed)
      needed = 1
    }
    held = [rest]
    bytes = rest.length
  }
}

/** The type of the part that these bytes begin with, and where its content is; null as long as its head is incomplete. */
function headOf(bytes: Buffer) {
  const reader = new UmpReader(new CompositeBuffer([bytes]))
  const [type, sizeAt] = reader.readVarInt(0)
  const [size, start] = type < 0 ? [-1, 0] : reader.readVarInt(sizeAt)
  return size < 0 ? null : { type, start, end: start + size }
}
