/** The bytes of a track, wherever they are. */
export interface TrackBytes {
  readonly sizeBytes: number | null
  /** Whether `read` may start anywhere. */
  readonly isSeekable: boolean
  /** Changes whenever the bytes do; null if unknown. */
  readonly state: string | null
  /**
   * All bytes from the offset to the end. Leaving the loop releases the source.
   * @param isTransient whether a piece may change once the next is asked for: a file is then read into the same memory
   * over and over, which leaves nothing to collect.
   */
  read(fromByte: number, isTransient?: boolean): AsyncIterable<Buffer>
  /** All from a moment of the sound on, or from a little before it: for sources that know time, but not bytes. */
  readFromTime?(ms: number): Promise<BytesInTime>
  close(): void
}

export interface BytesInTime {
  readonly fromMs: number
  /** To its end, or to where another file begins, which needs a decoder of its own. */
  readonly bytes: AsyncIterable<Buffer>
  /** The next of those files, once the one before was read; null behind the last. */
  readonly following?: () => Promise<AsyncIterable<Buffer> | null>
}

/** Up to that many bytes from there; fewer at the end of the source. */
export async function readAt(bytes: TrackBytes, fromByte: number, lengthBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let got = 0
  for await (const chunk of bytes.read(fromByte)) {
    chunks.push(chunk)
    got += chunk.length
    if (got >= lengthBytes) break
  }
  return Buffer.concat(chunks).subarray(0, lengthBytes)
}
