import { Fault } from '../../../lib/errors.ts'
import type { WorkerHealth } from '../../../lib/workers/worker-health.ts'
import { createBreaker, type Breaker } from '../../../lib/sharing/breaker.ts'
import { createCache } from '../../../upstream/http/cache.ts'
import type { UpstreamContext } from '../../../upstream/http/client.ts'
import { createHelper, type Helper } from './helper-process.ts'
import { createLibraryClient } from './libraries.ts'
import { unavailable } from './refusals.ts'
import type { YouTubeClient, YouTubeList, YouTubePlayable, YouTubeVideo } from './schemas.ts'
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
  /** Health of the helper process. */
  health(): WorkerHealth
  close(): Promise<void>
}

export const YOUTUBE_CLIENTS = ['youtubei', 'yt-dlp', 'play-dl'] as const
type YouTubeClientName = (typeof YOUTUBE_CLIENTS)[number]

interface YouTubeOptions extends YtDlpOptions {
  /** Clients in their initial order. */
  readonly clients: readonly YouTubeClientName[]
  readonly baseUrl: string
  readonly allowHosts: readonly string[]
  readonly poToken: string | null
  readonly visitorData: string | null
  readonly cacheMax: number
}

/** Addresses of sound last some hours; titles change. */
const KNOWN_MS = 300_000
/** After this many failures in a row a way is left alone for a while: each one costs seconds. */
const FAILURES_MAX = 3

interface Way {
  readonly client: YouTubeClient
  readonly breaker: Breaker
  /** Why it rests, while it does. */
  failure: unknown
}

/** Reasons of failed ways, the most telling first. */
const TELLING = ['source_refused', 'unreachable', 'no_answer'] as const
const UNABLE = 'No client in YOUTUBE_CLIENTS supports this.'

type Task = 'search' | 'songs' | 'list' | 'mix' | 'video'

/**
 * Each question goes to the way that answered such questions best of late, at first in the configured order; what fails
 * is asked of the next one.
 */
export function createYouTube(context: UpstreamContext, options: YouTubeOptions): YouTube {
  const { baseUrl, allowHosts, poToken, visitorData, cacheMax: max, cookiesFile } = options
  const { now, metrics, log } = context
  const helper = createHelper({ log, settings: { baseUrl, allowHosts, poToken, visitorData } })
  const ways = createWays(context, options, helper)
  const order = () => createWayOrder(ways, { now })
  const orders = { search: order(), songs: order(), list: order(), mix: order(), video: order() }
  const known = createCache<YouTubePlayable>({ name: 'youtube', max, ttlMs: KNOWN_MS, metrics, now })
  // A signed-in client sees more than the others.
  const isLast = ({ name }: YouTubeClient) => name === 'yt-dlp' || cookiesFile === null

  async function inTurn<T>(
    task: Task,
    ask: (client: YouTubeClient) => Promise<T> | undefined,
    signal?: AbortSignal,
  ): Promise<T> {
    const failures: unknown[] = []
    const learned = orders[task]
    for (const way of learned.order()) {
      const { client, breaker } = way
      const isAsked = breaker.admits()
      const answer = isAsked ? ask(client) : undefined
      if (answer === undefined) {
        if (isAsked) breaker.calledOff()
        else failures.push(way.failure)
        continue
      }
      try {
        const found = await answer
        breaker.succeeded()
        learned.succeeded(way)
        return found
      } catch (error) {
        settle(breaker, error, signal)
        if (isAboutTheVideo(error)) learned.succeeded(way)
        else learned.failed(way)
        if (isAboutTheVideo(error) && isLast(client)) throw error
        way.failure = error
        failures.push(error)
      }
    }
    throw together(failures)
  }

  return {
    search: (text, limit, signal) => inTurn('search', (client) => client.search(text, limit, signal), signal),
    songs: (text, limit, signal) => inTurn('songs', (client) => client.songs?.(text, limit, signal), signal),
    list: (id, signal) => inTurn('list', (client) => client.list(id, signal), signal),
    mix: (id, limit, signal) => inTurn('mix', (client) => client.mix?.(id, limit, signal), signal),
    async video(id, isFresh = false) {
      if (isFresh) known.forget(id)
      return known.get(id, () => inTurn('video', (client) => client.video?.(id)))
    },
    health: () => helper.health(),
    close: () => helper.close(),
  }
}

function createWays(context: UpstreamContext, options: YouTubeOptions, helper: Helper): readonly Way[] {
  const { now } = context
  return options.clients.map((name) => ({
    client: name === 'yt-dlp' ? createYtDlp(context, options) : createLibraryClient(context, helper, name),
    breaker: createBreaker({ now, failures: FAILURES_MAX }),
    failure: null,
  }))
}

function settle(breaker: Breaker, error: unknown, signal: AbortSignal | undefined): void {
  if (signal?.aborted) {
    breaker.calledOff()
    throw error
  }
  if (isAboutTheVideo(error)) breaker.succeeded()
  else breaker.failed()
}

function isAboutTheVideo(error: unknown): boolean {
  return error instanceof Fault && error.code === 'validation_error'
}

/** The error when no client could answer: a reason of the video's own, or the failures of all clients. */
function together(failures: readonly unknown[]): unknown {
  const own = failures.find(isAboutTheVideo)
  const words = failures.flatMap((failure) => (failure instanceof Fault ? failure.message : []))
  if (own !== undefined) return own
  if (words.length < failures.length) return failures.find((failure) => !(failure instanceof Fault))
  const reasons = new Set(failures.map((failure) => (failure as Fault).reason))
  const reason = TELLING.find((one) => reasons.has(one)) ?? 'not_configured'
  return unavailable([...new Set(words)].join(' ') || UNABLE, failures, reason)
}
