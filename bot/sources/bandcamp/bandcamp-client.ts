import { z } from 'zod'
import { decodeHTMLStrict } from 'entities/decode'
import { Fault } from '../../../lib/errors.ts'
import { parseJson } from '../../../lib/text.ts'
import { createUpstream, type UpstreamContext } from '../../../upstream/http/client.ts'
import type { Egress } from '../../../upstream/egress/egress-guard.ts'
import { readPage } from '../../../upstream/music/page.ts'
import { usable } from '../../../upstream/music/schemas.ts'

const TrackInfo = z.object({
  title: z.string(),
  artist: z.string().nullish(),
  duration: z.number().nullish(),
  title_link: z.string().nullish(),
  file: z.record(z.string(), z.string()).nullish(),
})
const Album = z.object({
  artist: z.string().default(''),
  current: z.object({ title: z.string().default('') }),
  trackinfo: z.array(z.unknown()),
})

/** Suggestions of the site's search field; its page of results is for browsers alone. */
const Found = z.object({ auto: z.object({ results: z.array(z.unknown()) }) })
const Hit = z.object({
  type: z.literal('t'),
  name: z.string().min(1),
  band_name: z.string().default(''),
  item_url_path: z.string(),
  item_url_root: z.url().nullish(),
  img: z.url().nullish(),
  art_id: z.int().positive().nullish(),
})
type Hit = z.output<typeof Hit>

export interface BandcampTrack {
  readonly title: string
  readonly artist: string
  readonly lengthMs: number
  readonly url: string
  readonly artworkUrl: string | null
  /** Good for some hours; null when the track cannot be streamed. */
  readonly streamUrl: string | null
}

export type Bandcamp = ReturnType<typeof createBandcamp>

const NAME = 'Bandcamp'
const CHANGED = 'Bandcamp changed its pages, so they are unreadable. Try again after a Bandstand update.'
const PAGE_BYTES = 4 * 1024 * 1024

export function createBandcamp(
  context: UpstreamContext,
  { egress, baseUrl, timeoutMs }: { readonly egress: Egress; readonly baseUrl: string; readonly timeoutMs: number },
) {
  const own = new URL(baseUrl)
  const api = createUpstream(context, { id: 'bandcamp', name: NAME, baseUrl, timeoutMs, opensOnRefusal: true })
  const read = (url: string, signal: AbortSignal) => readPage(url, { egress, name: NAME, signal, maxBytes: PAGE_BYTES })

  return {
    claims: ({ host }: URL) => host === own.host || host.endsWith(`.${own.host}`),
    /** The music of a page; null when it shows none. @throws {Fault} `service_unavailable` */
    async page(url: string, signal: AbortSignal) {
      const { text, status, url: at } = await read(url, signal)
      const attribute = /\sdata-tralbum="([^"]*)"/.exec(text)?.[1]
      return status === 200 && attribute ? readAlbum(decodeHTMLStrict(attribute), at, artworkIn(text)) : null
    },
    async search(words: string, limit: number): Promise<readonly BandcampTrack[]> {
      const json = { search_text: words, search_filter: 't', full_page: false, fan_id: null }
      const found = await api.get({ path: '/api/bcsearch_public_api/1/autocomplete_elastic', json, shape: Found })
      return usable(Hit, found.auto.results).flatMap(toTrack).slice(0, limit)
    },
  }
}

function readAlbum(json: string, at: URL, artworkUrl: string | null) {
  const parsed = Album.safeParse(parseJson(json))
  if (!parsed.success) throw new Fault('service_unavailable', CHANGED, { reason: 'no_answer' })
  const { artist, current, trackinfo } = parsed.data
  const tracks = usable(TrackInfo, trackinfo).map((track) => ({
    title: track.title,
    artist: track.artist ?? artist,
    lengthMs: Math.round((track.duration ?? 0) * 1000),
    url: URL.parse(track.title_link ?? '', at.href)?.href ?? at.href,
    artworkUrl,
    streamUrl: absolute(track.file?.['mp3-128'], at),
  }))
  return { title: current.title, tracks }
}

/** An entry of the results, which does not tell how long a track is. */
function toTrack({ name, band_name: artist, item_url_path: path, item_url_root: root, img, art_id: art }: Hit) {
  const url = URL.parse(path, root ?? undefined)
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:') return []
  // The query says where in the list the link stood.
  url.search = ''
  const artworkUrl = img ?? (art ? `https://f4.bcbits.com/img/a${art}_10.jpg` : null)
  return [{ title: name, artist, lengthMs: 0, url: url.href, artworkUrl, streamUrl: null }]
}

function artworkIn(html: string): string | null {
  const found = /<meta\s+property="og:image"\s+content="([^"]+)"/.exec(html)?.[1]
  return found && URL.canParse(decodeHTMLStrict(found)) ? decodeHTMLStrict(found) : null
}

/** Addresses of sound are sometimes escaped twice, and sometimes begin with `//`. */
function absolute(address: string | undefined, at: URL): string | null {
  const url = address === undefined ? null : URL.parse(decodeHTMLStrict(address), at.href)
  return url?.protocol === 'http:' || url?.protocol === 'https:' ? url.href : null
}
