import type { LibraryRecords, LibraryTrack } from '../../../db/music/library.ts'
import { unplayable } from '../../../lib/errors.ts'
import type { CoverUrlOf } from '../../covers/cover-addresses.ts'
import type { TrackInfo } from '../../tracks/track.ts'
import { decodedPath } from '../http/text.ts'
import type { Found, FoundList, ListRequest } from '../source.ts'

/** Maximum tracks of an artist or album. */
const TRACKS_MAX = 200

/** Artists and albums of the library. */
export async function listShelves(
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
export async function resolveShelf(
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
