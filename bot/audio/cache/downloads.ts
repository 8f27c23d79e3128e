import { abortable } from '../../../lib/abortable.ts'
import type { Bytes } from '../input/track-bytes.ts'
import { Download } from './download.ts'

/** Tracks on their way from their hosts: fetched once, at full speed, to play them and to make them ready for later. */
export interface Downloads {
  /** The same bytes by way of the disk, or as they are where they do not fit. Owns them. */
  share(key: string, bytes: Bytes): Bytes
  /** A whole file of them until it is freed; null where they do not fit. @throws what keeps the bytes from coming. */
  whole(key: string, open: () => Promise<Bytes>, signal: AbortSignal): Promise<WholeFile | null>
  close(): Promise<void>
}

export interface WholeFile {
  readonly path: string
  free(): Promise<void>
}

export interface DownloadsOptions {
  /** A name for another file. */
  readonly newPath: () => string
  /** Of all of them together. */
  readonly maxBytes: number
}

export function createDownloads(options: DownloadsOptions): Downloads {
  const shelf = new Shelf(options)
  return {
    share: (key, bytes) => {
      const spool = shelf.find(key, bytes)
      if (!spool) return bytes
      const release = shelf.use(key, spool)
      return spool.view(() => void release())
    },
    whole: async (key, open, signal) => {
      const there = shelf.get(key)
      const bytes = there ? null : await open()
      const spool = bytes ? shelf.find(key, bytes) : there
      if (!spool) {
        bytes?.close()
        return null
      }
      const release = shelf.use(key, spool)
      try {
        await abortable(spool.whole, signal)
      } catch (error) {
        await release()
        throw error
      }
      return {
        path: spool.path,
        free: () => {
          spool.isUsedUp = true
          return release()
        },
      }
    },
    close: () => shelf.clear(),
  }
}

class Shelf {
  readonly #options: DownloadsOptions
  readonly #spools = new Map<string, Download>()

  constructor(options: DownloadsOptions) {
    this.#options = options
  }

  get(key: string): Download | undefined {
    return this.#spools.get(key)
  }

  /** The one that is there, or one with these bytes; null where they do not fit. */
  find(key: string, bytes: Bytes): Download | null {
    const there = this.#spools.get(key)
    if (there) {
      bytes.close()
      return there
    }
    const { sizeBytes } = bytes
    if (sizeBytes === null || !this.#hasRoom(sizeBytes)) return null
    const spool = new Download({ path: this.#options.newPath(), bytes, sizeBytes })
    this.#spools.set(key, spool)
    // Who reads it hears why; who asks next begins anew.
    spool.whole.catch(() => {
      this.#forget(key, spool)
      if (spool.users === 0) void spool.remove()
    })
    return spool
  }

  /** @returns how to say that it is not used any more. */
  use(key: string, spool: Download): () => Promise<void> {
    spool.users++
    let isUsing = true
    return async () => {
      if (!isUsing) return
      isUsing = false
      spool.users--
      if (spool.users > 0) return
      const isForgotten = this.#spools.get(key) !== spool
      if (spool.isUsedUp || isForgotten) await this.#drop(key, spool)
    }
  }

  async clear(): Promise<void> {
    await Promise.all(Array.from(this.#spools, ([key, spool]) => this.#drop(key, spool)))
  }

  /** Those that nobody reads give way. */
  #hasRoom(bytes: number): boolean {
    let free = this.#options.maxBytes
    for (const { sizeBytes } of this.#spools.values()) free -= sizeBytes
    for (const [key, spool] of this.#spools) {
      if (free >= bytes) break
      if (spool.users > 0) continue
      free += spool.sizeBytes
      void this.#drop(key, spool)
    }
    return free >= bytes
  }

  async #drop(key: string, spool: Download): Promise<void> {
    this.#forget(key, spool)
    await spool.remove()
  }

  #forget(key: string, spool: Download): void {
    if (this.#spools.get(key) === spool) this.#spools.delete(key)
  }
}
