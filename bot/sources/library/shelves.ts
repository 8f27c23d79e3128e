import type { LibraryRecords, LibraryTrack } from '../../../db/music/library.ts'
import { unplayable } from '../../../lib/errors.ts'
import type { CoverUrlOf } from '../../covers/cover-addresses.ts'
import type { TrackInfo } from '../../tracks/track.ts'
import { decodedPath } from '../http/text.ts'
import type { Found, FoundList, ListRequest } from '../source.ts'

/** Of one artist or album. */
const TRACKS_MAX = 200

/** Artists and albums of the library. */
export function listShelves(
  { shelves }: Pick<LibraryRecords, 'shelves'>,
  { kind, text, artist, limit, offset }: ListRequest,
  coverUrlOf: CoverUrlOf,
): readonly FoundList[] {
  const page = { text, limit, offset }
  const pictureOf = ([first]: readonly LibraryTrack[]) => (first?.cover ? coverUrlOf('library', first.cover) : null)
  if (kind === 'artist') {
    return shelves.artists(page).map(({ name, trackCount }) => {
      const uri = `library://artist/${encodeURIComponent(name)}`
      return { kind, title: name, author: null, trackCount, uri, artworkUrl: pictureOf(shelves.artistTracks(name, 1)) }
    })
  }
  if (kind !== 'album') return []
  return shelves.albums({ ...page, ...(artist !== undefined && { artist }) }).map((album) => {
    const artworkUrl = pictureOf(shelves.albumTracks(album.id, 1))
    const { id, title, artist: author, trackCount } = album
    return { kind, title, author, trackCount, uri: `library://album/${id}`, artworkUrl }
  })
}

/** `library://album/ID` and `library://artist/NAME`. @throws {Fault} `unplayable` if the library has neither. */
export function resolveShelf(
  { shelves }: Pick<LibraryRecords, 'shelves'>,
  url: URL,
  toInfo: (track: LibraryTrack) => TrackInfo,
): Found {
  const name = decodedPath(url.pathname.slice(1))
  const album = url.host === 'album' ? shelves.album(name) : null
  const ofArtist = url.host === 'artist' ? shelves.artistTracks(name, TRACKS_MAX) : []
  const tracks = album ? shelves.albumTracks(album.id, TRACKS_MAX) : ofArtist
  if (tracks.length === 0) throw unplayable('The library does not have this item.', 'nothing_found')
  return { tracks: tracks.map(toInfo), playlist: album?.title ?? name }
}
