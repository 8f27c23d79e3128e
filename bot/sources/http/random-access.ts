import { open } from 'node:fs/promises'
import { releaseBuffer } from '../../../lib/buffers.ts'
import { AbstractTokenizer, EndOfStreamError, type IFileInfo, type IReadChunkOptions } from 'strtok3'

/** Something to read at any place, whose reading costs: a file, or a file on a web server. */
export interface RandomAccessBytes {
  /** Null if unknown: a stream without end, or a server that does not say. */
  readonly size: number | null
  /** Whether more than the beginning can be read. */
  readonly isSeekable: boolean
  /** At most `length` bytes; fewer at the end of what can be read. */
  read(at: number, length: number): Promise<Buffer>
  close(): Promise<void>
}

/** Bytes of a file per read: parsers ask for a few at a time, and an MP3 without an index for each of its frames. */
const WINDOW_BYTES = 65_536

/** A regular file. @throws when it cannot be opened. */
export async function fileBytes(path: string): Promise<RandomAccessBytes> {
  const file = await open(path, 'r')
  const { size } = await file.stat().catch(async (error: unknown) => {
    await file.close()
    throw error
  })
  let window: { readonly at: number; readonly bytes: Buffer } | null = null

  async function readAt(at: number, length: number): Promise<Buffer> {
    const wanted = Buffer.allocUnsafeSlow(Math.max(0, Math.min(length, size - at)))
    const { bytesRead } = await file.read(wanted, { position: at })
    return wanted.subarray(0, bytesRead)
  }

  async function windowAt(at: number, length: number): Promise<NonNullable<typeof window>> {
    if (window && at >= window.at && at + length <= window.at + window.bytes.length) return window
    const read = { at, bytes: await readAt(at, WINDOW_BYTES) }
    if (window) releaseBuffer(window.bytes)
    window = read
    return read
  }

  return {
    size,
    isSeekable: true,
    async read(at, length) {
      if (length >= WINDOW_BYTES) return readAt(at, length)
      const { at: from, bytes } = await windowAt(at, Math.min(length, size - at))
      // A copy, since the window is given back.
      return Buffer.from(bytes.subarray(at - from, at - from + length))
    },
    async close() {
      if (window) releaseBuffer(window.bytes)
      window = null
      await file.close()
    },
  }
}

export function memoryBytes(bytes: Buffer): RandomAccessBytes {
  return {
    size: bytes.length,
    isSeekable: true,
    read: async (at, length) => bytes.subarray(at, at + length),
    close: async () => {},
  }
}

/** The beginning of something longer, of which no more can be read. */
export function headBytes(head: Buffer): RandomAccessBytes {
  return {
    size: null,
    isSeekable: false,
    read: async (at, length) => head.subarray(at, at + length),
    close: async () => {},
  }
}

/** Lets music-metadata read `RandomAccessBytes`. The caller closes them. */
export class BytesTokenizer extends AbstractTokenizer {
  readonly fileInfo: IFileInfo
  readonly #bytes: RandomAccessBytes

  constructor(bytes: RandomAccessBytes, mimeType: string) {
    super()
    this.#bytes = bytes
    // Parsers that know where the end is look there for more.
    const hasEnd = bytes.isSeekable && bytes.size !== null
    this.fileInfo = { mimeType, ...(hasEnd && { size: bytes.size }) }
  }

  supportsRandomAccess(): boolean {
    return this.#bytes.isSeekable && this.#bytes.size !== null
  }

  setPosition(position: number): void {
    this.position = position
  }

  async readBuffer(target: Uint8Array, options?: IReadChunkOptions): Promise<number> {
    const count = await this.peekBuffer(target, options)
    this.position = (options?.position ?? this.position) + count
    return count
  }

  async peekBuffer(target: Uint8Array, options?: IReadChunkOptions): Promise<number> {
    const { length, position, mayBeLess } = this.normalizeOptions(target, options)
    const bytes = await this.#bytes.read(position, length)
    target.set(bytes)
    if (bytes.length < length && !mayBeLess) throw new EndOfStreamError()
    return bytes.length
  }
}
