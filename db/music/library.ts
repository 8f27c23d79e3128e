import { createHash } from 'node:crypto'
import { atomically, type Database } from '../engine/open.ts'
import { albumIdOf, createLibraryShelves, type LibraryShelves } from './library-shelves.ts'
import { COLUMNS, type CoverPlace, type FileState, type LibraryTrack, type NewLibraryTrack } from './library-track.ts'
import { matchOf, wordsOf } from './words.ts'

export type { CoverPlace, FileState, LibraryTrack, NewLibraryTrack } from './library-track.ts'

export interface LibraryRecords {
  /** Whether the file was read in exactly this state. */
  isKnown(file: FileState): boolean
  /** Adds tracks, or replaces those of the same path, in one transaction: keep the list short, it holds up the thread. */
  put(tracks: readonly NewLibraryTrack[]): void
  /** Paths in their order, after one: for walking through all without holding them in memory. */
  pathsAfter(path: string, limit: number): readonly string[]
  remove(paths: readonly string[]): void
  find(id: string): LibraryTrack | null
  /** By its place, relative to the library folder. */
  findByPath(path: string): LibraryTrack | null
  /** By what `cover` of a track says. */
  coverPlace(cover: string): CoverPlace | null
  readonly shelves: LibraryShelves
  /** Tracks that hold every word of the text, or a word that begins with it; best first, title before the rest. */
  search(text: string, limit: number): readonly LibraryTrack[]
  /** What goes with a track by its tags, the closest first, and at the end any others; each once, without the track itself. */
  similar(to: TagSelector, limit: number): readonly SimilarTrack[]
  count(): number
}

/** Which track is meant: one of the library, or a song of elsewhere by its artist. */
export interface TagSelector {
  readonly id: string | null
  readonly author: string
}

export interface SimilarTrack extends LibraryTrack {
  /** What it shares with the track: null is nothing. */
  readonly shares: 'artist' | 'album' | 'genre' | 'folder' | null
}

const INSERT = `
  INSERT INTO library_track (id, path, size_bytes, modified_at_ms, title, author, album, genre, length_ms, isrc, probe,
                             codec, album_artist, album_id, disc_number, track_number, has_picture, cover_file,
                             cover_at_ms)
  VALUES (:id, :path, :sizeBytes, :modifiedAtMs, :title, :author, :album, :genre, :lengthMs, :isrc, :probe, :codec,
          :albumArtist, :albumId, :discNumber, :trackNumber, :hasPicture, :coverFile, :coverAtMs)`

const IS_KNOWN = `
  SELECT 1 FROM library_track
  WHERE path = ? AND size_bytes = ? AND modified_at_ms = ? AND cover_file = ? AND cover_at_ms = ?`

const SEARCH = `
  SELECT ${COLUMNS}
  FROM (SELECT rowid AS found_number, bm25(library_words, 8, 4, 2, 1) AS score FROM library_words WHERE library_words MATCH ?
        ORDER BY score LIMIT ?) AS found
  JOIN library_track AS t ON t.number = found.found_number
  ORDER BY score, title, path`

export function createLibraryRecords(db: Database): LibraryRecords {
  const known = db.prepare<[string, number, number, string, number], number>(IS_KNOWN).pluck()
  const remove = db.prepare('DELETE FROM library_track WHERE path = ?')
  const insert = db.prepare(INSERT)
  const insertWords = db.prepare('INSERT INTO library_words (rowid, title, author, album, file) VALUES (?, ?, ?, ?, ?)')
  const after = db
    .prepare<[string, number], string>('SELECT path FROM library_track WHERE path > ? ORDER BY path LIMIT ?')
    .pluck()
  const byId = db.prepare<[string], LibraryTrack>(`SELECT ${COLUMNS} FROM library_track WHERE id = ?`)
  const matching = db.prepare<[string, number], LibraryTrack>(SEARCH)
  const placeOf = db.prepare<[string], Omit<CoverPlace, 'hasPicture'> & { readonly hasPicture: 0 | 1 }>(
    `SELECT path, has_picture AS hasPicture, nullif(cover_file, '') AS coverFile FROM library_track WHERE id = ?`,
  )
  const shelves = createLibraryShelves(db)
  const count = db.prepare<[], number>('SELECT count(*) FROM library_track').pluck()

  return {
    isKnown: ({ path, sizeBytes, modifiedAtMs, coverFile, coverAtMs }) =>
      known.get(path, sizeBytes, modifiedAtMs, coverFile ?? '', coverAtMs) !== undefined,
    put: (tracks) =>
      atomically(db, () => {
        for (const track of tracks) {
          remove.run(track.path)
          const { lastInsertRowid } = insert.run({
            ...track,
            id: idOf(track.path),
            albumId: albumIdOf(track),
            genre: track.genre ?? '',
            hasPicture: track.hasPicture ? 1 : 0,
            coverFile: track.coverFile ?? '',
          })
          const file = track.path.replace(/\.[^./]*$/, '')
          const texts = [track.title, track.author, track.album ?? '', file].map((text) => wordsOf(text).join(' '))
          insertWords.run(lastInsertRowid, ...texts)
          shelves.add(track)
        }
      }),
    pathsAfter: (path, limit) => after.all(path, limit),
    remove: (paths) =>
      atomically(db, () => {
        for (const path of paths) remove.run(path)
      }),
    find: (id) => byId.get(id) ?? null,
    findByPath: (path) => byId.get(idOf(path)) ?? null,
    coverPlace: (cover) => {
      const found = placeOf.get(cover.replace(/\.\d+$/, ''))
      return found ? { ...found, hasPicture: found.hasPicture === 1 } : null
    },
    shelves,
    search: (text, limit) => {
      const match = matchOf(text)
      return match === null ? [] : matching.all(match, limit)
    },
    similar: createSimilar(db, (id) => byId.get(id) ?? null),
    count: () => count.get() ?? 0,
  }
}

/** Looks from a random place of each index on, so that a large library does not always give its beginning. */
function createSimilar(db: Database, find: LibraryRecords['find']): LibraryRecords['similar'] {
  const last = db.prepare<[], number>('SELECT max(number) FROM library_track').pluck()
  const from = (where: string) => {
    const sql = `SELECT ${COLUMNS} FROM library_track WHERE ${where}`
    const after = db.prepare<[...string[], number, number], LibraryTrack>(`${sql} number >= ? ORDER BY number LIMIT ?`)
    const before = db.prepare<[...string[], number, number], LibraryTrack>(`${sql} number < ? ORDER BY number LIMIT ?`)
    return (values: readonly string[], limit: number): readonly LibraryTrack[] => {
      const start = Math.ceil(Math.random() * (last.get() ?? 0))
      const found = after.all(...values, start, limit)
      return found.length < limit ? [...found, ...before.all(...values, start, limit - found.length)] : found
    }
  }
  const byAuthor = from('author = ? AND')
  const byAlbum = from('album = ? AND')
  const byGenre = from('genre = ? AND')
  const any = from('')
  const select = `SELECT ${COLUMNS} FROM library_track WHERE path > ? AND path < ? ORDER BY path`
  const following = db.prepare<[string, string, number], LibraryTrack>(`${select} LIMIT ?`)
  const preceding = db.prepare<[string, string, number], LibraryTrack>(`${select} DESC LIMIT ?`)

  /** The nearest by name within its folder; at the top of the library, all are near each other by chance. */
  function inFolder(path: string, limit: number): readonly LibraryTrack[] {
    const end = path.lastIndexOf('/')
    if (end < 0) return []
    const folder = path.slice(0, end)
    // `0` is the sign after `/`.
    return [...following.all(path, `${folder}0`, limit), ...preceding.all(`${folder}/`, path, limit)]
  }

  return ({ id, author }, limit) => {
    const track = id === null ? null : find(id)
    // Artist and album are a part of what is wanted, not all of it.
    const close = Math.ceil(limit / 5)
    const groups: readonly (readonly [SimilarTrack['shares'], readonly LibraryTrack[]])[] = [
      ['artist', byAuthor([author], close)],
      ['album', track?.album ? byAlbum([track.album], close) : []],
      ['genre', track?.genre ? byGenre([track.genre], limit) : []],
      ['folder', track ? inFolder(track.path, close) : []],
      [null, any([], limit)],
    ]
    const found = new Map<string, SimilarTrack>()
    for (const [shares, tracks] of groups) {
      for (const other of tracks) {
        if (other.id !== id && !found.has(other.id)) found.set(other.id, { ...other, shares })
      }
    }
    return [...found.values()].slice(0, limit)
  }
}

function idOf(path: string): string {
  return createHash('sha256').update(path).digest('base64url').slice(0, 22)
}
