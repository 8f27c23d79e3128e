import { open, rm, type FileHandle } from 'node:fs/promises'
import type { TrackBytes } from '../input/bytes.ts'

/** Reads further ahead than this (an index at the end, a seek) go to the host directly. */
const AHEAD_BYTES = 256 * 1024
const CHUNK_BYTES = 64 * 1024

interface SpoolOptions {
  readonly path: string
  readonly bytes: TrackBytes
  readonly sizeBytes: number
}

/** One track on its way from its host to a file. Who reads it gets what is there and waits for the rest. */
export class TrackDownload {
  readonly path: string
  readonly sizeBytes: number
  /** Settles when all of it is on the disk, or cannot be had. */
  readonly whole: Promise<void>
  users = 0
  /** Complete: only its readers still need it. */
  isUsedUp = false
  readonly #bytes: TrackBytes
  readonly #file: Promise<FileHandle>
  #written = 0
  #isEnded = false
  #failure: Error | null = null
  #moved = Promise.withResolvers<void>()

  constructor({ path, bytes, sizeBytes }: SpoolOptions) {
    this.path = path
    this.sizeBytes = sizeBytes
    this.#bytes = bytes
    this.#file = open(path, 'wx+', 0o600)
    this.whole = this.#fetch()
    this.whole.catch(() => undefined)
  }

  view(onClose: () => void): TrackBytes {
    const { sizeBytes, isSeekable, state } = this.#bytes
    let isClosed = false
    return {
      sizeBytes,
      isSeekable,
      state,
      read: (fromByte) => this.#read(fromByte, () => isClosed),
      close: () => {
        if (isClosed) return
        isClosed = true
        this.#move()
        onClose()
      },
    }
  }

  async remove(): Promise<void> {
    this.#bytes.close()
    await this.whole.catch(() => undefined)
    await this.#file.then((file) => file.close()).catch(() => undefined)
    await rm(this.path, { force: true }).catch(() => undefined)
  }

  async #fetch(): Promise<void> {
    try {
      const file = await this.#file
      for await (const chunk of this.#bytes.read(0)) {
        await file.write(chunk, 0, chunk.length, this.#written)
        this.#written += chunk.length
        this.#move()
      }
    } catch (error) {
      this.#failure = error instanceof Error ? error : new Error(String(error))
      throw error
    } finally {
      this.#isEnded = true
      this.#move()
    }
    // Readers have all that its host gives; it is not kept, since the next request may get more.
    if (this.#written < this.sizeBytes) throw new Error('The download was aborted, or its host promised more.')
  }

  #move(): void {
    this.#moved.resolve()
    this.#moved = Promise.withResolvers()
  }

  async *#read(fromByte: number, isClosed: () => boolean): AsyncGenerator<Buffer> {
    const file = await this.#file
    let at = fromByte
    while (!isClosed()) {
      const ready = Math.min(CHUNK_BYTES, this.#written - at)
      if (ready > 0) {
        const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(ready), 0, ready, at)
        at += bytesRead
        yield buffer.subarray(0, bytesRead)
      } else if (this.#isEnded) {
        if (this.#failure) throw this.#failure
        return
      } else if (this.#bytes.isSeekable && -ready > AHEAD_BYTES) {
        yield* until(isClosed, this.#bytes.read(at))
        return
      } else {
        await this.#moved.promise
      }
    }
  }
}

async function* until(isOver: () => boolean, chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    if (isOver()) return
    yield chunk
  }
}
