import { mkdir, realpath } from 'node:fs/promises'
import { basename, dirname, join, sep } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FileState, LibraryRecords, LibraryTrack, NewLibraryTrack } from '../../../db/music/library.ts'
import { unplayable } from '../../../lib/errors.ts'
import type { Logger } from '../../../lib/log.ts'
import type { CoverUrlOf } from '../../covers/cover-addresses.ts'
import type { TrackInfo } from '../../tracks/track.ts'
import type { AudioFacts } from './audio-tags.ts'
import type { Reader } from './reader.ts'
import type { Source } from '../source.ts'
import { listShelves, resolveShelf } from './shelves.ts'
import { normalizeTitle, titleOfFile } from '../http/text.ts'

export interface LibraryOptions {
  /** At least one. Where several hold a file of the same path, that of the first one counts. */
  readonly folders: readonly string[]
  readonly records: LibraryRecords
  readonly reader: Reader
  readonly coverUrlOf: CoverUrlOf
  readonly log: Logger
}

export interface Library extends Source {
  /** Resolves when the index is what the folder holds, as far as it could be read. Safe to call at any time. */
  refresh(): Promise<void>
}

/** More files than this are left out: searching them would hold up the service. */
const FILES_MAX = 50_000
/** One transaction: about a millisecond. */
const PUT_BATCH = 10
const REMOVE_BATCH = 100
const UNREADABLE_MAX = 10_000
/** Of a file whose tags name no artist. */
export const UNKNOWN_AUTHOR = 'Unknown artist'

/** Folders of audio files on this machine, found by title, artist, album and file name. */
export function createLibrary(options: LibraryOptions): Library {
  const { folders, records, reader, coverUrlOf, log } = options
  const toInfo = (track: LibraryTrack) => toTrackInfo(track, coverUrlOf)
  const stopping = new AbortController()
  /** Files that hold no sound, so that they are not read again and again. */
  const unreadable = new Map<string, string>()
  let current: Promise<void> | null = null
  let isStale = false

  async function refreshAll(): Promise<void> {
    for (const folder of folders) await mkdir(folder, { recursive: true })
    do {
      isStale = false
      await refreshOnce(options, unreadable, stopping.signal)
    } while (isStale && !stopping.signal.aborted)
  }

  function refresh(): Promise<void> {
    isStale = current !== null
    current ??= refreshAll()
      .catch((err: unknown) => {
        if (!stopping.signal.aborted) log.warn({ folders, err }, 'library not read')
      })
      .finally(() => {
        current = null
      })
    return current
  }

  reader.onChanged(() => void refresh())

  return {
    name: 'library',
    sourceName: 'local',
    refresh,
    claims: ({ protocol }) => protocol === 'library:',
    resolve: async (url) => resolveShelf(records, url, toInfo),
    lists: async (request) => listShelves(records, request, coverUrlOf),
    search: async (text, limit) => records.search(text, limit).map(toInfo),
    related: async (track, limit) => otherTracks(records, track, limit).map(toInfo),
    open: async ({ identifier }) => {
      const file = await findFile(options, identifier)
      if (!file) throw unplayable('This track is not in the library any more.', 'nothing_found')
      return { kind: 'file', ...file }
    },
    chapters: async ({ identifier }, signal) => {
      const file = await findFile(options, identifier)
      return file ? reader.run('chapters', { path: file.path }, signal) : []
    },
    cover: (cover, signal) => readCover(options, cover, signal),
    close: () => stopping.abort(),
  }
}

/** Of the same artist. */
function otherTracks(
  records: LibraryRecords,
  { author, identifier }: TrackInfo,
  limit: number,
): readonly LibraryTrack[] {
  if (author === UNKNOWN_AUTHOR) return []
  const found = records.search(author, limit + 1)
  return found.filter((other) => other.id !== identifier && other.author === author).slice(0, limit)
}

/** The picture in the file, and where that has none (any more) the one beside it. */
async function readCover(
  { folders, records, reader }: LibraryOptions,
  cover: string,
  signal: AbortSignal,
): Promise<Buffer | null> {
  const place = records.coverPlace(cover)
  if (!place) return null
  const beside = place.coverFile === null ? null : join(dirname(place.path), place.coverFile)
  const files = [
    ...(place.hasPicture ? [{ path: place.path, isPicture: false }] : []),
    ...(beside === null ? [] : [{ path: beside, isPicture: true }]),
  ]
  for (const { path, isPicture } of files) {
    const real = await pathInside(folders, path)
    const bytes = real && (await reader.run('readPicture', { path: real, isPicture }, signal))
    if (bytes) return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  }
  return null
}

/** Walks through the folders, reads what is new, and forgets what is gone. */
async function refreshOnce(
  options: LibraryOptions,
  unreadable: Map<string, string>,
  signal: AbortSignal,
): Promise<void> {
  const { folders, records, log } = options
  const startedAtMs = performance.now()
  const seen = new Set<string>()
  let read = 0
  for (const folder of folders) read += await readFolder(folder, { options, unreadable, seen, signal })
  const removed = await forgetOthers(records, seen, signal)
  if (seen.size >= FILES_MAX) log.warn({ folders, most: FILES_MAX }, 'library too large, the rest was left out')
  const tookMs = Math.round(performance.now() - startedAtMs)
  if (read > 0 || removed > 0) log.info({ tracks: records.count(), read, removed, tookMs }, 'library read')
}

interface Refresh {
  readonly options: LibraryOptions
  readonly unreadable: Map<string, string>
  /** Paths whose tracks are in the index; those of this folder are added. */
  readonly seen: Set<string>
  readonly signal: AbortSignal
}

/** @returns how many tracks were read. */
async function readFolder(folder: string, { options, unreadable, seen, signal }: Refresh): Promise<number> {
  const { records, reader } = options
  const walkId = Math.floor(Math.random() * Number.MAX_SAFE_INTEGER)
  let fresh: NewLibraryTrack[] = []
  let read = 0
  for (;;) {
    const files = await reader.run('walk', { walkId, folder }, signal)
    if (!files) break
    for (const file of files) {
      if (seen.has(file.path)) continue
      const isNews = !records.isKnown(file)
      const track =
        isNews && seen.size < FILES_MAX ? await readNew(file, folder, { options, unreadable, signal }) : null
      if (track) fresh.push(track)
      if (track || !isNews) seen.add(file.path)
      if (fresh.length < PUT_BATCH) continue
      read += fresh.length
      records.put(fresh)
      fresh = []
    }
  }
  records.put(fresh)
  return read + fresh.length
}

/** The track in a file that is not in the index; null when it holds no sound, which is remembered while it stays as it is. */
async function readNew(
  file: FileState,
  folder: string,
  { options: { reader, log }, unreadable, signal }: Omit<Refresh, 'seen'>,
): Promise<NewLibraryTrack | null> {
  const state = `${file.sizeBytes} ${file.modifiedAtMs}`
  if (unreadable.get(file.path) === state) return null
  // A file that vanished meanwhile, or that the parser choked on, holds nothing either.
  const input = { path: join(folder, file.path), modifiedAtMs: file.modifiedAtMs }
  const facts = await reader.run('readFile', input, signal).catch(() => null)
  signal.throwIfAborted()
  if (facts) return toRecord(file, facts)
  log.warn({ path: file.path }, 'library file has no readable audio')
  if (unreadable.size >= UNREADABLE_MAX) unreadable.clear()
  unreadable.set(file.path, state)
  return null
}

async function forgetOthers(records: LibraryRecords, seen: ReadonlySet<string>, signal: AbortSignal): Promise<number> {
  let removed = 0
  let last = ''
  for (;;) {
    const paths = records.pathsAfter(last, REMOVE_BATCH)
    last = paths.at(-1) ?? ''
    if (last === '') return removed
    const gone = paths.filter((path) => !seen.has(path))
    if (gone.length > 0) records.remove(gone)
    removed += gone.length
    // Requests come before tidying up.
    await sleep(0, undefined, { signal })
  }
}

async function findFile({ records, folders }: LibraryOptions, identifier: string) {
  const track = records.find(identifier)
  const path = track && (await pathInside(folders, track.path))
  return track && path ? { path, codec: track.codec, ...albumPlaceOf(track) } : null
}

/** An album is known by its name and whose it is; tracks of several artists without an artist of the album are none. */
function albumPlaceOf({ album, albumArtist, author, discNumber, trackNumber }: LibraryTrack) {
  if (album === null || trackNumber === null) return {}
  const name = JSON.stringify([album, albumArtist ?? author])
  return { album: { album: name, disc: discNumber ?? 1, track: trackNumber } }
}

/** The real path of an indexed file; null when it is gone or has become a link to somewhere else. */
async function pathInside(folders: readonly string[], path: string): Promise<string | null> {
  for (const folder of folders) {
    const [root, file] = await Promise.all([realpath(folder), realpath(join(folder, path))]).catch(() => [])
    if (root !== undefined && file?.startsWith(root + sep)) return file
  }
  return null
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

/** As the source `library` finds it. */
export function toTrackInfo(track: LibraryTrack, coverUrlOf: CoverUrlOf): TrackInfo {
  const { id, title, author, lengthMs, isrc, probe, cover } = track
  const artworkUrl = cover === null ? null : coverUrlOf('library', cover)
  const where = { uri: null, artworkUrl, isStream: false, sourceName: 'local' }
  return { title, author, lengthMs, identifier: id, isrc, probe, ...where }
}
