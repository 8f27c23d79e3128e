import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FileState, LibraryRecords, NewLibraryTrack } from '../../../db/music/library.ts'
import type { Logger } from '../../../lib/log.ts'
import { normalizeTitle, titleOfFile } from '../http/text.ts'
import type { AudioFacts } from './audio-tags.ts'
import type { Reader } from './reader.ts'

/** More files than this are left out: searching them would hold up the service. */
export const FILES_MAX = 50_000
/** One transaction: about a millisecond. */
const PUT_BATCH = 10
const REMOVE_BATCH = 100
const UNREADABLE_MAX = 10_000
/** Artist of files whose tags name none. */
export const UNKNOWN_AUTHOR = 'Unknown artist'

interface LibraryScan {
  readonly folders: readonly string[]
  readonly records: LibraryRecords
  readonly reader: Reader
  readonly log: Logger
  /** Files without audio, with the state in which they were read; the next scan skips them while they stay as they are. */
  readonly unreadable: Map<string, string>
  readonly signal: AbortSignal
  /** Whether tracks whose file is in none of the folders leave the index. */
  readonly removesMissing: boolean
  /** Called with the number of audio files checked so far. */
  readonly onFile?: (files: number) => void
}

/** Walks through the folders, and reads new and changed files into the index. */
export async function scanFolders(scan: LibraryScan) {
  const seen = new Set<string>()
  let [read, leftOut] = [0, 0]
  const onLeftOut = () => void leftOut++
  for (const folder of scan.folders) read += await readFolder(folder, { ...scan, onLeftOut }, seen)
  const removed = scan.removesMissing ? await removeMissing(scan.records, seen, scan.signal) : 0
  return {
    /** Audio files in the index after the scan. */
    files: seen.size,
    read,
    removed,
    /** Found now to hold no sound that can be read. */
    leftOut,
  }
}

/** Counts the audio files of the folders without reading them, to know how far a scan has to go. */
export async function countFiles({ folders, reader, signal }: Pick<LibraryScan, 'folders' | 'reader' | 'signal'>) {
  let count = 0
  for (const folder of folders) for await (const files of walkFolder(folder, reader, signal)) count += files.length
  return count
}

async function* walkFolder(folder: string, reader: Reader, signal: AbortSignal) {
  const walkId = Math.floor(Math.random() * Number.MAX_SAFE_INTEGER)
  for (;;) {
    const step = await reader.run('walk', { walkId, folder }, signal)
    if (!step) return
    reader.watch(step.folders)
    yield step.files
  }
}

interface Reading extends LibraryScan {
  readonly onLeftOut: () => void
}

/** @returns how many tracks were read. */
async function readFolder(folder: string, scan: Reading, seen: Set<string>): Promise<number> {
  const { records, reader, signal, onFile } = scan
  let read = 0
  let files = seen.size
  for await (const batch of walkFolder(folder, reader, signal)) {
    const fresh: FileState[] = []
    for (const file of batch) {
      onFile?.(++files)
      if (seen.has(file.path)) continue
      if (await records.isKnown(file)) seen.add(file.path)
      else if (seen.size + fresh.length < FILES_MAX) fresh.push(file)
    }
    for (let from = 0; from < fresh.length; from += PUT_BATCH) {
      const some = fresh.slice(from, from + PUT_BATCH)
      // While one waits for the disk, another one is parsed.
      const tracks = await Promise.all(some.map((file) => readNew(file, folder, scan)))
      const readable = tracks.filter((track) => track !== null)
      await records.put(readable)
      for (const { path } of readable) seen.add(path)
      read += readable.length
    }
  }
  return read
}

/** The track in a file that is not in the index; null when it holds no sound, which is remembered while it stays as it is. */
async function readNew(file: FileState, folder: string, { reader, log, unreadable, signal, onLeftOut }: Reading) {
  const state = `${file.sizeBytes} ${file.modifiedAtMs}`
  if (unreadable.get(file.path) === state) return null
  // A file that vanished meanwhile, or that the parser choked on, holds nothing either.
  const input = { path: join(folder, file.path), modifiedAtMs: file.modifiedAtMs }
  const facts = await reader.run('readFile', input, signal).catch(() => null)
  signal.throwIfAborted()
  if (facts) return toRecord(file, facts)
  onLeftOut()
  log.warn({ path: file.path }, 'library file has no readable audio')
  if (unreadable.size >= UNREADABLE_MAX) unreadable.clear()
  unreadable.set(file.path, state)
  return null
}

async function removeMissing(records: LibraryRecords, seen: ReadonlySet<string>, signal: AbortSignal): Promise<number> {
  let removed = 0
  let last = ''
  for (;;) {
    const paths = await records.pathsAfter(last, REMOVE_BATCH)
    last = paths.at(-1) ?? ''
    if (last === '') return removed
    const gone = paths.filter((path) => !seen.has(path))
    if (gone.length > 0) await records.remove(gone)
    removed += gone.length
    // Requests come before tidying up.
    await sleep(0, undefined, { signal })
  }
}

function toRecord(file: FileState, facts: AudioFacts): NewLibraryTrack {
  const name = titleOfFile(basename(file.path))
  return {
    ...file,
    title: normalizeTitle(facts.title) ?? name ?? file.path,
    author: normalizeTitle(facts.artist) ?? UNKNOWN_AUTHOR,
    album: normalizeTitle(facts.album),
    albumArtist: normalizeTitle(facts.albumArtist),
    discNumber: facts.discNumber,
    trackNumber: facts.trackNumber,
    hasPicture: facts.hasPicture,
    genre: normalizeTitle(facts.genre),
    lengthMs: facts.lengthMs,
    isrc: normalizeTitle(facts.isrc),
    probe: facts.probe,
    codec: facts.codec,
  }
}
