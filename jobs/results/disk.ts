import { createReadStream } from 'node:fs'
import { mkdir, open, opendir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { StoredPicture } from '../queue/job-record.ts'
import { describePicture, KEPT_PICTURE_MS, type Results, type Swept } from './results.ts'

interface DiskOptions {
  readonly folder: string
  readonly maxBytes: number
  readonly storeId: string
}

interface Kept {
  readonly path: string
  readonly bytes: number
  /** When it was made, or made again. */
  readonly madeAtMs: number
  /** When it was last asked for. */
  readonly usedAtMs: number
}

/** Age at which files are removed that a dead worker left half written. */
const STALE_MS = 60 * 60_000
/** Room is made down to this share of the bound, so that not every sweep finds it exceeded again. */
const SWEEP_TO = 0.9

/** A file for each picture, in 256 folders. Written beside and then renamed: a file that is there is whole. */
export function createDiskResults({ folder, maxBytes, storeId }: DiskOptions): Results {
  const fileOf = ({ sha256 }: StoredPicture) => join(folder, sha256.slice(0, 2), sha256)

  return {
    storeId,
    async put(picture) {
      const stored = describePicture(picture)
      const file = fileOf(stored)
      // The same picture again: it counts as new, and need not be written.
      const isThere = await stat(file).catch(() => null)
      if (isThere?.size === stored.bytes && (await touch(file))) return stored
      await mkdir(dirname(file), { recursive: true, mode: 0o700 })
      const beside = `${file}.${crypto.randomUUID()}.part`
      await writeFile(beside, picture.bytes, { mode: 0o600 })
      await rename(beside, file)
      return stored
    },
    async open(stored, range) {
      const file = fileOf(stored)
      const handle = await open(file).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return null
        throw error
      })
      if (!handle) return null
      try {
        const { mtime } = await handle.stat()
        await handle.utimes(new Date(), mtime)
      } catch (error) {
        await handle.close()
        throw error
      }
      return createReadStream('', { fd: handle, ...range })
    },
    sweep: (nowMs) => sweep(folder, maxBytes, nowMs),
    close: () => Promise.resolve(),
  }
}

/** False: it was swept at this very moment. */
async function touch(file: string): Promise<boolean> {
  const now = new Date()
  return utimes(file, now, now).then(
    () => true,
    () => false,
  )
}

async function sweep(folder: string, maxBytes: number, nowMs: number): Promise<Swept> {
  let removed = 0
  const remove = async (path: string) => {
    await rm(path, { force: true })
    removed++
  }
  const kept: Kept[] = []
  for await (const file of files(folder)) {
    const age = nowMs - file.madeAtMs
    if (age > (file.path.endsWith('.part') ? STALE_MS : KEPT_PICTURE_MS)) await remove(file.path)
    else kept.push(file)
  }
  let keptBytes = kept.reduce((sum, { bytes }) => sum + bytes, 0)
  const bound = keptBytes > maxBytes ? maxBytes * SWEEP_TO : keptBytes
  const byUse = kept.toSorted((a, b) => a.usedAtMs - b.usedAtMs)
  while (keptBytes > bound && byUse.length > 0) {
    const { path, bytes } = byUse.shift() as Kept
    await remove(path)
    keptBytes -= bytes
  }
  return { removed, kept: byUse.length, keptBytes }
}

async function* files(folder: string): AsyncGenerator<Kept> {
  for await (const entry of await opendir(folder, { recursive: true })) {
    if (!entry.isFile() || entry.name.startsWith('.')) continue
    const path = join(entry.parentPath, entry.name)
    const found = await stat(path).catch(() => null)
    if (!found) continue
    const { size, mtimeMs, atimeMs } = found
    yield { path, bytes: size, madeAtMs: mtimeMs, usedAtMs: Math.max(mtimeMs, atimeMs) }
  }
}
