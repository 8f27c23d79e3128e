import { raw } from 'sql-template-tag'

/** An audio file in the library folder, as the service indexed it. */
export interface LibraryTrack {
  /** Derived from the path: the same file has the same id in every database. */
  readonly id: string
  /** Relative to the library folder, with `/` between its parts. */
  readonly path: string
  readonly title: string
  readonly author: string
  readonly album: string | null
  /** The artist of the album, where its tracks are of several artists. */
  readonly albumArtist: string | null
  readonly discNumber: number | null
  readonly trackNumber: number | null
  /** The first of several. */
  readonly genre: string | null
  /** 0 when the file does not say and cannot be asked. */
  readonly lengthMs: number
  readonly isrc: string | null
  readonly probe: string | null
  readonly codec: 'ogg-opus' | 'webm-opus' | 'other'
  /** Names its picture: another one where that was changed. Null if it has none. */
  readonly cover: string | null
}

/** A track as it is read from its file. */
export type NewLibraryTrack = Omit<LibraryTrack, 'id' | 'cover'> &
  FileState & {
    /** Whether the file itself holds a picture; false if pictures were not looked for. */
    readonly hasPicture: boolean
  }

/** A file of a certain state: when the same path has another one, it must be read again. */
export interface FileState {
  readonly path: string
  readonly sizeBytes: number
  readonly modifiedAtMs: number
  /** The picture file of its folder; null if that has none. */
  readonly coverFile: string | null
  /** When that was changed; 0 without one. */
  readonly coverAtMs: number
}

/** The location of a track's picture: the file itself, else the picture file in its folder. */
export interface CoverPlace {
  readonly path: string
  readonly hasPicture: boolean
  readonly coverFile: string | null
}

/** The columns of a `LibraryTrack`. */
export const COLUMNS = raw(`id, path, title, author, album, album_artist AS "albumArtist", disc_number AS discNumber,
  track_number AS trackNumber, nullif(genre, '') AS genre, length_ms AS lengthMs, isrc, probe, codec,
  CASE WHEN has_picture = 1 THEN id || '.' || modified_at_ms
       WHEN cover_file <> '' THEN id || '.' || cover_at_ms END AS cover`)
