import { open, rm, type FileHandle } from 'node:fs/promises'
import { abortable } from '../../../lib/deadline.ts'
import type { TrackBytes } from '../input/bytes.ts'

export interface WholeFile {
  readonly path: string
  free(): Promise<void>
}

interface DownloadsOptions {
  /** A name for another file. */
  readonly newPath: () => string
  readonly maxBytes: number
}

/** Tracks on their way from their hosts: fetched once, at full speed, to play them and to make them ready for later. */
export class Downloads {
  readonly #options: DownloadsOptions
  readonly #downloads = new Map<string, TrackDownload>()

  constructor(options: DownloadsOptions) {
    this.#options = options
  }

  /** The bytes through a file on disk, or unchanged if they do not fit. Owns them. */
  share(key: string, bytes: TrackBytes): TrackBytes {
    const download = this.#find(key, bytes)
    if (!download) return bytes
    const release = this.#use(key, download)
    return download.view(() => void release())
  }

  /** The whole download as a file until it is freed; null if it does not fit. @throws the error of the download. */
  async whole(key: string, open: () => Promise<TrackBytes>, signal: AbortSignal): Promise<WholeFile | null> {
    const there = this.#downloads.get(key)
    const bytes = there ? null : await open()
    const download = bytes ? this.#find(key, bytes) : there
    if (!download) {
      bytes?.close()
      return null
    }
    const release = this.#use(key, download)
    try {
      await abortable(download.whole, signal)
    } catch (error) {
      await release()
      throw error
    }
    return {
      path: download.path,
      free: () => {
        download.isUsedUp = true
        return release()
      },
    }
  }

  async close(): Promise<void> {
    await Promise.all(Array.from(this.#downloads, ([key, download]) => this.#drop(key, download)))
  }

  /** The existing download, or a new one of these bytes; null if they do not fit. */
  #find(key: string, bytes: TrackBytes): TrackDownload | null {
    const there = this.#downloads.get(key)
    if (there) {
      bytes.close()
      return there
    }
    const { sizeBytes } = bytes
    if (sizeBytes === null || !this.#hasRoom(sizeBytes)) return null
    const download = new TrackDownload({ path: this.#options.newPath(), bytes, sizeBytes })
    this.#downloads.set(key, download)
    // Current readers get the error; the next request starts a new download.
    download.whole.catch(() => {
      this.#forget(key, download)
      if (download.users === 0) void download.remove()
    })
    return download
  }

  /** @returns how to say that it is not used any more. */
  #use(key: string, download: TrackDownload): () => Promise<void> {
    download.users++
    let isUsing = true
    return async () => {
      if (!isUsing) return
      isUsing = false
      download.users--
      if (download.users > 0) return
      const isForgotten = this.#downloads.get(key) !== download
      if (download.isUsedUp || isForgotten) await this.#drop(key, download)
    }
  }

  /** Evicts downloads without readers. */
  #hasRoom(bytes: number): boolean {
    let free = this.#options.maxBytes
    for (const { sizeBytes } of this.#downloads.values()) free -= sizeBytes
    for (const [key, download] of this.#downloads) {
      if (free >= bytes) break
      if (download.users > 0) continue
      free += download.sizeBytes
      void this.#drop(key, download)
    }
    return free >= bytes
  }

  async #drop(key: string, download: TrackDownload): Promise<void> {
    this.#forget(key, download)
    await download.remove()
  }

  #forget(key: string, download: TrackDownload): void {
    if (this.#downloads.get(key) === download) this.#downloads.delete(key)
  }
}

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
