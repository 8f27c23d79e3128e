import { Fault } from '../../../lib/errors.ts'
import type { UpstreamContext } from '../../../upstream/http/client.ts'
import { runChild, type ChildOutcome } from '../../../upstream/music/child.ts'
import { usable } from '../../../upstream/music/schemas.ts'
import { failureOf, refusalOf, unavailable } from './refusals.ts'
import { List, LIST_MAX, Playable, Video, videoUrl, type YouTubeClient, type YouTubeVideo } from './schemas.ts'

export interface YtDlpOptions {
  readonly command: string
  /** What runs YouTube's own JavaScript, in yt-dlp's words: `node:/usr/bin/node`. */
  readonly jsRuntime: string
  readonly cookiesFile: string | null
  /** Of one run. */
  readonly timeoutMs?: number
}

const TIMEOUT_MS = 25_000
const OUTPUT_BYTES = 16 * 1024 * 1024
const RUNS_AT_ONCE = 4
const RUNS_WAITING = 16
/** Sound as one file that is read by ranges, best as it is sent to Discord; else segments, with the smallest picture. */
const FORMAT = [
  'bestaudio[acodec=opus][protocol=https]',
  'bestaudio[protocol=https]',
  'best[protocol=https]',
  'bestaudio[protocol^=m3u8]',
  'best[height<=360][protocol^=m3u8]',
  'worst[protocol^=m3u8]',
].join('/')
const ALWAYS =
  '--ignore-config --no-warnings --no-progress --no-cache-dir --socket-timeout 10 --retries 1 --dump-single-json'

/** YouTube by way of yt-dlp, which runs as a child: neither its code nor YouTube's runs in this process. */
export function createYtDlp(context: UpstreamContext, options: YtDlpOptions): YouTubeClient {
  const { command, timeoutMs = TIMEOUT_MS } = options
  const { log, metrics, now, closing } = context
  const turns = createTurns()
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
      const why = cause.code === 'ENOENT' ? 'is not installed here' : 'did not get to work'
      throw unavailable(`yt-dlp, which asks YouTube, ${why}; whoever runs this service can change that.`, cause)
    })
    signal?.throwIfAborted()
    const answer = outcome.code === 0 ? fromJson(outcome.output) : undefined
    metrics.called('yt-dlp', answer === undefined ? 'broken' : 'answered', now() - startedAtMs)
    if (answer !== undefined) return answer
    log.warn({ upstream: 'yt-dlp', code: outcome.code, complaint: outcome.complaint.slice(-300) }, 'yt-dlp failed')
    throw faultOf(outcome, late.aborted, field)
  }

  async function list(address: string, most: number, signal: AbortSignal) {
    const answer = await run(address, ['--flat-playlist', '-I', `1:${most}`], signal, 'body.query')
    const found = List.safeParse(answer)
    if (!found.success) throw unavailable('YouTube answered in a form that could not be read; try again later.')
    return { title: found.data.title ?? 'YouTube', videos: usable(Video, found.data.entries).filter(isThere) }
  }

  return {
    name: 'yt-dlp',
    async search(text, limit, signal) {
      const words = text.replaceAll(/\p{Cc}+/gu, ' ')
      return (await list(`ytsearch${limit}:${words}`, limit, signal)).videos
    },
    async video(id, field) {
      const answer = await run(videoUrl(id), ['--no-playlist', '-f', FORMAT], null, field)
      const found = Playable.safeParse(answer)
      if (!found.success) throw unavailable('YouTube answered in a form that could not be read; try again later.')
      return found.data
    },
    list: (id, signal) => list(`https://www.youtube.com/playlist?list=${encodeURIComponent(id)}`, LIST_MAX, signal),
    async mix(id, limit, signal) {
      const { videos } = await list(`${videoUrl(id)}&list=RD${id}`, limit + 1, signal)
      return videos.filter((video) => video.id !== id).slice(0, limit)
    },
  }
}

function optionsOf({ jsRuntime, cookiesFile }: YtDlpOptions): readonly string[] {
  const cookies = cookiesFile === null ? [] : ['--cookies', cookiesFile]
  return [...ALWAYS.split(' '), '--js-runtimes', jsRuntime, ...cookies]
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

function faultOf({ complaint, code }: ChildOutcome, isLate: boolean, field: string): Fault {
  if (isLate) return unavailable('YouTube did not answer in time; try again in a moment.')
  return refusalOf(complaint, field) ?? failureOf(complaint, { complaint, code })
}

function fromJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
