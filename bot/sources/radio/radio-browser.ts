import { z } from 'zod'
import { createCache } from '../../../upstream/http/cache.ts'
import { notFound, urlPath, type UpstreamContext } from '../../../upstream/http/client.ts'
import { usable } from '../../../upstream/music/schemas.ts'
import { createRadioServers, type RadioServersOptions } from './radio-servers.ts'

const Station = z.object({
  stationuuid: z.uuid(),
  name: z.string(),
  url_resolved: z.url({ protocol: /^https?$/ }),
  homepage: z.string().default(''),
  favicon: z.string().nullish(),
  country: z.string().default(''),
  lastcheckok: z.coerce.number().default(1),
})
export type Station = z.output<typeof Station>

const Click = z.object({ ok: z.union([z.boolean(), z.string()]), url: z.string().default('') })

/** Search for stations. All given fields must match. */
export interface StationRequest {
  /** A part of it. */
  readonly name?: string
  /** Two letters (ISO 3166), or a part of its English name. */
  readonly country?: string
  /** A whole one: `jazz`, `smooth jazz`. */
  readonly tag?: string
  /** English name, or two letters (ISO 639). */
  readonly language?: string
}

/** The free directory of internet radios. */
export type RadioBrowser = ReturnType<typeof createRadioBrowser>

const SEARCH_MS = 600_000

export function createRadioBrowser(
  context: UpstreamContext,
  options: RadioServersOptions & { readonly cacheMax: number },
) {
  const { cacheMax } = options
  const { metrics, now } = context
  const servers = createRadioServers(context, options)
  const cache = createCache<readonly Station[]>({
    name: 'radio-browser',
    max: cacheMax,
    ttlMs: SEARCH_MS,
    metrics,
    now,
  })

  async function search(wish: StationRequest, limit: number): Promise<readonly Station[]> {
    // One station often has several entries for the same stream.
    const query = { ...queryOf(wish), limit: limit * 3, order: 'clickcount', reverse: 'true', hidebroken: 'true' }
    const found = await servers.ask((server) =>
      server.get({ path: '/json/stations/search', query, shape: z.array(z.unknown()) }),
    )
    const playing = usable(Station, found).filter(({ lastcheckok }) => lastcheckok === 1)
    return [...new Map(playing.toReversed().map((it) => [it.url_resolved, it])).values()].toReversed().slice(0, limit)
  }

  return {
    /** Stations that played when they were last checked, the most listened to first. */
    search: (wish: StationRequest, limit: number): Promise<readonly Station[]> =>
      cache.get(`${limit} ${JSON.stringify(queryOf(wish)).toLowerCase()}`, () => search(wish, limit)),
    /**
     * Current address of a station; null when the directory no longer has it. Counts as one listener, as the directory
     * asks of players: only for a station that is about to play.
     */
    async addressOf(stationId: string): Promise<string | null> {
      const found = await servers.ask((server) =>
        server.find({ path: urlPath`/json/url/${stationId}`, shape: Click, absent: notFound }),
      )
      return found && String(found.ok) === 'true' && URL.canParse(found.url) ? found.url : null
    },
  }
}

const ENGLISH = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' })

/** Parameters of the directory's search. */
function queryOf({ name, country, tag, language }: StationRequest): Readonly<Record<string, string>> {
  const place = country && (/^[a-z]{2}$/i.test(country) ? { countrycode: country.toUpperCase() } : { country })
  const spoken = language && /^[a-z]{2}$/i.test(language) ? (ENGLISH.of(language) ?? language) : language
  return {
    ...(name && { name }),
    ...place,
    ...(tag && { tag: tag.toLowerCase(), tagExact: 'true' }),
    ...(spoken && { language: spoken.toLowerCase() }),
  }
}
