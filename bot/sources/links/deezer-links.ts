import type { Egress } from '../../../upstream/egress/egress-guard.ts'
import type { Deezer, DeezerList, DeezerTrack } from '../../../upstream/music/deezer.ts'
import type { FoundList, ListKind } from '../source.ts'
import { behind, LIST_MAX, type Linked, type LinkedSong, type LinkSite } from './link-site.ts'

const isShort = ({ host }: URL): boolean => host === 'link.deezer.com' || host === 'deezer.page.link'
const isPage = ({ host }: URL): boolean => host === 'deezer.com' || host === 'www.deezer.com'
/** `deezer://isrc/USEP42058010`, and `deezer://radio/track/1` or `deezer://radio/artist/27`. */
const isOurs = ({ protocol }: URL): boolean => protocol === 'deezer:'

/** Songs, albums, playlists and artists of Deezer, which lets everybody ask for them. */
export function createDeezerLinks(deezer: Deezer, egress: Egress): LinkSite {
  return {
    name: 'deezer',
    sourceName: 'deezer',
    claims: (url) => isPage(url) || isShort(url) || isOurs(url),
    async read(url, signal) {
      const page = isShort(url) ? await behind(url, egress, signal) : url
      if (isOurs(page)) return readOurs(deezer, `${page.host}${page.pathname}`)
      return isPage(page) ? readPath(deezer, page.pathname) : null
    },
    search: async (text, limit) => (await deezer.search(text, limit)).map(toSong),
    lists: async ({ kind, ...request }) => {
      if (kind === 'podcast' || request.text === '') return []
      const found = await deezer.lists(kind, request)
      return found.map(({ id, ...list }) => toList(kind, id, list))
    },
  }
}

async function readPath(deezer: Deezer, pathname: string): Promise<Linked | null> {
  const [, kind, id = ''] = /\/(track|album|playlist|artist)\/(\d{1,15})(?:\/|$)/.exec(pathname) ?? []
  if (kind === 'track') return oneSong(await deezer.track(id))
  const isList = kind === 'album' || kind === 'playlist' || kind === 'artist'
  return isList ? listOf(await deezer.list(kind, id, LIST_MAX)) : null
}

async function readOurs(deezer: Deezer, path: string): Promise<Linked | null> {
  // The names of hosts are in lower case.
  const [, isrc] = /^isrc\/([A-Za-z0-9]{12})$/.exec(path) ?? []
  if (isrc !== undefined) return oneSong(await deezer.recording(isrc.toUpperCase()))
  const [, kind, id = ''] = /^radio\/(track|artist)\/(\d{1,15})$/.exec(path) ?? []
  const artist = kind === 'track' ? (await deezer.track(id))?.artist.id : kind === 'artist' ? id : undefined
  if (artist === undefined) return null
  const songs = (await deezer.artistRadio(String(artist))).filter((song) => kind === 'artist' || String(song.id) !== id)
  return listOf({ title: 'Recommendations', tracks: songs })
}

function oneSong(track: DeezerTrack | null): Linked | null {
  return track && { songs: [toSong(track)], list: null }
}

function listOf(found: DeezerList | null): Linked | null {
  return found && { songs: found.tracks.slice(0, LIST_MAX).map(toSong), list: found.title, total: found.total ?? null }
}

function toList(kind: ListKind, id: number, list: Omit<FoundList, 'kind' | 'uri'>): FoundList {
  return { ...list, kind, uri: `https://www.deezer.com/${kind}/${id}` }
}

function toSong({ id, title, artist, duration, album, isrc }: DeezerTrack): LinkedSong {
  return {
    id: String(id),
    title,
    artist: artist.name,
    lengthMs: Math.round(duration * 1000),
    // Lists give none.
    url: `https://www.deezer.com/track/${id}`,
    artworkUrl: album?.cover_xl ?? album?.cover_big ?? null,
    isrc: isrc ?? null,
  }
}
