import { z } from 'zod'
import { Fault } from '../../../lib/errors.ts'
import { parseJson } from '../../../lib/text.ts'
import type { Egress } from '../../../upstream/egress/egress-guard.ts'
import { scriptOf, songCountOf } from '../../../upstream/music/list-pages.ts'
import { readPage } from '../../../upstream/music/page.ts'
import { usable } from '../../../upstream/music/schemas.ts'
import { LIST_MAX, type Linked, type LinkedSong } from './link-site.ts'

interface AppleWeb {
  readonly egress: Egress
  /** Address of `music.apple.com`. */
  readonly webUrl: string
}

const Section = z.object({ itemKind: z.string(), items: z.array(z.unknown()) })
const Sections = z.object({ data: z.object({ sections: z.array(z.unknown()) }) })
/** The pages that carry the data are in a list, by itself or in `data`. */
const Page = z.union([z.object({ data: z.array(Sections).nonempty() }), z.array(Sections).nonempty()])
const Header = z.object({ title: z.string() })
const Artwork = z.object({ dictionary: z.object({ url: z.string() }) })
const Song = z.object({
  title: z.string(),
  artistName: z.string().nullish(),
  subtitleLinks: z.array(z.object({ title: z.string() })).nullish(),
  duration: z.number().nonnegative().nullish(),
  artwork: Artwork.nullish(),
  contentDescriptor: z.object({
    kind: z.literal('song').default('song'),
    identifiers: z.object({ storeAdamID: z.string().regex(/^\d{1,20}$/) }),
    url: z.url({ protocol: /^https$/ }),
  }),
})

const CHANGED = 'Apple Music changed its pages, so they are unreadable. Try again after a Bandstand update.'
const PAGE_BYTES = 6 * 1024 * 1024

/**
 * Reads a playlist from its public page, which has its first songs and the number of all; the store knows no playlists.
 * @param path that of the page, with nothing of a caller in it but names and an id
 */
export async function readApplePlaylist(
  { egress, webUrl }: AppleWeb,
  path: string,
  signal: AbortSignal,
): Promise<Linked | null> {
  const page = await readPage(`${webUrl}${path}`, { egress, name: 'Apple Music', signal, maxBytes: PAGE_BYTES })
  if (page.status === 404) return null
  const parsed = Page.safeParse(parseJson(scriptOf(page.text, 'serialized-server-data')))
  if (!parsed.success) throw new Fault('service_unavailable', CHANGED, { reason: 'no_answer' })
  const pages = 'data' in parsed.data ? parsed.data.data : parsed.data
  const sections = usable(
    Section,
    pages.flatMap(({ data }) => data.sections),
  )
  const itemsOf = (kind: string) => sections.flatMap(({ itemKind, items }) => (itemKind === kind ? items : []))
  const songs = usable(Song, itemsOf('trackLockup')).slice(0, LIST_MAX).map(toSong)
  const [header] = usable(Header, itemsOf('containerDetailHeaderLockup'))
  return songs.length === 0 ? null : { songs, list: header?.title ?? '', total: songCountOf(page.text) }
}

function toSong({ title, artistName, subtitleLinks, duration, artwork, contentDescriptor }: z.output<typeof Song>) {
  const artists = (subtitleLinks ?? []).map((link) => link.title).join(', ')
  return {
    id: contentDescriptor.identifiers.storeAdamID,
    title,
    artist: artists || (artistName ?? ''),
    lengthMs: Math.round(duration ?? 0),
    url: contentDescriptor.url,
    artworkUrl: artwork?.dictionary.url.replace('{w}x{h}', '600x600').replace('{f}', 'jpg') ?? null,
    isrc: null,
  } satisfies LinkedSong
}
