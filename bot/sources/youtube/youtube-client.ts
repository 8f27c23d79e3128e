import type { WorkerHealth } from '../../../lib/workers/worker-health.ts'
import { createCache } from '../../../upstream/http/cache.ts'
import type { UpstreamContext } from '../../../upstream/http/client.ts'
import { createSiteBudget } from '../site-budget.ts'
import type { BudgetStatus, WayStatus } from '../source-state.ts'
import { createHelper, type Helper } from './helper-process.ts'
import { createLibraryClient } from './libraries.ts'
import { askInTurn, createWay, type Way } from './in-turn.ts'
import type { YouTubeClient, YouTubeClientName, YouTubeList, YouTubePlayable, YouTubeVideo } from './schemas.ts'
import { createTokenProvider } from './token-provider.ts'
import { createVideoWays } from './video-ways.ts'
import { createWayOrder } from './way-order.ts'
import { createYtDlp, type YtDlpOptions } from './yt-dlp.ts'

/** YouTube, however it can be asked. */
export interface YouTube {
  search(text: string, limit: number, signal: AbortSignal): Promise<readonly YouTubeVideo[]>
  /** Songs alone, by YouTube Music. */
  songs(text: string, limit: number, signal: AbortSignal): Promise<readonly YouTubeVideo[]>
  list(id: string, signal: AbortSignal): Promise<YouTubeList>
  /**
   * Shared with concurrent requests, and cached for some minutes unless `isFresh`.
   * @throws {Fault} `validation_error` for what cannot be had, with YouTube's reason.
   */
  video(id: string, isFresh?: boolean): Promise<YouTubePlayable>
  /** The endless mix that begins with a video, without that one. */
  mix(id: string, limit: number, signal: AbortSignal): Promise<readonly YouTubeVideo[]>
  /** Ways to the audio of videos, in the order in which they are tried now. */
  ways(): readonly WayStatus[]
  /** Lookups that YouTube may still get; what was found before counts for none. */
  budget(): BudgetStatus
  /** Health of the helper process. */
  health(): WorkerHealth
  close(): Promise<void>
}

interface YouTubeOptions extends Omit<YtDlpOptions, 'tokens'> {
  /** Clients in their initial order. */
  readonly clients: readonly YouTubeClientName[]
  readonly baseUrl: string
  readonly allowHosts: readonly string[]
  readonly tokenProviderUrl: string | null
  readonly visitorData: string | null
  readonly cacheMax: number
}

type ClientOptions = YouTubeOptions & Pick<YtDlpOptions, 'tokens'>

/** For addresses that do not say how long they last. */
const KNOWN_MS = 300_000
const KNOWN_MAX_MS = 10_800_000
const EXPIRY_SPARE_MS = 900_000
type Task = 'search' | 'songs' | 'list' | 'mix'

/**
 * Each question goes to the way that answered such questions best of late, at first in the configured order; what fails
 * is asked of the next one.
 */
export function createYouTube(context: UpstreamContext, options: YouTubeOptions): YouTube {
  const { baseUrl, allowHosts, tokenProviderUrl, visitorData, cacheMax: max } = options
  const { now, date, metrics, log } = context
  const tokens = createTokenProvider(context, { baseUrl: tokenProviderUrl })
  const settings = { baseUrl, allowHosts, visitorData, hasTokens: tokenProviderUrl !== null }
  const helper = createHelper({ log, settings, findToken: tokens.find })
  const clients = createClients(context, { ...options, tokens: { ...tokens, baseUrl: tokenProviderUrl } }, helper)
  const ways = clients.map((client) => createWay(client.name, client, now))
  const order = () => createWayOrder(ways, { now })
  const orders = { search: order(), songs: order(), list: order(), mix: order() }
  const known = createCache<YouTubePlayable>({ name: 'youtube', max, ttlMs: (it) => holdsMs(it, date()), metrics, now })
  const budget = createSiteBudget('YouTube', now)
  const videos = createVideoWays({ ...options, clients, hasTokens: settings.hasTokens, now })

  async function inTurn<T>(task: Task, ask: (client: YouTubeClient) => Promise<T> | undefined, signal: AbortSignal) {
    const learned = orders[task]
    budget.take()
    return askInTurn({ ways: learned.order(), learned, isFinal, ask: ({ client }) => ask(client), signal })
  }
  // A signed-in client sees more than the others.
  const isFinal = ({ name }: Way) => name === 'yt-dlp' || options.cookiesFile === null
  const find = (id: string, isFresh: boolean) =>
    known.get(id, async () => {
      budget.take()
      return videos.find(id, isFresh)
    })

  return {
    search: (text, limit, signal) => inTurn('search', (client) => client.search(text, limit, signal), signal),
    songs: (text, limit, signal) => inTurn('songs', (client) => client.songs?.(text, limit, signal), signal),
    list: (id, signal) => inTurn('list', (client) => client.list(id, signal), signal),
    mix: (id, limit, signal) => inTurn('mix', (client) => client.mix?.(id, limit, signal), signal),
    async video(id, isFresh = false) {
      if (isFresh) known.forget(id)
      const found = await find(id, isFresh)
      // The process that served it is gone.
      if (typeof found.operatorHost !== 'string' || found.operatorHost === helper.served.at) return found
      known.forget(id)
      return find(id, false)
    },
    ways: () => videos.states(),
    budget: () => budget.status(),
    health: () => helper.health(),
    close: () => helper.close(),
  }
}

/** Addresses last some hours, and say how many. */
function holdsMs({ url, operatorHost }: YouTubePlayable, dateMs: number): number {
  const expireSeconds = Number(URL.parse(url ?? '')?.searchParams.get('expire') ?? 0)
  if (typeof operatorHost === 'string' || !(expireSeconds > 0)) return KNOWN_MS
  return Math.min(Math.max(KNOWN_MS, expireSeconds * 1000 - dateMs - EXPIRY_SPARE_MS), KNOWN_MAX_MS)
}

function createClients(context: UpstreamContext, options: ClientOptions, helper: Helper): readonly YouTubeClient[] {
  return options.clients.map((name) =>
    name === 'yt-dlp' ? createYtDlp(context, options) : createLibraryClient(context, helper, name),
  )
}
