import { z } from 'zod'
import { createUpstream, notFound, type UpstreamContext } from '../../../upstream/http/client.ts'
import type { Egress } from '../../../upstream/egress/egress-guard.ts'
import { usable } from '../../../upstream/music/schemas.ts'
import type { FoundList } from '../source.ts'
import { readApplePlaylist } from './apple-playlists.ts'
import type { Linked, LinkedSong, LinkSite } from './link-site.ts'

interface SiteOptions {
  readonly egress: Egress
  readonly baseUrl: string
  readonly webUrl: string
  readonly timeoutMs: number
}

const AppleSong = z.object({
  kind: z.literal('song'),
  trackId: z.int().positive(),
  trackName: z.string(),
  artistName: z.string(),
  trackTimeMillis: z.number().nonnegative().nullish(),
  trackViewUrl: z.url(),
  artworkUrl100: z.string().nullish(),
})
const AppleAlbum = z.object({
  wrapperType: z.literal('collection'),
  collectionName: z.string(),
  trackCount: z.int().nonnegative().nullish(),
})
const AppleArtist = z.object({ wrapperType: z.literal('artist'), artistName: z.string() })
const AppleListed = z.object({
  collectionName: z.string(),
  artistName: z.string().nullish(),
  trackCount: z.int().nonnegative().nullish(),
  collectionViewUrl: z.url(),
  artworkUrl100: z.string().nullish(),
})
/** Ids of playlists: `pl.` and hexadecimal digits, or `pl.u-` and letters for those of people. */
const PLAYLIST = /^\/[a-z]{2}\/playlist\/(?:[^/]+\/)?pl\.[A-Za-z0-9-]{1,80}$/
const AppleAnswer = z.object({ results: z.array(z.unknown()) })

/** Largest answer of the store. */
const STORE_MAX = 200

/** Songs, albums and artists of Apple Music by the public look-up and search of the iTunes store; playlists by their pages. */
export function createAppleLinks(context: UpstreamContext, options: SiteOptions): LinkSite {
  const api = createUpstream(context, { id: 'itunes', name: 'Apple Music', ...options })
  const search = async (text: string, entity: 'song' | 'album', limit: number) => {
    const query = { term: text, media: 'music', entity, limit: Math.min(limit, STORE_MAX) }
    return (await api.get({ path: '/search', query, shape: AppleAnswer })).results
  }

  return {
    name: 'apple',
    sourceName: 'applemusic',
    claims: ({ host }) => host === 'music.apple.com' || host === 'itunes.apple.com' || host === 'geo.music.apple.com',
    async read(url, signal) {
      if (PLAYLIST.test(url.pathname)) return readApplePlaylist(options, url.pathname, signal)
      const [, country = 'us', kind, id = ''] =
        /^\/([a-z]{2})\/(song|album|artist)\/(?:[^/]+\/)?(?:id)?(\d{1,15})$/.exec(url.pathname) ?? []
      const song = url.searchParams.get('i') ?? (kind === 'song' ? id : '')
      if (!kind) return null
      const query = { id: /^\d{1,15}$/.test(song) ? song : id, entity: 'song', limit: STORE_MAX, country }
      const answer = await api.find({ path: '/lookup', query, shape: AppleAnswer, absent: notFound })
      const results = answer?.results ?? []
      const songs = usable(AppleSong, results).map(appleSong)
      return songs.length === 0 ? null : { songs, ...listOf(results) }
    },
    search: async (text, limit) => usable(AppleSong, await search(text, 'song', limit)).map(appleSong),
    lists: async ({ kind, text, artist, limit, offset }) => {
      const words = `${artist ?? ''} ${text}`.trim()
      if (kind !== 'album' || words === '') return []
      return usable(AppleListed, await search(words, 'album', offset + limit))
        .slice(offset)
        .map(toAlbum)
    },
  }
}

/** The list that a look-up was for; a song belongs to none. */
function listOf(results: readonly unknown[]): Pick<Linked, 'list' | 'total'> {
  const [artist] = usable(AppleArtist, results)
  if (artist) return { list: `${artist.artistName}: Top Tracks` }
  const [album] = usable(AppleAlbum, results)
  return { list: album?.collectionName ?? null, total: album?.trackCount ?? null }
}

function toAlbum(album: z.output<typeof AppleListed>): FoundList {
  return {
    kind: 'album',
    title: album.collectionName,
    author: album.artistName ?? null,
    trackCount: album.trackCount ?? null,
    uri: album.collectionViewUrl,
    artworkUrl: largeArtwork(album.artworkUrl100),
  }
}

function appleSong(song: z.output<typeof AppleSong>): LinkedSong {
  return {
    id: String(song.trackId),
    title: song.trackName,
    artist: song.artistName,
    lengthMs: Math.round(song.trackTimeMillis ?? 0),
    url: song.trackViewUrl,
    artworkUrl: largeArtwork(song.artworkUrl100),
    isrc: null,
  }
}

function largeArtwork(url: string | null | undefined): string | null {
  return url?.replace('100x100bb', '600x600bb') ?? null
}
