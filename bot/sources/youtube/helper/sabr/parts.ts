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
  const reader = new UmpReader(new CompositeBuffer())
  for await (const chunk of body) {
    const parts: UmpPart[] = []
    // What the reader returns leaves out a header that a chunk cut in two; the rest that it keeps itself has all.
    const rest = reader['compositeBuffer']
    rest.append(chunk)
    if (rest.getLength() > PART_BYTES) throw new Error('a part of the response is too long')
    reader.read(({ type, data }) => parts.push({ type, content: Buffer.concat(data.chunks) }))
    yield* parts
  }
}
