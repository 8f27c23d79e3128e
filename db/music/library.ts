import { createHash } from 'node:crypto'
import { atomically, type Database } from '../engine/open.ts'

/** What the service knows of an audio file in the library folder. */
export interface LibraryTrack {
  /** Derived from the path: the same file has the same id in every database. */
  readonly id: string
  /** Relative to the library folder, with `/` between its parts. */
  readonly path: string
  readonly title: string
  readonly author: string
  readonly album: string | null
  readonly genre: string | null
  /** 0 when unknown. */
  readonly lengthMs: number
  readonly isrc: string | null
  readonly probe: string | null
  readonly codec: 'ogg-opus' | 'webm-opus' | 'other'
}

/** A file of a certain state: when the same path has another size or time, it must be read again. */
export interface FileState {
  readonly path: string
  readonly sizeBytes: number
  readonly modifiedAtMs: number
}

export interface LibraryRecords {
  /** Whether the file was read in exactly this state. */
  isKnown(file: FileState): boolean
  /** Adds tracks, or replaces those of the same path, in one transaction: keep the list short, it holds up the thread. */
  put(tracks: readonly (Omit<LibraryTrack, 'id'> & FileState)[]): void
  /** Paths in their order, after one: for walking through all without holding them in memory. */
  pathsAfter(path: string, limit: number): readonly string[]
  remove(paths: readonly string[]): void
  find(id: string): LibraryTrack | null
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

const COLUMNS = "id, path, title, author, album, nullif(genre, '') AS genre, length_ms AS lengthMs, isrc, probe, codec"

const UPSERT = `
  INSERT INTO library_track (id, path, size_bytes, modified_at_ms, title, author, album, genre, length_ms, isrc, probe,
                             codec)
  VALUES (:id, :path, :sizeBytes, :modifiedAtMs, :title, :author, :album, :genre, :lengthMs, :isrc, :probe, :codec)`

const SEARCH = `
  SELECT ${COLUMNS}
  FROM (SELECT rowid AS found_number, bm25(library_words, 8, 4, 2, 1) AS score FROM library_words WHERE library_words MATCH ?
        ORDER BY score LIMIT ?) AS found
  JOIN library_track AS t ON t.number = found.found_number
  ORDER BY score, title, path`

/** A search of more words would tell nothing more, and each costs a look-up. */
const WORDS_MAX = 16

export function createLibraryRecords(db: Database): LibraryRecords {
  const known = db
    .prepare<[string, number, number], number>(
      'SELECT 1 FROM library_track WHERE path = ? AND size_bytes = ? AND modified_at_ms = ? AND genre IS NOT NULL',
    )
    .pluck()
  const remove = db.prepare('DELETE FROM library_track WHERE path = ?')
  const insert = db.prepare(UPSERT)
  const insertWords = db.prepare('INSERT INTO library_words (rowid, title, author, album, file) VALUES (?, ?, ?, ?, ?)')
  const after = db
    .prepare<[string, number], string>('SELECT path FROM library_track WHERE path > ? ORDER BY path LIMIT ?')
    .pluck()
  const byId = db.prepare<[string], LibraryTrack>(`SELECT ${COLUMNS} FROM library_track WHERE id = ?`)
  const matching = db.prepare<[string, number], LibraryTrack>(SEARCH)
  const count = db.prepare<[], number>('SELECT count(*) FROM library_track').pluck()

  return {
    isKnown: ({ path, sizeBytes, modifiedAtMs }) => known.get(path, sizeBytes, modifiedAtMs) !== undefined,
    put: (tracks) =>
      atomically(db, () => {
        for (const track of tracks) {
          remove.run(track.path)
          const { lastInsertRowid } = insert.run({ ...track, id: idOf(track.path), genre: track.genre ?? '' })
          const file = track.path.replace(/\.[^./]*$/, '')
          const texts = [track.title, track.author, track.album ?? '', file].map((text) => wordsOf(text).join(' '))
          insertWords.run(lastInsertRowid, ...texts)
        }
      }),
    pathsAfter: (path, limit) => after.all(path, limit),
    remove: (paths) =>
      atomically(db, () => {
        for (const path of paths) remove.run(path)
      }),
    find: (id) => byId.get(id) ?? null,
    search: (text, limit) => {
      const words = wordsOf(text).slice(0, WORDS_MAX)
      return words.length === 0 ? [] : matching.all(words.map(toTerm).join(' '), limit)
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

/** Letters that Unicode does not split into a plain one and a mark, and how people without them on the keyboard write. */
const PLAIN: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
}

/** Scripts that write without spaces: each of their characters is a word, so that any part of a title is found. */
const SPACELESS = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/gu

/** The words of a text as the index holds them: what FTS5 does not fold is folded here. */
function wordsOf(text: string): readonly string[] {
  return (
    text
      .normalize('NFKC')
      .toLowerCase()
      .replaceAll(/[ßæœøłđðþı]/g, (letter) => PLAIN[letter] ?? letter)
      .replaceAll(SPACELESS, ' $& ')
      // What belongs to a word but is spoken over: "don't" is found as "dont" and as "don't".
      .replaceAll(/(?<=\p{L})['’`´](?=\p{L})/gu, '')
      .match(/[\p{L}\p{N}\p{M}]+/gu) ?? []
  )
}

/** A single letter as the beginning of a word would match nearly everything, at the cost of ranking it. */
function toTerm(word: string): string {
  return word.length > 1 ? `"${word}"*` : `"${word}"`
}
