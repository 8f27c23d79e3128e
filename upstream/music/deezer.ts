import { z } from 'zod'
import { createUpstream, notFound, urlPath, type UpstreamContext } from '../http/client.ts'
import { UpstreamFailure } from '../http/failure.ts'
import { readPages } from './list-pages.ts'
import { usable } from './schemas.ts'

const Cover = z.object({ cover_big: z.string().nullish(), cover_xl: z.string().nullish() })
const Track = z.object({
  id: z.int().positive(),
  title: z.string(),
  duration: z.number().nonnegative(),
  isrc: z.string().nullish(),
  artist: z.object({ id: z.int(), name: z.string() }),
  album: Cover.nullish(),
})
export type DeezerTrack = z.output<typeof Track>

const List = z.object({ data: z.array(z.unknown()) })
const Artist = z.object({ name: z.string() })
/** An album, artist or playlist in a search. */
const Listed = Cover.extend({
  id: z.int().positive(),
  title: z.string().nullish(),
  name: z.string().nullish(),
  picture_xl: z.string().nullish(),
  nb_tracks: z.int().nonnegative().nullish(),
  artist: Artist.nullish(),
  user: Artist.nullish(),
})
const Collection = Cover.extend({
  title: z.string(),
  tracks: List,
  nb_tracks: z.int().nonnegative().nullish(),
})
/** Failures come with status 200. */
const Refused = z.object({ error: z.object({ code: z.number() }) })
const NO_DATA = 800
const TOP_TRACKS = 50
/** Well below the bound on the size of an answer. */
const PAGE_SIZE = 500

export interface DeezerList {
  readonly title: string
  readonly tracks: readonly DeezerTrack[]
  /** Number of its entries on Deezer; left out where a list has no end of its own. */
  readonly total?: number
}

type DeezerListKind = 'album' | 'artist' | 'playlist'

/** A list without its tracks. */
interface ListedOnDeezer {
  readonly id: number
  readonly title: string
  readonly author: string | null
  readonly trackCount: number | null
  readonly artworkUrl: string | null
}

interface DeezerListSearch {
  readonly text: string
  /** Whose the albums are. */
  readonly artist?: string
  readonly limit: number
  readonly offset: number
}

export interface Deezer {
  track(id: string): Promise<DeezerTrack | null>
  /** By its ISRC. */
  recording(isrc: string): Promise<DeezerTrack | null>
  /** Of an artist, the best known songs. */
  list(kind: DeezerListKind, id: string, limit: number): Promise<DeezerList | null>
  lists(kind: DeezerListKind, search: DeezerListSearch): Promise<readonly ListedOnDeezer[]>
  search(text: string, limit: number): Promise<readonly DeezerTrack[]>
  artistRadio(id: string): Promise<readonly DeezerTrack[]>
  /** What goes with an artist's songs. */
  radio(artist: string, title: string): Promise<readonly DeezerTrack[]>
}

const quoted = (text: string): string => `"${text.replaceAll('"', ' ')}"`

export function createDeezer(
  context: UpstreamContext,
  { baseUrl, timeoutMs }: { readonly baseUrl: string; readonly timeoutMs: number },
): Deezer {
  const spec = { id: 'deezer', name: 'Deezer', baseUrl, timeoutMs }
  const api = createUpstream(context, spec)

  async function find<S extends z.ZodType>(
    path: string,
    shape: S,
    query: Readonly<Record<string, string | number>> = {},
  ): Promise<z.output<S> | null> {
    const answer = await api.find({ path, query, shape: z.union([Refused, shape]), absent: notFound })
    const refused = Refused.safeParse(answer)
    if (!refused.success) return answer as z.output<S> | null
    if (refused.data.error.code === NO_DATA) return null
    throw new UpstreamFailure({ kind: 'refused', name: spec.name, host: api.host, body: refused.data })
  }

  const tracksOf = async (path: string, query: Readonly<Record<string, string | number>>) =>
    usable(Track, (await find(path, List, query))?.data ?? [])

  const artistRadio = (id: string) => tracksOf(urlPath`/artist/${id}/radio`, {})

  async function topOf(artist: string): Promise<DeezerList | null> {
    const found = await find(urlPath`/artist/${artist}`, Artist)
    const tracks = found && (await tracksOf(urlPath`/artist/${artist}/top`, { limit: TOP_TRACKS }))
    return found && tracks && { title: `${found.name}: Top Tracks`, tracks }
  }

  return {
    track: (id) => find(urlPath`/track/${id}`, Track),
    recording: (isrc) => find(urlPath`/track/isrc:${isrc}`, Track),
    async list(kind, id, limit) {
      if (kind === 'artist') return topOf(id)
      const found = await find(urlPath`/${kind}/${id}`, Collection)
      if (!found) return null
      const { title, tracks, nb_tracks: count, ...album } = found
      const known = tracks.data.length
      const total = count ?? known
      const read = async (index: number) =>
        (await find(urlPath`/${kind}/${id}/tracks`, List, { index, limit: PAGE_SIZE }))?.data ?? []
      const rest = await readPages({ known, wanted: Math.min(total, limit), pageSize: PAGE_SIZE, read })
      const all = usable(Track, [...tracks.data, ...rest])
      return { title, tracks: all.map((track) => Object.assign(track, { album: track.album ?? album })), total }
    },
    async lists(kind, { text, artist, limit, offset }) {
      const q = artist === undefined ? text : `artist:${quoted(artist)} ${text}`.trim()
      const found = await find(urlPath`/search/${kind}`, List, { q, limit, index: offset })
      return usable(Listed, found?.data ?? []).map(toListed)
    },
    search: (q, limit) => tracksOf('/search', { q, limit }),
    artistRadio,
    async radio(artist, title) {
      const [song] = await tracksOf('/search', { q: `artist:${quoted(artist)} track:${quoted(title)}`, limit: 1 })
      return song ? artistRadio(String(song.artist.id)) : []
    },
  }
}

function toListed(list: z.output<typeof Listed>): ListedOnDeezer {
  return {
    id: list.id,
    title: list.title ?? list.name ?? 'Deezer',
    author: list.artist?.name ?? list.user?.name ?? null,
    trackCount: list.nb_tracks ?? null,
    artworkUrl: list.cover_xl ?? list.cover_big ?? list.picture_xl ?? null,
  }
}
