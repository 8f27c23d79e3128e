import { abortable } from '../../../lib/deadline.ts'
import type { TrackBytes } from '../input/bytes.ts'
import { TrackDownload } from './download.ts'

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
