import { createHash } from 'node:crypto'
import sql, { join, type Sql } from 'sql-template-tag'
import type { Store } from '../engine/store.ts'
import { albumIdOf, createLibraryShelves, type LibraryShelves } from './library-shelves.ts'
import { COLUMNS, type CoverPlace, type FileState, type LibraryTrack, type NewLibraryTrack } from './library-track.ts'
import { matchOf, wordsOf } from './words.ts'

export type { FileState, LibraryTrack, NewLibraryTrack } from './library-track.ts'

export type LibraryRecords = ReturnType<typeof createLibraryRecords>

/** The track to compare: one of the library, or a song from elsewhere by its artist. */
interface TagSelector {
  readonly id: string | null
  readonly author: string
}

export interface SimilarTrack extends LibraryTrack {
  /** Common property of both tracks; null: none. */
  readonly shares: 'artist' | 'album' | 'genre' | 'folder' | null
}

/** @param reader searches, lists and chooses; defaults to the store. */
export function createLibraryRecords(store: Store, reader: Pick<Store, 'all'> = store) {
  const shelves = createLibraryShelves(store, reader)

  async function find(id: string): Promise<LibraryTrack | null> {
    return (await store.find<LibraryTrack>(sql`SELECT ${COLUMNS} FROM library_track WHERE id = ${id}`)) ?? null
  }

  return {
    /** Whether the file was read in exactly this state. */
    async isKnown({ path, sizeBytes, modifiedAtMs, coverFile, coverAtMs }: FileState) {
      const known = await store.find(sql`
        SELECT 1 FROM library_track
         WHERE path = ${path} AND size_bytes = ${sizeBytes} AND modified_at_ms = ${modifiedAtMs}
           AND cover_file = ${coverFile ?? ''} AND cover_at_ms = ${coverAtMs}`)
      return known !== undefined
    },
    /** Adds tracks, or replaces those of the same path, in one transaction: keep the list short, it holds up the thread. */
    put: (tracks: readonly NewLibraryTrack[]) =>
      store.atomically(async () => {
        for (const track of tracks) await put(store, shelves, track)
      }),
    /** Paths in their order, after one: for walking through all without holding them in memory. */
    async pathsAfter(path: string, limit: number) {
      const rows = await store.all<{ readonly path: string }>(
        sql`SELECT path FROM library_track WHERE path > ${path} ORDER BY path LIMIT ${limit}`,
      )
      return rows.map((row) => row.path)
    },
    remove: (paths: readonly string[]) =>
      store.atomically(async () => {
        for (const path of paths) await store.run(sql`DELETE FROM library_track WHERE path = ${path}`)
      }),
    find,
    /** Finds a track by its path, relative to the library folder. */
    findByPath: (path: string) => find(idOf(path)),
    /** Finds a picture by the `cover` of a track. */
    async coverPlace(cover: string) {
      const place = await store.find<Omit<CoverPlace, 'hasPicture'> & { readonly hasPicture: 0 | 1 }>(sql`
        SELECT path, has_picture AS "hasPicture", nullif(cover_file, '') AS "coverFile"
          FROM library_track WHERE id = ${cover.replace(/\.\d+$/, '')}`)
      return place ? { ...place, hasPicture: place.hasPicture === 1 } : null
    },
    shelves,
    /** Tracks that hold every word of the text, or a word that begins with it; best first, title before the rest. */
    async search(text: string, limit: number) {
      const match = matchOf(text)
      return match === null ? [] : reader.all<LibraryTrack>(searching(match, limit))
    },
    /**
     * Tracks that share tags with a track, the closest first, and at the end any others; each once, without the track itself.
     */
    similar: createSimilar(reader, find),
    async count() {
      const counted = await store.find<{ readonly count: number }>(sql`SELECT count(*) AS count FROM library_track`)
      return counted?.count ?? 0
    },
  }
}

async function put(store: Store, shelves: LibraryShelves, track: NewLibraryTrack): Promise<void> {
  await store.run(sql`DELETE FROM library_track WHERE path = ${track.path}`)
  const row = await store.find<{ readonly number: number }>(insertion(track))
  const file = track.path.replace(/\.[^./]*$/, '')
  const texts = [track.title, track.author, track.album ?? '', file].map((text) => wordsOf(text).join(' '))
  await store.run(sql`
    INSERT INTO library_words (rowid, title, author, album, file) VALUES (${row?.number}, ${join(texts)})`)
  await shelves.add(track)
}

function insertion(track: NewLibraryTrack): Sql {
  const { path, sizeBytes, modifiedAtMs, title, author, lengthMs, isrc, probe, codec } = track
  const file = [idOf(path), path, sizeBytes, modifiedAtMs, title, author, track.album, track.genre ?? '', lengthMs]
  const album = [isrc, probe, codec, track.albumArtist, albumIdOf(track), track.discNumber, track.trackNumber]
  const cover = [track.hasPicture ? 1 : 0, track.coverFile ?? '', track.coverAtMs]
  return sql`
    INSERT INTO library_track (id, path, size_bytes, modified_at_ms, title, author, album, genre, length_ms,
                               isrc, probe, codec, album_artist, album_id, disc_number, track_number,
                               has_picture, cover_file, cover_at_ms)
    VALUES (${join([...file, ...album, ...cover])}) RETURNING number`
}

function searching(match: string, limit: number): Sql {
  return sql`
    SELECT ${COLUMNS}
    FROM (SELECT rowid AS found_number, bm25(library_words, 8, 4, 2, 1) AS score FROM library_words
          WHERE library_words MATCH ${match} ORDER BY score LIMIT ${limit}) AS found
    JOIN library_track AS t ON t.number = found.found_number
    ORDER BY score, title, path`
}

/** Looks from a random place of each index on, so that a large library does not always give its beginning. */
function createSimilar(reader: Pick<Store, 'all'>, find: (id: string) => Promise<LibraryTrack | null>) {
  async function from(where: Sql, limit: number): Promise<readonly LibraryTrack[]> {
    const [last] = await reader.all<{ readonly last: number | null }>(
      sql`SELECT max(number) AS last FROM library_track`,
    )
    const start = Math.ceil(Math.random() * (last?.last ?? 0))
    const some = (side: Sql, most: number) =>
      reader.all<LibraryTrack>(
        sql`SELECT ${COLUMNS} FROM library_track WHERE ${where} AND ${side} ORDER BY number LIMIT ${most}`,
      )
    const found = await some(sql`number >= ${start}`, limit)
    return found.length < limit ? [...found, ...(await some(sql`number < ${start}`, limit - found.length))] : found
  }

  /** The nearest by name within its folder; at the top of the library, all are near each other by chance. */
  async function inFolder(path: string, limit: number): Promise<readonly LibraryTrack[]> {
    const end = path.lastIndexOf('/')
    if (end < 0) return []
    const folder = path.slice(0, end)
    const between = (least: string, most: string, order: Sql) =>
      reader.all<LibraryTrack>(sql`
        SELECT ${COLUMNS} FROM library_track WHERE path > ${least} AND path < ${most} ORDER BY path ${order} LIMIT ${limit}`)
    // `0` is the sign after `/`.
    const following = await between(path, `${folder}0`, sql`ASC`)
    return [...following, ...(await between(`${folder}/`, path, sql`DESC`))]
  }

  return async ({ id, author }: TagSelector, limit: number): Promise<readonly SimilarTrack[]> => {
    const track = id === null ? null : await find(id)
    // Artist and album are a part of what is wanted, not all of it.
    const close = Math.ceil(limit / 5)
    const groups: readonly (readonly [SimilarTrack['shares'], readonly LibraryTrack[]])[] = [
      ['artist', await from(sql`author = ${author}`, close)],
      ['album', track?.album ? await from(sql`album = ${track.album}`, close) : []],
      ['genre', track?.genre ? await from(sql`genre = ${track.genre}`, limit) : []],
      ['folder', track ? await inFolder(track.path, close) : []],
      [null, await from(sql`1 = 1`, limit)],
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
