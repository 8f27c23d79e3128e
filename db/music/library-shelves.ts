import { createHash } from 'node:crypto'
import sql, { empty, join, raw, type Sql } from 'sql-template-tag'
import type { Store } from '../engine/store.ts'
import { COLUMNS, type LibraryTrack } from './library-track.ts'
import { matchOf, wordsOf } from './words.ts'

interface LibraryAlbum {
  readonly id: string
  readonly title: string
  /** Null if its tracks are of several artists and its tags name none for the whole. */
  readonly artist: string | null
  readonly trackCount: number
}

interface LibraryArtist {
  readonly name: string
  readonly trackCount: number
}

/** Some of a list that is ordered by name. */
interface ShelfPage {
  /** Only what holds each of these words, or one that begins with it. */
  readonly text?: string
  readonly limit: number
  readonly offset?: number
}

type Shelved = Pick<LibraryTrack, 'path' | 'author' | 'album' | 'albumArtist'>

/** The library by artists and albums. */
export type LibraryShelves = ReturnType<typeof createLibraryShelves>

const ALBUM = raw(`id, title, nullif(artist, '') AS artist, track_count AS "trackCount"`)
const ARTIST = raw('name, track_count AS "trackCount"')
/** Files without numbers are in the order of their names. */
const IN_ORDER = raw('disc_number NULLS FIRST, track_number NULLS LAST, path')

/** An album with more tracks is compared with each new track alone: comparing all would take too long. */
const COMPARED_MAX = 50

interface Added {
  readonly number: number
  readonly trackCount: number
}

export function createLibraryShelves(store: Store, reader: Pick<Store, 'all'>) {
  async function addArtist(artist: string): Promise<void> {
    const added = await store.find<Added>(sql`
      INSERT INTO library_artist (name, track_count) VALUES (${artist}, 1)
      ON CONFLICT (name) DO UPDATE SET track_count = track_count + 1
      RETURNING number, track_count AS "trackCount"`)
    if (added?.trackCount !== 1) return
    await store.run(sql`
      INSERT INTO library_artist_words (rowid, name) VALUES (${added.number}, ${wordsOf(artist).join(' ')})`)
  }

  async function addAlbum(id: string, album: string, artist: string): Promise<void> {
    const added = await store.find<Added>(sql`
      INSERT INTO library_album (id, title, artist, track_count) VALUES (${id}, ${album}, '', 1)
      ON CONFLICT (id) DO UPDATE SET track_count = track_count + 1
      RETURNING number, track_count AS "trackCount"`)
    if (added?.trackCount === 1) {
      const [title, by] = [wordsOf(album).join(' '), wordsOf(artist).join(' ')]
      await store.run(sql`
        INSERT INTO library_album_words (rowid, title, artist) VALUES (${added.number}, ${title}, ${by})`)
    }
    await store.run(added && added.trackCount <= COMPARED_MAX ? naming(id) : forgetting(id, artist))
  }

  return {
    /** Puts a track that was just added where it belongs. */
    async add(track: Shelved) {
      const { author, album, albumArtist } = track
      const artist = albumArtist ?? author
      await addArtist(artist)
      const id = albumIdOf(track)
      if (id !== null && album !== null) await addAlbum(id, album, artist)
    },
    ...createLists(reader),
    async album(id: string): Promise<LibraryAlbum | null> {
      return (await store.find<LibraryAlbum>(sql`SELECT ${ALBUM} FROM library_album WHERE id = ${id}`)) ?? null
    },
    /** Sorted by disc and number. */
    albumTracks: (id: string, limit: number) =>
      store.all<LibraryTrack>(
        sql`SELECT ${COLUMNS} FROM library_track WHERE album_id = ${id} ORDER BY ${IN_ORDER} LIMIT ${limit}`,
      ),
    /** Album by album. */
    artistTracks: (name: string, limit: number) =>
      reader.all<LibraryTrack>(sql`
        SELECT ${COLUMNS} FROM library_track WHERE coalesce(album_artist, author) = ${name}
         ORDER BY album COLLATE NOCASE NULLS LAST, ${IN_ORDER} LIMIT ${limit}`),
  }
}

/** An album is that of its tracks' artist where they have the same. */
function naming(id: string): Sql {
  return sql`
    UPDATE library_album
    SET artist = (SELECT iif(min(coalesce(album_artist, author)) = max(coalesce(album_artist, author)),
                             min(coalesce(album_artist, author)), '')
                  FROM library_track WHERE album_id = library_album.id)
    WHERE id = ${id}`
}

function forgetting(id: string, artist: string): Sql {
  return sql`UPDATE library_album SET artist = '' WHERE id = ${id} AND artist <> ${artist}`
}

function createLists(reader: Pick<Store, 'all'>) {
  return {
    async artists({ text = '', limit, offset = 0 }: ShelfPage): Promise<readonly LibraryArtist[]> {
      const match = matchOf(text)
      if (match === null && text.trim() !== '') return []
      const named = sql`
        WHERE number IN (SELECT rowid FROM library_artist_words WHERE library_artist_words MATCH ${match})`
      return reader.all<LibraryArtist>(sql`
        SELECT ${ARTIST} FROM library_artist ${match === null ? empty : named}
         ORDER BY name COLLATE NOCASE LIMIT ${limit} OFFSET ${offset}`)
    },
    /** Albums of one artist, or of all. */
    async albums({
      text = '',
      artist,
      limit,
      offset = 0,
    }: ShelfPage & { readonly artist?: string }): Promise<readonly LibraryAlbum[]> {
      const match = matchOf(text)
      if (match === null && text.trim() !== '') return []
      const named = sql`number IN (SELECT rowid FROM library_album_words WHERE library_album_words MATCH ${match})`
      const where = [...(match === null ? [] : [named]), ...(artist === undefined ? [] : [sql`artist = ${artist}`])]
      // The albums of one artist have different titles.
      const order = artist === undefined ? sql`title COLLATE NOCASE, id` : sql`title COLLATE NOCASE`
      return reader.all<LibraryAlbum>(sql`
        SELECT ${ALBUM} FROM library_album ${where.length === 0 ? empty : sql`WHERE ${join(where, ' AND ')}`}
         ORDER BY ${order} LIMIT ${limit} OFFSET ${offset}`)
    },
  }
}

/** Without an album artist in the tags, albums of the same name are distinguished by their folders. */
export function albumIdOf({ album, albumArtist, path }: Shelved): string | null {
  if (album === null) return null
  const whose = albumArtist === null ? `folder ${path.slice(0, path.lastIndexOf('/') + 1)}` : `artist ${albumArtist}`
  return createHash('sha256').update(`${album}\n${whose}`.toLowerCase()).digest('base64url').slice(0, 22)
}
