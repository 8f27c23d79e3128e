import { join } from 'node:path'
import PQueue from 'p-queue'
import type { z } from 'zod'
import { Fault } from '../../../lib/errors.ts'
import type { UpstreamContext } from '../../../upstream/http/client.ts'
import { runChild, type ChildOutcome } from '../../../upstream/music/child.ts'
import { findProgram } from '../../../lib/workers/find-program.ts'
import { createSpawner } from '../../../lib/workers/spawner.ts'
import { parseJson } from '../../../lib/text.ts'
import { usable } from '../../../upstream/music/schemas.ts'
import { crowded, failureOf, LATE, refusalOf, unavailable } from './refusals.ts'
import type { TokenProvider } from './token-provider.ts'
import { removeLeftOver, withUnpacking } from './unpacking.ts'
import { List, Playable, Video, videoUrl, type YouTubeClient, type YouTubeVideo } from './schemas.ts'

export interface YtDlpOptions {
  readonly command: string
  /** Folders in which it is looked for, at each run: it may be installed or replaced meanwhile. */
  readonly searchPath: string
  /** Folder of the service's own programs. A run of yt-dlp unpacks itself below it. */
  readonly programFolder: string
  /** Runtime for YouTube's own JavaScript, in yt-dlp's syntax: `node:/usr/bin/node`. */
  readonly jsRuntime: string
  readonly cookiesFile: string | null
  /** Tokens, and where yt-dlp's own plug-in finds them; none if left out. */
  readonly tokens?: TokenProvider & { readonly baseUrl: string | null }
  /** Time limit of one run. */
  readonly timeoutMs?: number
}

const TIMEOUT_MS = 25_000
const OUTPUT_BYTES = 16 * 1024 * 1024
const RUNS_AT_ONCE = 4
const RUNS_WAITING = 16
/** Videos of a list: more of them take longer than a member waits. */
const LIST_MAX = 500
/** Sound as one file that is read by ranges, best as it is sent to Discord; else segments, with the smallest picture. */
const FORMAT = [
  'bestaudio[acodec=opus][protocol=https]',
  'bestaudio[protocol=https]',
  'best[protocol=https]',
  'bestaudio[protocol^=m3u8]',
  'best[height<=360][protocol^=m3u8]',
  'worst[protocol^=m3u8]',
].join('/')
const ALWAYS = '--ignore-config --no-warnings --no-progress --socket-timeout 10 --retries 1 --dump-single-json'

/** YouTube through yt-dlp, which runs as a child: neither its code nor YouTube's runs in this process. */
export function createYtDlp(context: UpstreamContext, options: YtDlpOptions): YouTubeClient {
  const { searchPath, programFolder, timeoutMs = TIMEOUT_MS } = options
  const { log, metrics, now, closing } = context
  const runs = new PQueue({ concurrency: RUNS_AT_ONCE })
  const spawner = createSpawner()
  closing.addEventListener('abort', () => void spawner.close(), { once: true })
  const always = optionsOf(options)
  void removeLeftOver(programFolder)

  /** `address` is made by us: behind `--` nothing is read as an option. */
  async function run(address: string, args: readonly string[], signal: AbortSignal | null): Promise<unknown> {
    const late = AbortSignal.timeout(timeoutMs)
    const either = AbortSignal.any([late, closing, ...(signal ? [signal] : [])])
    const startedAtMs = now()
    if (runs.size >= RUNS_WAITING) throw crowded()
    const command = findProgram(options.command, searchPath) ?? options.command
    const how = { spawner, command, signal: either, maxBytes: OUTPUT_BYTES }
    const outcome = await runs
      .add(() =>
        withUnpacking(programFolder, (env) => runChild({ ...how, env, args: [...always, ...args, '--', address] })),
      )
      .catch((cause: unknown) => {
        signal?.throwIfAborted()
        throw notRun(cause)
      })
    signal?.throwIfAborted()
    const answer = outcome.code === 0 ? parseJson(outcome.output) : undefined
    metrics.called('yt-dlp', answer === undefined ? 'broken' : 'answered', now() - startedAtMs)
    if (answer !== undefined) return answer
    log.warn({ upstream: 'yt-dlp', code: outcome.code, complaint: outcome.complaint.slice(-300) }, 'yt-dlp failed')
    throw faultOf(outcome, late.aborted)
  }

  async function list(address: string, most: number, signal: AbortSignal) {
    const answer = await run(address, ['--flat-playlist', '-I', `1:${most}`], signal)
    const { title, entries, playlist_count: total = null } = readAs(List, answer)
    return { title: title ?? 'YouTube', videos: usable(Video, entries).filter(isThere), total }
  }

  return {
    name: 'yt-dlp',
    async search(text, limit, signal) {
      const words = text.replaceAll(/\p{Cc}+/gu, ' ')
      return (await list(`ytsearch${limit}:${words}`, limit, signal)).videos
    },
    async video(id) {
      const vouched = await vouchFor(id, options.tokens)
      const answer = await run(videoUrl(id), ['--no-playlist', '-f', FORMAT, ...vouched], null)
      return readAs(Playable, answer)
    },
    list: (id, signal) => list(`https://www.youtube.com/playlist?list=${encodeURIComponent(id)}`, LIST_MAX, signal),
    async mix(id, limit, signal) {
      const { videos } = await list(`${videoUrl(id)}&list=RD${id}`, limit + 1, signal)
      return videos.filter((video) => video.id !== id).slice(0, limit)
    },
  }
}

function readAs<S extends z.ZodType>(shape: S, answer: unknown): z.output<S> {
  const found = shape.safeParse(answer)
  if (!found.success) throw unavailable('YouTube returned an unreadable response. Try again later.')
  return found.data
}

/** The cache keeps YouTube's player, solved, from one song to the next. */
function optionsOf({ jsRuntime, cookiesFile, programFolder }: YtDlpOptions): readonly string[] {
  const cookies = cookiesFile === null ? [] : ['--cookies', cookiesFile]
  const cache = ['--cache-dir', join(programFolder, 'cache')]
  return [...ALWAYS.split(' '), ...cache, '--js-runtimes', jsRuntime, ...cookies]
}

/**
 * The token for the client of YouTube's that plays by it, and the provider for runs with its plug-in, which asks for more.
 * Without the plug-in yt-dlp ignores the second.
 */
async function vouchFor(id: string, tokens: YtDlpOptions['tokens']): Promise<readonly string[]> {
  if (!tokens || tokens.baseUrl === null) return []
  const token = await tokens.find(id)
  const own = `youtube:player_client=default,mweb;po_token=mweb.gvs+${token},mweb.player+${token}`
  const plugIn = ['--extractor-args', `youtubepot-bgutilhttp:base_url=${tokens.baseUrl}`]
  return token === null ? plugIn : ['--extractor-args', own, ...plugIn]
}

function isThere({ title }: YouTubeVideo): boolean {
  return title !== '[Private video]' && title !== '[Deleted video]'
}

function notRun(cause: unknown): Fault {
  if (cause instanceof Fault) return cause
  const isMissing = cause instanceof Error && (cause as NodeJS.ErrnoException).code === 'ENOENT'
  const why = isMissing ? "isn't installed" : "didn't start"
  const message = `yt-dlp, the client for YouTube, ${why}. The operator can fix this.`
  return unavailable(message, cause, 'not_configured')
}

function faultOf({ complaint, code }: ChildOutcome, isLate: boolean): Fault {
  if (isLate) return unavailable(LATE, undefined, 'unreachable')
  return refusalOf(complaint) ?? failureOf(complaint, { complaint, code })
}
