import { createReadStream, type Stats } from 'node:fs'
import { open } from 'node:fs/promises'
import { Fault } from '../../../lib/errors.ts'

/** The bytes of a track, wherever they are. */
export interface Bytes {
  /** Null if unknown. */
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
  /** Ends all reads. */
  close(): void
}

export interface BytesInTime {
  readonly fromMs: number
  /** To its end, or to where another file begins, which needs a decoder of its own. */
  readonly bytes: AsyncIterable<Buffer>
  /** The next of those files, once the one before was read; null behind the last. */
  readonly following?: () => Promise<AsyncIterable<Buffer> | null>
}

/** Two of them wait while a track plays. */
const CHUNK_BYTES = 32 * 1024

/** @throws {Fault} `not_found` when the file is gone. */
export async function openFileBytes(path: string): Promise<Bytes> {
  const { size: sizeBytes, mtimeMs } = await factsOf(path)
  const closing = new AbortController()
  return {
    sizeBytes,
    isSeekable: true,
    state: `${sizeBytes} ${mtimeMs}`,
    read: (fromByte, isTransient = false) =>
      isTransient
        ? readInPlace(path, fromByte, closing.signal)
        : createReadStream(path, { start: fromByte, signal: closing.signal, highWaterMark: CHUNK_BYTES }),
    close: () => {
      closing.abort()
    },
  }
}

async function* readInPlace(path: string, fromByte: number, signal: AbortSignal): AsyncGenerator<Buffer, void> {
  await using file = await open(path)
  const memory = Buffer.allocUnsafeSlow(CHUNK_BYTES)
  for (let at = fromByte; ;) {
    const { bytesRead } = await file.read(memory, 0, CHUNK_BYTES, at)
    signal.throwIfAborted()
    if (bytesRead === 0) return
    at += bytesRead
    yield memory.subarray(0, bytesRead)
  }
}

async function factsOf(path: string): Promise<Stats> {
  try {
    await using file = await open(path)
    const facts = await file.stat()
    if (facts.isFile()) return facts
  } catch (cause) {
    throw gone(cause)
  }
  throw gone(null)
}

function gone(cause: unknown): Fault {
  return new Fault('not_found', 'The file of this track is missing or unreadable.', { cause })
}

/** Up to that many bytes from there; fewer at the end of the source. */
export async function readAt(bytes: Bytes, fromByte: number, lengthBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let got = 0
  for await (const chunk of bytes.read(fromByte)) {
    chunks.push(chunk)
    got += chunk.length
    if (got >= lengthBytes) break
  }
  return Buffer.concat(chunks).subarray(0, lengthBytes)
}
