import { z } from 'zod'
import { createCache, type CachedService } from '../../../upstream/http/cache.ts'
import { createUpstream, notFound, type UpstreamContext } from '../../../upstream/http/client.ts'
import { usable } from '../../../upstream/music/schemas.ts'

// Apple's directory, by the iTunes Search API, which needs no key and allows some twenty calls a minute.

const CACHE_MS = 6 * 3_600_000
/** The most that one answer holds. */
const LIMIT_MAX = 50

const Show = z.object({
  collectionId: z.int(),
  collectionName: z.string(),
  artistName: z.string().nullish(),
  trackCount: z.int().nullish(),
  artworkUrl600: z.string().nullish(),
  feedUrl: z.string().min(1),
})
export type Show = z.output<typeof Show>

const Episode = z.object({
  trackId: z.int(),
  trackName: z.string(),
  collectionName: z.string().nullish(),
  trackTimeMillis: z.number().nonnegative().nullish(),
  artworkUrl600: z.string().nullish(),
  episodeUrl: z.string().min(1),
})
export type DirectoryEpisode = z.output<typeof Episode>

const Answer = z.object({ results: z.array(z.unknown()) })

export type PodcastDirectory = ReturnType<typeof createPodcastDirectory>

export function createPodcastDirectory(context: UpstreamContext, options: CachedService) {
  const { cacheMax: max, ...site } = options
  const { metrics, now } = context
  const api = createUpstream(context, { id: 'podcasts', name: 'Apple Podcasts', ...site })
  const cache = createCache<readonly unknown[]>({ name: 'podcasts', max, ttlMs: CACHE_MS, metrics, now })

  const ask = (path: '/search' | '/lookup', query: Readonly<Record<string, string | number>>) =>
    cache.get(JSON.stringify([path, query]), async () => {
      const answer = await api.find({ path, query, shape: Answer, absent: notFound })
      return answer?.results ?? []
    })
  const search = (text: string, entity: string) =>
    ask('/search', { term: text, media: 'podcast', entity, limit: LIMIT_MAX })

  return {
    shows: async (text: string, limit: number): Promise<readonly Show[]> =>
      usable(Show, await search(text, 'podcast')).slice(0, limit),
    episodes: async (text: string, limit: number): Promise<readonly DirectoryEpisode[]> =>
      usable(Episode, await search(text, 'podcastEpisode')).slice(0, limit),
    /** Finds a show by the number in a link; null if there is none. */
    show: async (id: string): Promise<Show | null> =>
      usable(Show, await ask('/lookup', { id, entity: 'podcast' }))[0] ?? null,
    episode: async (showId: string, episodeId: string): Promise<DirectoryEpisode | null> => {
      const found = await ask('/lookup', { id: showId, media: 'podcast', entity: 'podcastEpisode', limit: 200 })
      return usable(Episode, found).find(({ trackId }) => String(trackId) === episodeId) ?? null
    },
  }
}
