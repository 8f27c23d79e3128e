import { z } from 'zod'
import { Fault } from '../../../lib/errors.ts'
import { createUpstream, notFound, type UpstreamContext } from '../../../upstream/http/client.ts'
import type { Egress } from '../../../upstream/egress/egress-guard.ts'
import type { Deezer, DeezerTrack } from '../../../upstream/music/deezer.ts'
import { readPage } from '../../../upstream/music/page.ts'
import { usable } from '../../../upstream/music/schemas.ts'

/** A song on a site whose audio cannot be played elsewhere. */
export interface LinkedSong {
  /** The site's own. */
  readonly id: string
  readonly title: string
  readonly artist: string
  readonly lengthMs: number
  readonly url: string
  readonly artworkUrl: string | null
  readonly isrc: string | null
}

export interface Linked {
  readonly songs: readonly LinkedSong[]
  /** The name of the album or playlist; null for a single song. */
  readonly list: string | null
}

/** A site whose links say which songs are meant. */
export interface LinkSite {
  /** As in `MUSIC_SOURCES`. */
  readonly name: 'spotify' | 'deezer' | 'apple'
  /** As in tokens. */
  readonly sourceName: 'spotify' | 'deezer' | 'applemusic'
  claims(url: URL): boolean
  /** The songs behind a link; null when it leads to none. */
  read(url: URL, signal: AbortSignal): Promise<Linked | null>
}

interface SiteOptions {
  readonly baseUrl: string
  readonly timeoutMs: number
}

const LIST_MAX = 200

const isShort = ({ host }: URL): boolean => host === 'link.deezer.com' || host === 'deezer.page.link'
const isPage = ({ host }: URL): boolean => host === 'deezer.com' || host === 'www.deezer.com'

export function createDeezerLinks(deezer: Deezer, egress: Egress): LinkSite {
  return {
    name: 'deezer',
    sourceName: 'deezer',
    claims: (url) => isPage(url) || isShort(url),
    async read(url, signal) {
      const page = isShort(url) ? await behind(url, egress, signal) : url
      if (!isPage(page)) return null
      const [, kind, id = ''] = /\/(track|album|playlist)\/(\d{1,15})(?:\/|$)/.exec(page.pathname) ?? []
      if (kind === 'track') {
        const track = await deezer.track(id)
        return track && { songs: [deezerSong(track)], list: null }
      }
      const found = kind === 'album' || kind === 'playlist' ? await deezer.list(kind, id) : null
      return found && { songs: found.tracks.slice(0, LIST_MAX).map(deezerSong), list: found.title }
    },
  }
}

async function behind(url: URL, egress: Egress, signal: AbortSignal): Promise<URL> {
  const answer = await egress.open(url.href, { signal })
  answer.body.destroy()
  return answer.url
}

function deezerSong({ id, title, artist, duration, album, isrc }: DeezerTrack): LinkedSong {
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
const AppleAnswer = z.object({ results: z.array(z.unknown()) })

/** Songs and albums of Apple Music by the public look-up of the iTunes store, which knows no playlists. */
export function createAppleLinks(context: UpstreamContext, options: SiteOptions): LinkSite {
  const api = createUpstream(context, { id: 'itunes', name: 'Apple Music', ...options })
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
  }
}

function appleSong(song: z.output<typeof AppleSong>): LinkedSong {
  return {
    id: String(song.trackId),
    title: song.trackName,
    artist: song.artistName,
    lengthMs: Math.round(song.trackTimeMillis ?? 0),
    url: song.trackViewUrl,
    artworkUrl: song.artworkUrl100?.replace('100x100bb', '600x600bb') ?? null,
    isrc: null,
  }
}

const SpotifyListed = z.object({
  uri: z.string().regex(/^spotify:track:[A-Za-z0-9]{22}$/),
  title: z.string(),
  subtitle: z.string(),
  duration: z.number().nonnegative(),
})
const SpotifyEntity = z.object({
  id: z.string().default(''),
  name: z.string(),
  artists: z.array(z.object({ name: z.string() })).nullish(),
  duration: z.number().nonnegative().nullish(),
  trackList: z.array(z.unknown()).nullish(),
  visualIdentity: z
    .object({ image: z.array(z.object({ url: z.string(), maxWidth: z.number().default(0) })).default([]) })
    .nullish(),
  /** Of lists, which have no pictures in `visualIdentity`. */
  coverArt: z
    .object({ sources: z.array(z.object({ url: z.string(), width: z.number().nullish() })).default([]) })
    .nullish(),
})
/** What is not there has status 200 and no `state`. */
const SpotifyPage = z.object({
  props: z.object({
    pageProps: z.object({ state: z.object({ data: z.object({ entity: SpotifyEntity }) }).nullish() }),
  }),
})

const CHANGED = 'Spotify shows its songs in another form than expected.'
const EMBED_BYTES = 4 * 1024 * 1024

/** Songs, albums and playlists of Spotify as the players show them that sites embed; those need no key. */
export function createSpotifyLinks({
  egress,
  baseUrl,
}: {
  readonly egress: Egress
  readonly baseUrl: string
}): LinkSite {
  return {
    name: 'spotify',
    sourceName: 'spotify',
    claims: ({ host }) => host === 'open.spotify.com' || host === 'spotify.link',
    async read(url, signal) {
      const page = url.host === 'spotify.link' ? await behind(url, egress, signal) : url
      const [, kind, id = ''] = /\/(track|album|playlist)\/([A-Za-z0-9]{22})$/.exec(page.pathname) ?? []
      if (!kind) return null
      const options = { egress, name: 'Spotify', signal, maxBytes: EMBED_BYTES }
      const { text, status } = await readPage(`${baseUrl}/embed/${kind}/${id}`, options)
      if (status === 404) return null
      const [, script = ''] = text.split('<script id="__NEXT_DATA__"', 2)
      const [json = ''] = script.slice(script.indexOf('>') + 1).split('</script>', 1)
      const parsed = SpotifyPage.safeParse(fromJson(json))
      if (!parsed.success) throw new Fault('service_unavailable', CHANGED, { reason: 'no_answer' })
      const entity = parsed.data.props.pageProps.state?.data.entity
      return entity ? spotifySongs(entity, kind, id) : null
    },
  }
}

function spotifySongs(entity: z.output<typeof SpotifyEntity>, kind: string, id: string): Linked | null {
  const pictures = (entity.visualIdentity?.image ?? []).map(({ url, maxWidth: width }) => ({ url, width }))
  const covers = (entity.coverArt?.sources ?? []).map(({ url, width }) => ({ url, width: width ?? 0 }))
  const artworkUrl = [...pictures, ...covers].toSorted((one, other) => other.width - one.width)[0]?.url ?? null
  const song = (of: { id: string; title: string; artist: string; lengthMs: number }): LinkedSong =>
    Object.assign(of, { url: `https://open.spotify.com/track/${of.id}`, artworkUrl, isrc: null })
  if (kind === 'track') {
    const artist = (entity.artists ?? []).map(({ name }) => name).join(', ')
    return { songs: [song({ id, title: entity.name, artist, lengthMs: entity.duration ?? 0 })], list: null }
  }
  const songs = usable(SpotifyListed, entity.trackList ?? []).map(({ uri, title, subtitle, duration }) =>
    // Names of several artists are parted by unbreakable spaces.
    song({ id: uri.slice(14), title, artist: subtitle.replaceAll('\u00a0', ' '), lengthMs: duration }),
  )
  return songs.length === 0 ? null : { songs: songs.slice(0, LIST_MAX), list: entity.name }
}

function fromJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
