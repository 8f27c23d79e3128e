import { createHash, randomBytes } from 'node:crypto'
import { mkdir, open, readdir, readFile, rename, rm, stat, utimes, type FileHandle } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { TrackBytes } from '../input/bytes.ts'
import { readPage } from '../containers/ogg.ts'
import type { Loudness } from './loudness.ts'
import { Downloads } from './downloads.ts'

/**
 * Tracks that were encoded once, as plain Ogg Opus files in one folder, and how loud each track is. The folder itself is
 * the index, so that threads and services may share it: a file gets its name when it is whole, the least recently used
 * ones go when there are too many, and what a killed process left half-written is swept away.
 */
export type TrackStore = Awaited<ReturnType<typeof openTrackStore>>

export interface TrackStoreOptions {
  readonly folder: string
  readonly maxBytes: number
}

/** No track takes more than this part of it. */
const LARGEST_SHARE = 8
/** After so long without a write the writer is gone, even if another process has its pid now. */
const ABANDONED_MS = 10 * 60_000
/** The last page of what our encoder writes is within this. */
const TAIL_BYTES = 16 * 1024
const LAST_PAGE = 4
/** Four seconds of sound: few reads, and little memory for each player. */
const CHUNK_BYTES = 64 * 1024
const NAME = /^[0-9a-f]{40}\.(?:-?\d+\.\d\.opus|json)$/
const UNFINISHED = /^\.(\d+)-[0-9a-f]+\.part$/

/** The name of a track in the store. @param identity names the source and the track, `state` changes with its content. */
export function keyOf(identity: string, state: string): string {
  return createHash('sha256')
    .update(JSON.stringify([1, identity, state]))
    .digest('hex')
    .slice(0, 40)
}

export async function openTrackStore({ folder, maxBytes }: TrackStoreOptions) {
  await mkdir(folder, { recursive: true })
  const seen = { bytes: 0, entries: 0 }
  const audioPath = (key: string, gainDb: number) => join(folder, `${key}.${gainDb.toFixed(1)}.opus`)
  const factsPath = (key: string) => join(folder, `${key}.json`)
  const evict = () => evictOldest(folder, maxBytes, seen)

  return {
    /** Size at the last scan of the folder. */
    get bytes(): number {
      return seen.bytes
    },
    get entries(): number {
      return seen.entries
    },
    /** Evicts down to the limit and deletes left-over files. Each `put` runs it; call it once at the start. */
    evict,
    /** Tracks that are being fetched. Together they may take as much as the largest file. */
    downloads: new Downloads({ newPath: () => partIn(folder), maxBytes: maxBytes / LARGEST_SHARE }),
    /** The track encoded with this gain; null if it is absent or damaged. */
    open: async (key: string, gainDb: number): Promise<TrackBytes | null> => {
      const path = audioPath(key, gainDb)
      const opened = await openWhole(path)
      if (opened === 'damaged') await rm(path, { force: true })
      return opened === 'damaged' ? null : opened
    },
    has: (key: string, gainDb: number): Promise<boolean> => exists(audioPath(key, gainDb)),
    /** @throws when it breaks off or is too large; then nothing is kept. */
    put: async (key: string, gainDb: number, encoded: AsyncIterable<Buffer>) => {
      await write(audioPath(key, gainDb), encoded, maxBytes / LARGEST_SHARE)
      await evict()
    },
    /** Drops an entry that turned out to be damaged. */
    drop: (key: string, gainDb: number) => rm(audioPath(key, gainDb), { force: true }),
    loudnessOf: (key: string): Promise<Loudness | null> => readFacts(factsPath(key)),
    putLoudness: async (key: string, loudness: Loudness) => {
      await write(factsPath(key), just(Buffer.from(JSON.stringify(loudness))), Infinity)
      await evict()
    },
    /** A file for bytes that are needed for a moment; `free` removes it. @throws when they are too many. */
    writeTemporary: async (bytes: AsyncIterable<Buffer>): Promise<{ readonly path: string; free(): Promise<void> }> => {
      const path = partIn(folder)
      const free = () => rm(path, { force: true })
      try {
        await writeAll(path, bytes, maxBytes / LARGEST_SHARE)
        return { path, free }
      } catch (error) {
        await free()
        throw error
      }
    },
  }
}

async function write(path: string, content: AsyncIterable<Buffer>, most: number): Promise<void> {
  const part = partIn(dirname(path))
  try {
    await writeAll(part, content, most)
    await rename(part, path)
  } catch (error) {
    await rm(part, { force: true })
    throw error
  }
}

function partIn(folder: string): string {
  return join(folder, `.${process.pid}-${randomBytes(8).toString('hex')}.part`)
}

async function* just(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes
}

/** On the disk, not only on its way there: otherwise a power cut could leave a whole name for half a file. */
async function writeAll(path: string, content: AsyncIterable<Buffer>, most: number): Promise<void> {
  await using file = await open(path, 'wx', 0o600)
  let written = 0
  for await (const chunk of content) {
    written += chunk.length
    if (written > most) throw new Error('The file is too large for the cache.')
    await file.write(chunk)
  }
  await file.sync()
}

/** Null when there is none. One file handle serves all reads, so that removing the file does not disturb them. */
async function openWhole(path: string): Promise<TrackBytes | 'damaged' | null> {
  const file = await open(path).catch(() => null)
  if (!file) return null
  let size: number
  try {
    ;({ size } = await file.stat())
    if (!(await isWhole(file, size))) {
      await file.close()
      return 'damaged'
    }
  } catch (error) {
    await file.close()
    throw error
  }
  await touch(path)
  let isClosed = false
  return {
    sizeBytes: size,
    isSeekable: true,
    state: null,
    read: (fromByte) => readFrom(file, fromByte, () => isClosed),
    close: () => {
      if (isClosed) return
      isClosed = true
      file.close().catch(() => undefined)
    },
  }
}

async function* readFrom(file: FileHandle, fromByte: number, isClosed: () => boolean): AsyncGenerator<Buffer> {
  let at = fromByte
  while (!isClosed()) {
    const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(CHUNK_BYTES), 0, CHUNK_BYTES, at)
    if (bytesRead === 0) return
    at += bytesRead
    yield buffer.subarray(0, bytesRead)
  }
}

/** Marks it as used: eviction goes by modification time. */
async function touch(path: string): Promise<void> {
  const now = new Date()
  await utimes(path, now, now).catch(() => undefined)
}

/** Ends with the page that says so, to the byte. */
async function isWhole(file: FileHandle, size: number): Promise<boolean> {
  const length = Math.min(TAIL_BYTES, size)
  const { buffer: tail } = await file.read(Buffer.alloc(length), 0, length, size - length)
  for (let at = tail.lastIndexOf('OggS'); at >= 0; at = at === 0 ? -1 : tail.lastIndexOf('OggS', at - 1)) {
    const page = readPage(tail, at)
    if (page && page !== 'more') return at + page.bytes === length && (page.flags & LAST_PAGE) !== 0
  }
  return false
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}

async function readFacts(path: string): Promise<Loudness | null> {
  try {
    const text = await readFile(path, 'utf8')
    await touch(path)
    const { lufs, peakDb, isTruePeak = true } = JSON.parse(text) as Partial<Loudness>
    return typeof lufs === 'number' && typeof peakDb === 'number' ? { lufs, peakDb, isTruePeak } : null
  } catch {
    return null
  }
}

async function evictOldest(folder: string, maxBytes: number, seen: { bytes: number; entries: number }): Promise<void> {
  const names = await readdir(folder)
  const entries: { readonly path: string; readonly bytes: number; readonly usedAtMs: number }[] = []
  for (const name of names) {
    const path = join(folder, name)
    const facts = await stat(path).catch(() => null)
    if (!facts) continue
    const writer = UNFINISHED.exec(name)?.[1]
    if (writer !== undefined && isAbandoned(Number(writer), facts.mtimeMs)) await rm(path, { force: true })
    if (NAME.test(name)) entries.push({ path, bytes: onDisk(facts.size), usedAtMs: facts.mtimeMs })
  }
  let bytes = entries.reduce((sum, entry) => sum + entry.bytes, 0)
  let count = entries.length
  for (const entry of entries.toSorted((a, b) => a.usedAtMs - b.usedAtMs)) {
    if (bytes <= maxBytes) break
    await rm(entry.path, { force: true })
    bytes -= entry.bytes
    count--
  }
  Object.assign(seen, { bytes, entries: count })
}

/** Small files take a block of the disk each. */
function onDisk(bytes: number): number {
  return Math.ceil(bytes / 4096) * 4096
}

function isAbandoned(pid: number, modifiedAtMs: number): boolean {
  if (Date.now() - modifiedAtMs > ABANDONED_MS) return true
  try {
    process.kill(pid, 0)
    return false
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH'
  }
}
