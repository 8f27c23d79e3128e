import { open } from 'node:fs/promises'
import { AbstractTokenizer, EndOfStreamError, type IFileInfo, type IReadChunkOptions } from 'strtok3'

/** Something to read at any place, whose reading costs: a file, or a file on a web server. */
export interface Bytes {
  /** Null if unknown: a stream without end, or a server that does not say. */
  readonly size: number | null
  /** Whether more than the beginning can be read. */
  readonly isSeekable: boolean
  /** At most `length` bytes; fewer at the end of what can be read. */
  read(at: number, length: number): Promise<Buffer>
  close(): Promise<void>
}

/** A regular file. @throws when it cannot be opened. */
export async function fileBytes(path: string): Promise<Bytes> {
  const file = await open(path, 'r')
  const { size } = await file.stat()
  return {
    size,
    isSeekable: true,
    read: async (at, length) => {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(Math.max(0, Math.min(length, size - at))), {
        position: at,
      })
      return buffer.subarray(0, bytesRead)
    },
    close: () => file.close(),
  }
}

export function memoryBytes(bytes: Buffer): Bytes {
  return {
    size: bytes.length,
    isSeekable: true,
    read: async (at, length) => bytes.subarray(at, at + length),
    close: async () => {},
  }
}

/** Lets music-metadata read `Bytes`. The caller closes them. */
export class BytesTokenizer extends AbstractTokenizer {
  readonly fileInfo: IFileInfo
  readonly #bytes: Bytes

  constructor(bytes: Bytes, mimeType: string) {
    super()
    this.#bytes = bytes
    this.fileInfo = { mimeType, ...(bytes.size === null ? {} : { size: bytes.size }) }
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
