import { unplayable } from '../../../lib/errors.ts'
import type { CoverUrlOf } from '../../covers/cover-addresses.ts'
import type { TrackInfo } from '../../tracks/track.ts'
import { decodedPath, normalizeTitle } from '../http/text.ts'
import type { Found, ListRequest, Source } from '../source.ts'
import type { Jellyfin, JellyfinItem } from './jellyfin-client.ts'

const LIST_MAX = 200
const ID_MAX_CHARS = 50
const TICKS_PER_MS = 10_000
const LISTS: ReadonlySet<string> = new Set(['MusicAlbum', 'MusicArtist', 'Playlist'])

/** Songs, albums, artists and playlists of the operator's own Jellyfin. */
export function createJellyfinSource(jellyfin: Jellyfin, coverUrlOf: CoverUrlOf): Source {
  const toInfo = (song: JellyfinItem) => toTrackInfo(song, coverUrlOf)

  async function resolve(url: URL): Promise<Found> {
    const item = await itemOf(jellyfin, namedBy(url, jellyfin.baseUrl) ?? '')
    if (item?.Type === 'Audio') return { tracks: [toInfo(item)], playlist: null }
    if (!item || !LISTS.has(item.Type)) throw unplayable("The Jellyfin server doesn't have this item.", 'nothing_found')
    const songs = await jellyfin.songs(item, LIST_MAX)
    if (songs.length === 0) throw unplayable('This list has no tracks.', 'nothing_found')
    return { tracks: songs.map(toInfo), playlist: normalizeTitle(item.Name) ?? 'Jellyfin' }
  }

  return {
    name: 'jellyfin',
    sourceName: 'jellyfin',
    claims: (url) => namedBy(url, jellyfin.baseUrl) !== null,
    resolve,
    search: async (text, limit) => (await jellyfin.search(text, limit)).map(toInfo),
    lists: (request) => listsOf(jellyfin, request, coverUrlOf),
    open: async ({ identifier }) => {
      // Tokens are input: the server says whether an id is that of a song.
      const song = await itemOf(jellyfin, identifier)
      if (song?.Type !== 'Audio') {
        throw unplayable("The Jellyfin server doesn't have this track.", 'nothing_found')
      }
      const { url, host: operatorHost } = await jellyfin.stream(song.Id)
      const codec = song.Container?.toLowerCase() === 'opus' ? 'ogg-opus' : 'other'
      return { kind: 'http', url, codec, isStream: false, operatorHost }
    },
    cover: (cover, signal) => {
      const [id = '', tag = ''] = cover.split('.', 2)
      return jellyfin.cover(id, tag, signal)
    },
    close: () => undefined,
  }
}

async function listsOf(jellyfin: Jellyfin, { kind, ...page }: ListRequest, coverUrlOf: CoverUrlOf) {
  if (kind === 'podcast') return []
  const found = await jellyfin.lists(kind, page)
  return found.map((item) => ({
    kind,
    title: normalizeTitle(item.Name) ?? 'Untitled',
    author: normalizeTitle(item.AlbumArtist),
    trackCount: kind === 'artist' ? null : (item.ChildCount ?? null),
    uri: `jellyfin://${kind}/${item.Id}`,
    artworkUrl: coverOf(item, coverUrlOf),
  }))
}

async function itemOf(jellyfin: Jellyfin, id: string): Promise<JellyfinItem | null> {
  return id.length > ID_MAX_CHARS ? null : jellyfin.item(id)
}

/** The id in `jellyfin://album/ID`, or in a link as its pages have it: `https://jelly.example/web/#/details?id=ID`. */
function namedBy(url: URL, base: URL): string | null {
  if (url.protocol === 'jellyfin:') return decodedPath(url.pathname.slice(1))
  if (url.host !== base.host || !url.pathname.startsWith(base.pathname)) return null
  const [page = '', query = ''] = url.hash.split('?', 2)
  return /^#!?\/(?:details|item)$/.test(page) ? new URLSearchParams(query).get('id') : null
}

function coverOf({ Id, ImageTags, AlbumId, AlbumPrimaryImageTag }: JellyfinItem, coverUrlOf: CoverUrlOf) {
  const own = ImageTags?.['Primary']
  if (own) return coverUrlOf('jellyfin', `${Id}.${own}`)
  return AlbumId && AlbumPrimaryImageTag ? coverUrlOf('jellyfin', `${AlbumId}.${AlbumPrimaryImageTag}`) : null
}

/** Without addresses of the server, which are for its own users. */
function toTrackInfo(song: JellyfinItem, coverUrlOf: CoverUrlOf): TrackInfo {
  return {
    title: normalizeTitle(song.Name) ?? 'Untitled',
    author: normalizeTitle(song.Artists?.join(', ') || song.AlbumArtist) ?? 'Unknown artist',
    lengthMs: Math.round((song.RunTimeTicks ?? 0) / TICKS_PER_MS),
    identifier: song.Id,
    isStream: false,
    uri: null,
    artworkUrl: coverOf(song, coverUrlOf),
    isrc: null,
    sourceName: 'jellyfin',
    probe: null,
  }
}
