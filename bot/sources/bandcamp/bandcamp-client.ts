import { z } from 'zod'
import { Fault } from '../../../lib/errors.ts'
import type { Egress } from '../../../upstream/egress/egress.ts'
import { attributeOf, fromHtml, readPage } from '../../../upstream/music/page.ts'
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

export interface BandcampTrack {
  readonly title: string
  readonly artist: string
  readonly lengthMs: number
  readonly url: string
  readonly artworkUrl: string | null
  /** Good for some hours; null when the track cannot be streamed. */
  readonly streamUrl: string | null
}

export interface BandcampPage {
  /** Of the album; a track's own page has one track. */
  readonly title: string
  readonly tracks: readonly BandcampTrack[]
}

export interface Bandcamp {
  claims(url: URL): boolean
  /** The music of a page; null when it shows none. @throws {Fault} `service_unavailable` */
  page(url: string, signal: AbortSignal): Promise<BandcampPage | null>
  search(text: string, limit: number, signal: AbortSignal): Promise<readonly BandcampTrack[]>
}

const NAME = 'Bandcamp'
const PAGE_BYTES = 4 * 1024 * 1024

export function createBandcamp({ egress, baseUrl }: { readonly egress: Egress; readonly baseUrl: string }): Bandcamp {
  const own = new URL(baseUrl)
  const read = (url: string, signal: AbortSignal) => readPage(url, { egress, name: NAME, signal, maxBytes: PAGE_BYTES })

  return {
    claims: ({ host }) => host === own.host || host.endsWith(`.${own.host}`),
    async page(url, signal) {
      const { text, status, url: at } = await read(url, signal)
      if (status === 403) throw refused()
      const attribute = /\sdata-tralbum="([^"]*)"/.exec(text)?.[1]
      return status === 200 && attribute ? readAlbum(fromHtml(attribute), at, artworkIn(text)) : null
    },
    async search(words, limit, signal) {
      const query = new URLSearchParams({ q: words, item_type: 't' })
      const { text, status } = await read(`${baseUrl}/search?${query.toString()}`, signal)
      if (status !== 200) throw refused()
      return text
        .split(/<li\s[^<>]*class="searchresult/)
        .slice(1, limit + 1)
        .flatMap(readHit)
    },
  }
}

function readAlbum(json: string, at: URL, artworkUrl: string | null): BandcampPage {
  const parsed = Album.safeParse(fromJson(json))
  if (!parsed.success) throw new Fault('service_unavailable', 'Bandcamp shows its music in another form than expected.')
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

/** One entry of the list of results, which does not tell how long a track is. */
function readHit(html: string): BandcampTrack[] {
  const [, link = '', title] = /class="heading">\s*<a([^<>]*)>([^<]+)/.exec(html) ?? []
  const artist = /\bby\s+(\S.*)/s.exec(/class="subhead">([^<]*)/.exec(html)?.[1] ?? '')?.[1]
  const url = URL.parse(fromHtml(attributeOf(link, 'href') ?? ''))
  if (!url || !title) return []
  // What follows is where in the list the link stood.
  url.search = ''
  const artworkUrl = attributeOf(/<img[^<>]*/.exec(html)?.[0] ?? '', 'src')
  return [
    { title: fromHtml(title), artist: fromHtml(artist ?? ''), lengthMs: 0, url: url.href, artworkUrl, streamUrl: null },
  ]
}

function artworkIn(html: string): string | null {
  const found = /<meta\s+property="og:image"\s+content="([^"]+)"/.exec(html)?.[1]
  return found && URL.canParse(fromHtml(found)) ? fromHtml(found) : null
}

/** Addresses of sound are sometimes escaped twice, and sometimes begin with `//`. */
function absolute(address: string | undefined, at: URL): string | null {
  const url = address === undefined ? null : URL.parse(fromHtml(address), at.href)
  return url?.protocol === 'http:' || url?.protocol === 'https:' ? url.href : null
}

function fromJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const refused = () => new Fault('service_unavailable', 'Bandcamp does not let this service read its pages for now.')
