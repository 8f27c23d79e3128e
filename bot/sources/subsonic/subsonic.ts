import type { CoverUrlOf } from '../../covers/cover-addresses.ts'
import { unplayable } from '../../../lib/errors.ts'
import type { TrackInfo } from '../../tracks/track.ts'
import { normalizeTitle } from '../http/text.ts'
import type { Found, ListRequest, Source } from '../source.ts'
import type { Subsonic, SubsonicListKind, SubsonicSong } from './subsonic-client.ts'

const LIST_MAX = 200
const ID_MAX_CHARS = 200

type Kind = 'song' | SubsonicListKind

/** Songs, albums and playlists of the operator's own music server: Navidrome, or another that speaks Subsonic's API. */
export function createSubsonicSource(subsonic: Subsonic, coverUrlOf: CoverUrlOf): Source {
  const toInfo = (song: SubsonicSong) => toTrackInfo(song, coverUrlOf)

  async function resolve(url: URL): Promise<Found> {
    const { kind, id } = namedBy(url, subsonic.baseUrl) ?? { kind: 'song', id: '' }
    if (kind === 'song') return { tracks: [toInfo(await songOf(subsonic, id))], playlist: null }
    const list = await subsonic.list(kind, id)
    if (!list) throw unplayable(`The Subsonic server doesn't have this ${kind}.`, 'nothing_found')
    if (list.songs.length === 0) throw unplayable(`This ${kind} has no tracks.`, 'nothing_found')
    const name = normalizeTitle(list.title) ?? 'Subsonic'
    return { tracks: list.songs.slice(0, LIST_MAX).map(toInfo), playlist: name }
  }

  return {
    name: 'subsonic',
    sourceName: 'subsonic',
    claims: (url) => namedBy(url, subsonic.baseUrl) !== null,
    resolve,
    lists: (request) => listsOf(subsonic, request, coverUrlOf),
    search: async (text, limit) => (await subsonic.search(text, limit)).map(toInfo),
    open: async ({ identifier }) => {
      const { id, suffix, albumId, discNumber, track } = await songOf(subsonic, identifier)
      const { url, host: operatorHost, offsetParameter } = await subsonic.stream(id)
      const codec = suffix?.toLowerCase() === 'opus' ? 'ogg-opus' : 'other'
      const later = offsetParameter === null ? {} : { offsetParameter }
      const place = albumId && track ? { album: { album: albumId, disc: discNumber ?? 1, track } } : {}
      return { kind: 'http', url, codec, isStream: false, operatorHost, ...later, ...place }
    },
    cover: (id, signal) => subsonic.cover(id, signal),
    close: () => undefined,
  }
}

async function listsOf(subsonic: Subsonic, { kind, text, artist, limit, offset }: ListRequest, coverUrlOf: CoverUrlOf) {
  if (kind === 'podcast') return []
  const words = kind === 'album' && artist !== undefined ? `${artist} ${text}`.trim() : text
  const found = await subsonic.lists(kind, { text: words, limit, offset })
  return found
    .filter(({ author }) => artist === undefined || author === artist)
    .map(({ id, title, author, songCount, coverArt }) => ({
      kind,
      title: normalizeTitle(title) ?? 'Untitled',
      author: normalizeTitle(author),
      trackCount: songCount,
      uri: `subsonic://${kind}/${encodeURIComponent(id)}`,
      artworkUrl: coverArt === null ? null : coverUrlOf('subsonic', coverArt),
    }))
}

/** @throws {Fault} `unplayable` if there is none. Tokens are input: the server says whether an id is one. */
async function songOf(subsonic: Subsonic, id: string): Promise<SubsonicSong> {
  const song = id === '' || id.length > ID_MAX_CHARS ? null : await subsonic.song(id)
  if (!song) throw unplayable("The Subsonic server doesn't have this track.", 'nothing_found')
  return song
}

/** `subsonic://album/ID`, or a link as Navidrome's pages have it: `https://music.example/app/#/album/ID/show`. */
function namedBy(url: URL, base: URL): { readonly kind: Kind; readonly id: string } | null {
  const isOurs = url.protocol === 'subsonic:'
  const isPage = url.host === base.host && url.pathname.startsWith(base.pathname)
  const path = isOurs ? `/${url.host}${url.pathname}` : isPage ? url.hash.slice(1) : ''
  const [, kind, id = ''] = /^\/(song|album|artist|playlist)\/([^/?]+)/.exec(path) ?? []
  return kind === undefined ? null : { kind: kind as Kind, id: decoded(id) }
}

function decoded(id: string): string {
  try {
    return decodeURIComponent(id)
  } catch {
    return ''
  }
}

/** Without addresses of the server: they are for its own users, and those of its covers would hold the credentials. */
function toTrackInfo(song: SubsonicSong, coverUrlOf: CoverUrlOf): TrackInfo {
  const { id, title, artist, displayArtist, duration, isrc, coverArt } = song
  return {
    title: normalizeTitle(title) ?? 'Untitled',
    author: normalizeTitle(displayArtist ?? artist) ?? 'Unknown artist',
    lengthMs: Math.round((duration ?? 0) * 1000),
    identifier: id,
    isStream: false,
    uri: null,
    artworkUrl: coverArt ? coverUrlOf('subsonic', coverArt) : null,
    isrc: normalizeTitle(isrc?.[0]),
    sourceName: 'subsonic',
    probe: null,
  }
}
