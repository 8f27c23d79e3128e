import { z } from 'zod'
import { createUpstream, notFound, type UpstreamContext } from '../../../upstream/http/client.ts'
import { usable } from '../../../upstream/music/schemas.ts'
import type { FoundList } from '../source.ts'
import { LIST_MAX, type LinkedSong, type LinkSite } from './link-site.ts'

interface SiteOptions {
  readonly baseUrl: string
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
const AppleAlbum = z.object({ wrapperType: z.literal('collection'), collectionName: z.string() })
const AppleListed = z.object({
  collectionName: z.string(),
  artistName: z.string().nullish(),
  trackCount: z.int().nonnegative().nullish(),
  collectionViewUrl: z.url(),
  artworkUrl100: z.string().nullish(),
})
const AppleAnswer = z.object({ results: z.array(z.unknown()) })

/**
 * Songs and albums of Apple Music by the public look-up and search of the iTunes store, which know no playlists, and
 * artists only as a part of them.
 */
export function createAppleLinks(context: UpstreamContext, options: SiteOptions): LinkSite {
  const api = createUpstream(context, { id: 'itunes', name: 'Apple Music', ...options })
  const search = async (text: string, entity: 'song' | 'album', limit: number) => {
    const query = { term: text, media: 'music', entity, limit: Math.min(limit, LIST_MAX) }
    return (await api.get({ path: '/search', query, shape: AppleAnswer })).results
  }

  return {
    name: 'apple',
    sourceName: 'applemusic',
    claims: ({ host }) => host === 'music.apple.com' || host === 'itunes.apple.com' || host === 'geo.music.apple.com',
    async read(url) {
      const [, country = 'us', kind, id = ''] =
        /^\/([a-z]{2})\/(song|album)\/(?:[^/]+\/)?(?:id)?(\d{1,15})$/.exec(url.pathname) ?? []
      const song = url.searchParams.get('i') ?? (kind === 'song' ? id : '')
      if (!kind) return null
      const query = { id: /^\d{1,15}$/.test(song) ? song : id, entity: 'song', limit: LIST_MAX, country }
      const answer = await api.find({ path: '/lookup', query, shape: AppleAnswer, absent: notFound })
      const results = answer?.results ?? []
      const songs = usable(AppleSong, results).map(appleSong)
      const [album] = usable(AppleAlbum, results)
      return songs.length === 0 ? null : { songs, list: album?.collectionName ?? null }
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
