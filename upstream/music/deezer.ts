import { z } from 'zod'
import { createUpstream, notFound, urlPath, type UpstreamContext } from '../http/client.ts'
import { UpstreamFailure } from '../http/failure.ts'
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
const Collection = Cover.extend({ title: z.string(), tracks: List })
/** Failures come with status 200. */
const Refused = z.object({ error: z.object({ code: z.number() }) })
const NO_DATA = 800

export interface DeezerList {
  readonly title: string
  readonly tracks: readonly DeezerTrack[]
}

export interface Deezer {
  track(id: string): Promise<DeezerTrack | null>
  list(kind: 'album' | 'playlist', id: string): Promise<DeezerList | null>
  search(text: string, limit: number): Promise<readonly DeezerTrack[]>
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

  return {
    track: (id) => find(urlPath`/track/${id}`, Track),
    async list(kind, id) {
      const found = await find(urlPath`/${kind}/${id}`, Collection)
      if (!found) return null
      const { title, tracks, ...album } = found
      return {
        title,
        tracks: usable(Track, tracks.data).map((track) => Object.assign(track, { album: track.album ?? album })),
      }
    },
    search: (q, limit) => tracksOf('/search', { q, limit }),
    async radio(artist, title) {
      const [song] = await tracksOf('/search', { q: `artist:${quoted(artist)} track:${quoted(title)}`, limit: 1 })
      return song ? tracksOf(urlPath`/artist/${song.artist.id}/radio`, {}) : []
    },
  }
}
