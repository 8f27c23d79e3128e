/**
 * Gives the memory of a buffer back at once; it must not be used from then on. Large buffers that are left to the collector
 * make it walk through all that the process holds, each time there are 64 MB of them.
 */
export function releaseBuffer({ buffer, byteLength }: ArrayBufferView): void {
  // A part of something larger has others beside it.
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength && !buffer.detached) buffer.transfer(0)
}

/** All chunks in one; they themselves are given back. */
export function concatAndRelease(chunks: readonly Buffer[]): Buffer {
  const [first] = chunks
  if (first && chunks.length === 1) return first
  const whole = Buffer.concat(chunks)
  for (const chunk of chunks) releaseBuffer(chunk)
  return whole
}

/**
 * Reads a whole body and releases its chunks. Stops at more than `maxBytes`.
 * @throws what `tooLarge` makes, and what the body throws.
 */
export async function readBounded(
  body: AsyncIterable<Uint8Array>,
  maxBytes: number,
  tooLarge: () => Error,
): Promise<Buffer> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of body) {
    bytes += chunk.length
    if (bytes > maxBytes) throw tooLarge()
    chunks.push(Buffer.isBuffer(chunk) ? chunk : Buffer.from(chunk))
  }
  return concatAndRelease(chunks)
}
