import type { Found, FoundList, ListRequest, Source } from '../source.ts'
import { mkdir, realpath } from 'node:fs/promises'
import { dirname, join, posix, resolve, sep } from 'node:path'
import type { LibraryRecords, LibraryTrack } from '../../../db/music/library.ts'
import { unplayable } from '../../../lib/errors.ts'
import { monotonicNow } from '../../../lib/clock.ts'
import type { Logger } from '../../../lib/log.ts'
import type { CoverUrlOf } from '../../covers/cover-addresses.ts'
import type { TrackInfo } from '../../tracks/track.ts'
import type { Reader } from './reader.ts'
import { decodedPath } from '../http/text.ts'
import { FILES_MAX, scanFolders, UNKNOWN_AUTHOR } from './scan.ts'

export interface LibraryOptions {
  /** At least one. Where several hold a file of the same path, that of the first one counts. */
  readonly folders: readonly string[]
  readonly records: LibraryRecords
  readonly reader: Reader
  readonly coverUrlOf: CoverUrlOf
  readonly log: Logger
  /** Delay of the next scan after a failed one. Defaults to 30 s. */
  readonly retryMs?: number
}

export interface Library extends Source {
  /** Resolves when the index is what the folder holds, as far as it could be read. Safe to call at any time. */
  refresh(): Promise<void>
}

const RETRY_MS = 30_000

/** Folders of audio files on this machine, found by title, artist, album and file name. */
export function createLibrary(options: LibraryOptions): Library {
  const { folders, records, reader, coverUrlOf, log, retryMs = RETRY_MS } = options
  const toInfo = (track: LibraryTrack) => toTrackInfo(track, coverUrlOf)
  const stopping = new AbortController()
  /** Files that hold no sound, so that they are not read again and again. */
  const unreadable = new Map<string, string>()
  let current: Promise<void> | null = null
  let isStale = false
  let retry: NodeJS.Timeout | undefined

  async function refreshAll(): Promise<void> {
    for (const folder of folders) await mkdir(folder, { recursive: true })
    do {
      isStale = false
      await scanAndLog(options, unreadable, stopping.signal)
    } while (isStale && !stopping.signal.aborted)
  }

  function refresh(): Promise<void> {
    clearTimeout(retry)
    isStale = current !== null
    current ??= refreshAll()
      .catch((err: unknown) => {
        if (stopping.signal.aborted) return
        log.warn({ folders, err }, 'library scan failed')
        retry = setTimeout(() => void refresh(), retryMs).unref()
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
    resolve: (url) => (url.host === 'file' ? resolveFile(options, url, toInfo) : resolveShelf(records, url, toInfo)),
    lists: (request) => listShelves(records, request, coverUrlOf),
    search: async (text, limit) => (await records.search(text, limit)).map(toInfo),
    related: async (track, limit) => (await otherTracks(records, track, limit)).map(toInfo),
    open: async ({ identifier }) => {
      const file = await findFile(options, identifier)
      if (!file) throw unplayable('The library no longer has this track.', 'nothing_found')
      return { kind: 'file', ...file }
    },
    chapters: async ({ identifier }, signal) => {
      const file = await findFile(options, identifier)
      return file ? reader.run('chapters', { path: file.path }, signal) : []
    },
    cover: (cover, signal) => readCover(options, cover, signal),
    close: () => {
      stopping.abort()
      clearTimeout(retry)
    },
  }
}

/** Interval of progress logs during a long scan. */
const LOG_EVERY_MS = 10_000

async function scanAndLog(
  { folders, records, reader, log }: LibraryOptions,
  unreadable: Map<string, string>,
  signal: AbortSignal,
): Promise<void> {
  const startedAtMs = monotonicNow()
  let lastMs = startedAtMs
  const onFile = (files: number) => {
    if (monotonicNow() - lastMs < LOG_EVERY_MS) return
    lastMs = monotonicNow()
    log.info({ files }, 'library scan running')
  }
  const scan = { folders, records, reader, log, unreadable, signal, onFile, removesMissing: true }
  const { files, read, removed, leftOut } = await scanFolders(scan)
  if (files >= FILES_MAX) log.warn({ folders, most: FILES_MAX }, 'library too large, skipped the rest')
  if (leftOut > 0) log.warn({ leftOut, without: unreadable.size }, 'library left out files without readable audio')
  const tookMs = monotonicNow() - startedAtMs
  if (read > 0 || removed > 0) log.info({ tracks: await records.count(), read, removed, tookMs }, 'library scanned')
}

/** Other tracks of the same artist. */
async function otherTracks(records: LibraryRecords, { author, identifier }: TrackInfo, limit: number) {
  if (author === UNKNOWN_AUTHOR) return []
  const found = await records.search(author, limit + 1)
  return found.filter((other) => other.id !== identifier && other.author === author).slice(0, limit)
}

/** The picture in the file, and where that has none (any more) the one beside it. */
async function readCover({ folders, records, reader }: LibraryOptions, cover: string, signal: AbortSignal) {
  const place = await records.coverPlace(cover)
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

/** `library://file/PATH`, where the path is encoded as one part: inside of a folder of the library, or from its root. */
async function resolveFile({ records, folders }: LibraryOptions, url: URL, toInfo: (track: LibraryTrack) => TrackInfo) {
  const path = posix.normalize(decodedPath(url.pathname.slice(1)))
  const roots = folders.map((folder) => `${resolve(folder)}${sep}`)
  const root = roots.find((it) => path.startsWith(it))
  const track = await records.findByPath(root === undefined ? path : path.slice(root.length))
  if (!track) throw unplayable("The library doesn't have this file.", 'nothing_found')
  return { tracks: [toInfo(track)], playlist: null }
}

async function findFile({ records, folders }: LibraryOptions, identifier: string) {
  const track = await records.find(identifier)
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

/** A track of the index as the source `library` returns it. */
export function toTrackInfo(track: LibraryTrack, coverUrlOf: CoverUrlOf): TrackInfo {
  const { id, title, author, lengthMs, isrc, probe, cover, path } = track
  const artworkUrl = cover === null ? null : coverUrlOf('library', cover)
  const where = { uri: null, artworkUrl, isStream: false, sourceName: 'local' }
  return { title, author, lengthMs, identifier: id, isrc, probe, path, ...where }
}

/** Maximum tracks of an artist or album. */
const TRACKS_MAX = 200

/** Artists and albums of the library. */
async function listShelves(
  { shelves }: Pick<LibraryRecords, 'shelves'>,
  { kind, text, artist, limit, offset }: ListRequest,
  coverUrlOf: CoverUrlOf,
): Promise<readonly FoundList[]> {
  const page = { text, limit, offset }
  const pictureOf = ([first]: readonly LibraryTrack[]) => (first?.cover ? coverUrlOf('library', first.cover) : null)
  if (kind === 'artist') {
    const artists = await shelves.artists(page)
    return Promise.all(
      artists.map(async ({ name, trackCount }) => {
        const uri = `library://artist/${encodeURIComponent(name)}`
        const artworkUrl = pictureOf(await shelves.artistTracks(name, 1))
        return { kind, title: name, author: null, trackCount, uri, artworkUrl }
      }),
    )
  }
  if (kind !== 'album') return []
  const albums = await shelves.albums({ ...page, ...(artist !== undefined && { artist }) })
  return Promise.all(
    albums.map(async ({ id, title, artist: author, trackCount }) => {
      const artworkUrl = pictureOf(await shelves.albumTracks(id, 1))
      return { kind, title, author, trackCount, uri: `library://album/${id}`, artworkUrl }
    }),
  )
}

/** `library://album/ID` and `library://artist/NAME`. @throws {Fault} `unplayable` if the library has neither. */
async function resolveShelf(
  { shelves }: Pick<LibraryRecords, 'shelves'>,
  url: URL,
  toInfo: (track: LibraryTrack) => TrackInfo,
): Promise<Found> {
  const name = decodedPath(url.pathname.slice(1))
  const album = url.host === 'album' ? await shelves.album(name) : null
  const ofArtist = url.host === 'artist' ? await shelves.artistTracks(name, TRACKS_MAX) : []
  const tracks = album ? await shelves.albumTracks(album.id, TRACKS_MAX) : ofArtist
  if (tracks.length === 0) throw unplayable("The library doesn't have this item.", 'nothing_found')
  return { tracks: tracks.map(toInfo), playlist: album?.title ?? name }
}
