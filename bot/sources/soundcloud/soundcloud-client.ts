import { z } from 'zod'
import { Fault } from '../../../lib/errors.ts'
import { createUpstream, notFound, urlPath, type UpstreamContext } from '../../../upstream/http/client.ts'
import type { Egress } from '../../../upstream/egress/egress-guard.ts'
import { UpstreamFailure } from '../../../upstream/http/failure.ts'
import { attributeOf, readPage } from '../../../upstream/music/page.ts'
import { readPages } from '../../../upstream/music/list-pages.ts'
import { usable } from '../../../upstream/music/schemas.ts'
import { LONGEST_QUEUE } from '../../player/inputs.ts'

const Transcoding = z.object({
  url: z.url(),
  preset: z.string().default(''),
  snipped: z.boolean().default(false),
  format: z.object({ protocol: z.string(), mime_type: z.string().default('') }),
})

const Track = z.object({
  id: z.int().positive(),
  title: z.string(),
  permalink_url: z.url(),
  user: z.object({ username: z.string(), avatar_url: z.string().nullish() }),
  duration: z.number().nonnegative(),
  full_duration: z.number().nonnegative().nullish(),
  artwork_url: z.string().nullish(),
  policy: z.string().nullish(),
  track_authorization: z.string().nullish(),
  media: z.object({ transcodings: z.array(z.unknown()) }).default({ transcodings: [] }),
  publisher_metadata: z.object({ isrc: z.string().nullish() }).nullish(),
})
export type SoundCloudTrack = z.output<typeof Track>

const Stub = z.object({ id: z.int().positive() })
const Collection = z.object({ collection: z.array(z.unknown()) })
const Resolved = z.discriminatedUnion('kind', [
  Track.extend({ kind: z.literal('track') }),
  z.object({
    kind: z.literal('playlist'),
    title: z.string(),
    tracks: z.array(z.unknown()),
    track_count: z.int().nonnegative().nullish(),
  }),
  z.object({ kind: z.literal('user') }),
])
type SoundCloudResolved =
  | { readonly kind: 'track'; readonly track: SoundCloudTrack }
  | {
      readonly kind: 'playlist'
      readonly title: string
      readonly tracks: readonly SoundCloudTrack[]
      readonly total: number | null
    }
  | { readonly kind: 'user' }

export type SoundCloud = ReturnType<typeof createSoundCloud>

interface SoundCloudOptions {
  readonly egress: Egress
  readonly apiUrl: string
  readonly webUrl: string
  /** Null: read from the website, as it does itself. */
  readonly clientId: string | null
  readonly timeoutMs: number
}

const NAME = 'SoundCloud'
/**
 * The sound that can be played, the best first; what is not named here needs a licence server. SoundCloud goes over to
 * segments of AAC. Where those of MP3 or Opus are left, the file is simpler.
 */
const FORMS: readonly string[] = ['aac-hls', 'progressive', 'hls', 'encrypted-hls']
const NO_ID = 'SoundCloud changed its website, so no client ID is available. Set SOUNDCLOUD_CLIENT_ID.'
const SCRIPTS_MAX = 20
const PAGE_BYTES = 4 * 1024 * 1024
/** An id that is refused is looked for again, but not more often than this. */
const REDISCOVER_MS = 3_600_000
const IDS_AT_ONCE = 50

export function createSoundCloud(context: UpstreamContext, options: SoundCloudOptions) {
  const { apiUrl, timeoutMs } = options
  const api = createUpstream(context, { id: 'soundcloud', name: NAME, baseUrl: apiUrl, timeoutMs })
  const ids = createClientIds(context, options)

  async function find<S extends z.ZodType>(
    path: string,
    query: Readonly<Record<string, string | number | undefined>>,
    shape: S,
  ): Promise<z.output<S> | null> {
    const ask = async () =>
      api.find({ path, query: { ...query, client_id: await ids.get() }, shape, absent: notFound, redirects: 1 })
    try {
      return await ask()
    } catch (error) {
      const status = error instanceof UpstreamFailure ? error.facts.status : undefined
      if ((status !== 401 && status !== 403) || !ids.forget()) throw error
      return ask()
    }
  }

  const collection = async (path: string, query: Readonly<Record<string, string | number>>) =>
    usable(Track, (await find(path, query, Collection))?.collection ?? [])

  /** Returns tracks in the requested order, which is not the order of the answer. */
  async function complete(items: readonly unknown[]): Promise<readonly SoundCloudTrack[]> {
    const wanted = usable(Stub, items).slice(0, LONGEST_QUEUE)
    const known = new Map(usable(Track, items).map((track) => [track.id, track]))
    const missing = wanted.map(({ id }) => id).filter((id) => !known.has(id))
    const read = async (at: number) =>
      (await find('/tracks', { ids: missing.slice(at, at + IDS_AT_ONCE).join(',') }, z.array(z.unknown()))) ?? []
    const rest = await readPages({ known: 0, wanted: missing.length, pageSize: IDS_AT_ONCE, read })
    for (const track of usable(Track, rest)) known.set(track.id, track)
    return wanted.flatMap(({ id }) => known.get(id) ?? [])
  }

  return {
    search: (q: string, limit: number) => collection('/search/tracks', { q, limit }),
    track: (id: number) => find(urlPath`/tracks/${id}`, {}, Track),
    related: (id: number, limit: number) => collection(urlPath`/tracks/${id}/related`, { limit }),
    async resolve(url: string): Promise<SoundCloudResolved | null> {
      const found = await find('/resolve', { url }, Resolved)
      if (found?.kind === 'track') return { kind: 'track', track: found }
      if (found?.kind !== 'playlist') return found
      const { title, track_count: total = null } = found
      return { kind: 'playlist', title, tracks: await complete(found.tracks), total }
    },
    /** Address of the sound, valid for some minutes; null when none plays without a licence server. */
    async streamOf({ media, track_authorization: authorization }: SoundCloudTrack) {
      const best = bestOf(usable(Transcoding, media.transcodings))
      if (!best) return null
      const query = { track_authorization: authorization ?? undefined }
      // Transcoding URLs are of the API: only that host is called, even if they name another.
      const found = await find(new URL(best.url).pathname, query, z.object({ url: z.url({ protocol: /^https?$/ }) }))
      return found && { url: found.url, form: best.format.protocol === 'progressive' ? 'file' : 'hls' }
    },
  }
}

function bestOf(transcodings: readonly z.output<typeof Transcoding>[]): z.output<typeof Transcoding> | undefined {
  const rank = ({ format: { protocol, mime_type: type } }: z.output<typeof Transcoding>) =>
    FORMS.indexOf(protocol === 'hls' && type.startsWith('audio/mp4') ? 'aac-hls' : protocol)
  return (
    transcodings
      // Playlists of several qualities come without their sound.
      .filter((it) => !it.snipped && rank(it) >= 0 && !it.preset.startsWith('abr'))
      .toSorted((one, other) => rank(one) - rank(other))[0]
  )
}

/** The key that the website itself uses, which changes some times a year. */
export function createClientIds({ now }: UpstreamContext, options: SoundCloudOptions) {
  let current: Promise<string> | null = options.clientId === null ? null : Promise.resolve(options.clientId)
  let foundAtMs = Number.NEGATIVE_INFINITY

  return {
    get(): Promise<string> {
      if (current) return current
      const search = discover(options)
      current = search
      foundAtMs = now()
      search.catch(() => {
        current = null
      })
      return search
    },
    /** False if another one would not be looked for: it is configured, or was found a moment ago. */
    forget(): boolean {
      if (options.clientId !== null || now() - foundAtMs < REDISCOVER_MS) return false
      current = null
      return true
    },
  }
}

async function discover({ egress, webUrl }: SoundCloudOptions): Promise<string> {
  const read = (url: string) => readPage(url, { egress, name: NAME, maxBytes: PAGE_BYTES })
  const home = await read(webUrl)
  const inPage = /"clientId"\s*:\s*"([0-9a-zA-Z]{32})"/.exec(home.text)?.[1]
  if (inPage) return inPage
  const scripts = [...home.text.matchAll(/<script[^<>]*/g)]
    .map(([tag]) => attributeOf(tag, 'src'))
    .flatMap((src) => (src === null ? [] : (URL.parse(src, home.url.href)?.href ?? [])))
    .slice(-SCRIPTS_MAX)
  // The ID is in one of the last scripts, but not always in the very last.
  for (const script of scripts.toReversed()) {
    const page = await read(script).catch(() => null)
    const found = /client_id\s*:\s*"([0-9a-zA-Z]{32})"/.exec(page?.text ?? '')?.[1]
    if (found) return found
  }
  throw new Fault('service_unavailable', NO_ID, { reason: 'no_answer' })
}
