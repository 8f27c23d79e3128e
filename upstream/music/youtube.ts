import { z } from 'zod'
import { Fault, unprocessable } from '../../errors.ts'
import { createCache } from '../cache.ts'
import type { UpstreamContext } from '../client.ts'
import { runChild, type ChildOutcome } from './child.ts'
import { usable } from './shapes.ts'

const Video = z.object({
  id: z.string().regex(/^[A-Za-z0-9_-]{11}$/),
  title: z.string(),
  artists: z.array(z.string()).nullish(),
  artist: z.string().nullish(),
  channel: z.string().nullish(),
  uploader: z.string().nullish(),
  duration: z.number().nonnegative().nullish(),
  is_live: z.boolean().nullish(),
  live_status: z.string().nullish(),
})
const Playable = Video.extend({
  url: z.url({ protocol: /^https?$/ }).nullish(),
  ext: z.string().nullish(),
  acodec: z.string().nullish(),
  protocol: z.string().nullish(),
})
const List = z.object({ title: z.string().nullish(), entries: z.array(z.unknown()) })

export type YouTubeVideo = z.output<typeof Video>
export type YouTubePlayable = z.output<typeof Playable>

export interface YouTube {
  search(text: string, limit: number, signal: AbortSignal): Promise<readonly YouTubeVideo[]>
  /** @throws {Fault} `validation_error` on `field` for what cannot be had, with YouTube's reason. Shared with whoever asks meanwhile. */
  video(id: string, field: string): Promise<YouTubePlayable>
  list(id: string, signal: AbortSignal): Promise<{ readonly title: string; readonly videos: readonly YouTubeVideo[] }>
  /** The endless mix that begins with a video, without that one. */
  mix(id: string, limit: number, signal: AbortSignal): Promise<readonly YouTubeVideo[]>
}

export interface YouTubeOptions {
  readonly command: string
  /** What runs YouTube's own JavaScript, in yt-dlp's words: `node:/usr/bin/node`. */
  readonly jsRuntime: string
  readonly cookiesFile: string | null
  readonly cacheMax: number
  /** Of one run. */
  readonly timeoutMs?: number
}

const TIMEOUT_MS = 25_000
const OUTPUT_BYTES = 16 * 1024 * 1024
const RUNS_AT_ONCE = 4
const RUNS_WAITING = 16
/** Addresses of sound last some hours; titles change. */
const KNOWN_MS = 300_000
const LIST_MAX = 200
/** Sound as one file that is read by ranges: best as it is sent to Discord. */
const FORMAT = 'bestaudio[acodec=opus][protocol=https]/bestaudio[protocol=https]/best[protocol=https]'
const ALWAYS =
  '--ignore-config --no-warnings --no-progress --no-cache-dir --socket-timeout 10 --retries 1 --dump-single-json'

/** YouTube by way of yt-dlp, which runs as a child: neither its code nor YouTube's runs in this process. */
export function createYouTube(context: UpstreamContext, options: YouTubeOptions): YouTube {
  const { command, cacheMax: max, timeoutMs = TIMEOUT_MS } = options
  const { log, metrics, now, closing } = context
  const turns = createTurns()
  const known = createCache<YouTubePlayable>({ name: 'youtube', max, ttlMs: KNOWN_MS, metrics, now })
  const always = optionsOf(options)

  /** `address` is made by us: behind `--` nothing is read as an option. */
  async function run(
    address: string,
    args: readonly string[],
    signal: AbortSignal | null,
    field: string,
  ): Promise<unknown> {
    const late = AbortSignal.timeout(timeoutMs)
    const either = AbortSignal.any([late, closing, ...(signal ? [signal] : [])])
    const startedAtMs = now()
    const outcome = await turns(either, () =>
      runChild({ command, args: [...always, ...args, '--', address], signal: either, maxBytes: OUTPUT_BYTES }),
    ).catch((cause: Error & { code?: string }) => {
      if (cause instanceof Fault) throw cause
      signal?.throwIfAborted()
      const why = cause.code === 'ENOENT' ? 'yt-dlp is not installed here' : 'yt-dlp did not get to work'
      throw unavailable(`YouTube cannot be asked: ${why}.`, cause)
    })
    signal?.throwIfAborted()
    const answer = outcome.code === 0 ? fromJson(outcome.output) : undefined
    metrics.called('youtube', answer === undefined ? 'broken' : 'answered', now() - startedAtMs)
    if (answer !== undefined) return answer
    log.warn({ upstream: 'youtube', code: outcome.code, complaint: outcome.complaint.slice(-300) }, 'yt-dlp failed')
    throw faultOf(outcome, late.aborted, field)
  }

  async function list(address: string, most: number, signal: AbortSignal) {
    const answer = await run(address, ['--flat-playlist', '-I', `1:${most}`], signal, 'body.query')
    const found = List.safeParse(answer)
    if (!found.success) throw unavailable('YouTube answered in a form that could not be read; try again later.')
    return { title: found.data.title ?? 'YouTube', videos: usable(Video, found.data.entries).filter(isThere) }
  }

  return {
    async search(text, limit, signal) {
      const words = text.replaceAll(/\p{Cc}+/gu, ' ')
      return (await list(`ytsearch${limit}:${words}`, limit, signal)).videos
    },
    video: (id, field) =>
      known.get(id, async () => {
        const answer = await run(videoUrl(id), ['--no-playlist', '-f', FORMAT], null, field)
        const found = Playable.safeParse(answer)
        if (!found.success) throw unavailable('YouTube answered in a form that could not be read; try again later.')
        return found.data
      }),
    list: (id, signal) => list(`https://www.youtube.com/playlist?list=${encodeURIComponent(id)}`, LIST_MAX, signal),
    async mix(id, limit, signal) {
      const { videos } = await list(`${videoUrl(id)}&list=RD${id}`, limit + 1, signal)
      return videos.filter((video) => video.id !== id).slice(0, limit)
    },
  }
}

function optionsOf({ jsRuntime, cookiesFile }: YouTubeOptions): readonly string[] {
  const cookies = cookiesFile === null ? [] : ['--cookies', cookiesFile]
  return [...ALWAYS.split(' '), '--js-runtimes', jsRuntime, ...cookies]
}

export function videoUrl(id: string): string {
  return `https://www.youtube.com/watch?v=${id}`
}

function isThere({ title }: YouTubeVideo): boolean {
  return title !== '[Private video]' && title !== '[Deleted video]'
}

/** A few runs at once; a few more wait for them. */
function createTurns() {
  const running = new Set<Promise<unknown>>()
  let waiting = 0
  return async <T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> => {
    if (waiting >= RUNS_WAITING) throw unavailable('YouTube is being asked too much at once; try again in a moment.')
    waiting += 1
    // Every run ends in its own time, whatever becomes of it.
    while (running.size >= RUNS_AT_ONCE) await Promise.race(running).catch(() => undefined)
    waiting -= 1
    signal.throwIfAborted()
    const run = work()
    running.add(run)
    return run.finally(() => running.delete(run))
  }
}

/** What yt-dlp says of a video that cannot be had, and what we say. Anything else is not the video's fault. */
const REASONS: readonly (readonly [RegExp, string])[] = [
  [/Private video|Video is private/i, 'This video is private.'],
  [/members-only|join this channel/i, 'This video is for members of its channel only.'],
  [/confirm your age|age-restricted/i, 'YouTube shows this video only to people who have signed in as adults.'],
  [/not available in your country|geo.?restrict/i, 'YouTube does not show this video in this country.'],
  [/live event will begin|Premieres in/i, 'This has not begun yet.'],
  [/Requested format is not available/i, 'This comes only as a live stream or in a form that cannot be played here.'],
  [/playlist does not exist|playlist type is unviewable/i, 'YouTube has no such playlist, or it is private.'],
  [
    /Video unavailable|has been removed|This video is (?:not|no longer) available/i,
    'YouTube does not have this video any more.',
  ],
  [/Unsupported URL|is not a valid URL|Incomplete YouTube ID/i, 'YouTube has nothing at this address.'],
]

function faultOf({ complaint, code }: ChildOutcome, isLate: boolean, field: string): Fault {
  if (isLate) return unavailable('YouTube did not answer in time; try again in a moment.')
  // Some bot checks speak of unavailable videos too.
  if (!/not a bot|HTTP Error 429/i.test(complaint)) {
    const reason = REASONS.find(([pattern]) => pattern.test(complaint))?.[1]
    if (reason) return unprocessable(field, reason)
  }
  return unavailable('YouTube refuses to answer this service for now; try again later.', { complaint, code })
}

function unavailable(message: string, cause?: unknown): Fault {
  return new Fault('service_unavailable', message, { cause })
}

function fromJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
