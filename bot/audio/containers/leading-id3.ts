import { id3Tag } from '../../sources/library/leading-tags.ts'

const HEAD_BYTES = 10

/** Yields a track without its leading ID3v2 tags. A decoder that cannot jump takes any format after a large tag for MP3. */
export async function* withoutLeadingId3(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void> {
  /** Undecided; null behind the tags. */
  let start: Buffer | null = Buffer.alloc(0)
  let skipBytes = 0
  for await (const chunk of bytes) {
    const rest = chunk.subarray(Math.min(skipBytes, chunk.length))
    skipBytes -= chunk.length - rest.length
    if (start === null) yield rest
    else if (rest.length > 0) {
      start = Buffer.concat([start, rest])
      const tagBytes = tagsIn(start)
      skipBytes = Math.max(0, tagBytes - start.length)
      start = start.subarray(tagBytes)
      const isDecided =
        skipBytes === 0 && (start.length >= HEAD_BYTES || !'ID3'.startsWith(start.toString('latin1', 0, 3)))
      if (isDecided) yield start
      if (isDecided) start = null
    }
  }
  if (start && start.length > 0) yield start
}

/** Returns the total size of the consecutive tags at the start; the last may extend past the bytes. */
function tagsIn(bytes: Buffer): number {
  let at = 0
  for (let tag = id3Tag(bytes); tag; tag = id3Tag(bytes.subarray(at))) at += tag.bytes
  return at
}
