import { createHash } from 'node:crypto'
import type { Database } from '../engine/open.ts'
import { COLUMNS, type LibraryTrack } from './library-track.ts'
import { matchOf, wordsOf } from './words.ts'

export interface LibraryAlbum {
  readonly id: string
  readonly title: string
  /** Null if its tracks are of several artists and its tags name none for the whole. */
  readonly artist: string | null
  readonly trackCount: number
}

export interface LibraryArtist {
  readonly name: string
  readonly trackCount: number
}

/** Some of a list that is ordered by name. */
export interface ShelfPage {
  /** Only what holds each of these words, or one that begins with it. */
  readonly text?: string
  readonly limit: number
  readonly offset?: number
}

type Shelved = Pick<LibraryTrack, 'path' | 'author' | 'album' | 'albumArtist'>

/** The library by artists and albums. */
export interface LibraryShelves {
  /** Puts a track that was just added where it belongs. */
  add(track: Shelved): void
  artists(page: ShelfPage): readonly LibraryArtist[]
  /** Of one artist, or of all. */
  albums(page: ShelfPage & { readonly artist?: string }): readonly LibraryAlbum[]
  album(id: string): LibraryAlbum | null
  /** By disc and number. */
  albumTracks(id: string, limit: number): readonly LibraryTrack[]
  /** Album by album. */
  artistTracks(name: string, limit: number): readonly LibraryTrack[]
}

const ALBUM = `id, title, nullif(artist, '') AS artist, track_count AS trackCount`
const ARTIST = 'name, track_count AS trackCount'
/** Files without numbers are in the order of their names. */
const IN_ORDER = 'disc_number NULLS FIRST, track_number NULLS LAST, path'

const ADD_ALBUM = `
  INSERT INTO library_album (id, title, artist, track_count) VALUES (?, ?, '', 1)
  ON CONFLICT (id) DO UPDATE SET track_count = track_count + 1
  RETURNING number, track_count AS trackCount`

const NAME_ARTIST = `
  UPDATE library_album
  SET artist = (SELECT iif(min(coalesce(album_artist, author)) = max(coalesce(album_artist, author)),
                           min(coalesce(album_artist, author)), '')
                FROM library_track WHERE album_id = library_album.id)
  WHERE id = ?`

const ADD_ARTIST = `
  INSERT INTO library_artist (name, track_count) VALUES (?, 1)
  ON CONFLICT (name) DO UPDATE SET track_count = track_count + 1
  RETURNING number, track_count AS trackCount`

/** Of an album with more tracks, each new one is compared with the album alone: comparing all would take too long. */
const COMPARED_MAX = 50

interface Added {
  readonly number: number
  readonly trackCount: number
}

export function createLibraryShelves(db: Database): LibraryShelves {
  const addAlbum = db.prepare<[string, string], Added>(ADD_ALBUM)
  const nameArtist = db.prepare<[string]>(NAME_ARTIST)
  const forgetArtist = db.prepare<[string, string]>("UPDATE library_album SET artist = '' WHERE id = ? AND artist <> ?")
  const addAlbumWords = db.prepare('INSERT INTO library_album_words (rowid, title, artist) VALUES (?, ?, ?)')
  const addArtist = db.prepare<[string], Added>(ADD_ARTIST)
  const addArtistWords = db.prepare('INSERT INTO library_artist_words (rowid, name) VALUES (?, ?)')
  const tracks = (where: string, order: string) =>
    db.prepare<[string, number], LibraryTrack>(
      `SELECT ${COLUMNS} FROM library_track WHERE ${where} ORDER BY ${order} LIMIT ?`,
    )
  const ofAlbum = tracks('album_id = ?', IN_ORDER)
  const ofArtist = tracks('coalesce(album_artist, author) = ?', `album COLLATE NOCASE NULLS LAST, ${IN_ORDER}`)
  const albumById = db.prepare<[string], LibraryAlbum>(`SELECT ${ALBUM} FROM library_album WHERE id = ?`)

  return {
    add: (track) => {
      const { author, album, albumArtist } = track
      const artist = albumArtist ?? author
      const ofName = addArtist.get(artist)
      if (ofName?.trackCount === 1) addArtistWords.run(ofName.number, wordsOf(artist).join(' '))
      const id = albumIdOf(track)
      if (id === null || album === null) return
      const added = addAlbum.get(id, album)
      if (added?.trackCount === 1) {
        addAlbumWords.run(added.number, wordsOf(album).join(' '), wordsOf(artist).join(' '))
      }
      if (added && added.trackCount <= COMPARED_MAX) nameArtist.run(id)
      else forgetArtist.run(id, artist)
    },
    ...createLists(db),
    album: (id) => albumById.get(id) ?? null,
    albumTracks: (id, limit) => ofAlbum.all(id, limit),
    artistTracks: (name, limit) => ofArtist.all(name, limit),
  }
}

function createLists(db: Database): Pick<LibraryShelves, 'artists' | 'albums'> {
  const page = 'LIMIT ? OFFSET ?'
  const artists = db.prepare<[number, number], LibraryArtist>(
    `SELECT ${ARTIST} FROM library_artist ORDER BY name COLLATE NOCASE ${page}`,
  )
  const artistsNamed = db.prepare<[string, number, number], LibraryArtist>(`
    SELECT ${ARTIST} FROM library_artist WHERE number IN (SELECT rowid FROM library_artist_words WHERE library_artist_words MATCH ?)
    ORDER BY name COLLATE NOCASE ${page}`)
  const albums = db.prepare<[number, number], LibraryAlbum>(
    `SELECT ${ALBUM} FROM library_album ORDER BY title COLLATE NOCASE, id ${page}`,
  )
  const albumsOf = db.prepare<[string, number, number], LibraryAlbum>(
    `SELECT ${ALBUM} FROM library_album WHERE artist = ? ORDER BY title COLLATE NOCASE ${page}`,
  )
  const named = 'number IN (SELECT rowid FROM library_album_words WHERE library_album_words MATCH ?)'
  const albumsNamed = db.prepare<[string, number, number], LibraryAlbum>(
    `SELECT ${ALBUM} FROM library_album WHERE ${named} ORDER BY title COLLATE NOCASE, id ${page}`,
  )
  const albumsNamedOf = db.prepare<[string, string, number, number], LibraryAlbum>(
    `SELECT ${ALBUM} FROM library_album WHERE ${named} AND artist = ? ORDER BY title COLLATE NOCASE ${page}`,
  )
  return {
    artists: ({ text = '', limit, offset = 0 }) => {
      const match = matchOf(text)
      if (match === null) return text.trim() === '' ? artists.all(limit, offset) : []
      return artistsNamed.all(match, limit, offset)
    },
    albums: ({ text = '', artist, limit, offset = 0 }) => {
      const match = matchOf(text)
      if (match === null && text.trim() !== '') return []
      if (match === null) return artist === undefined ? albums.all(limit, offset) : albumsOf.all(artist, limit, offset)
      return artist === undefined
        ? albumsNamed.all(match, limit, offset)
        : albumsNamedOf.all(match, artist, limit, offset)
    },
  }
}

/** Without an album artist in the tags, albums of the same name are distinguished by their folders. */
export function albumIdOf({ album, albumArtist, path }: Shelved): string | null {
  if (album === null) return null
  const whose = albumArtist === null ? `folder ${path.slice(0, path.lastIndexOf('/') + 1)}` : `artist ${albumArtist}`
  return createHash('sha256').update(`${album}\n${whose}`.toLowerCase()).digest('base64url').slice(0, 22)
}
