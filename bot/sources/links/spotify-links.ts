import { z } from 'zod'
import { Fault, unplayable } from '../../../lib/errors.ts'
import { parseJson } from '../../../lib/text.ts'
import type { Egress } from '../../../upstream/egress/egress-guard.ts'
import { UpstreamFailure } from '../../../upstream/http/failure.ts'
import { scriptOf, songCountOf } from '../../../upstream/music/list-pages.ts'
import { readPage } from '../../../upstream/music/page.ts'
import { usable } from '../../../upstream/music/schemas.ts'
import { behind, LIST_MAX, type Linked, type LinkedSong, type LinkSite } from './link-site.ts'
import type { SpotifyApi } from './spotify-api.ts'

const SpotifyListed = z.object({
  uri: z.string().regex(/^spotify:track:[A-Za-z0-9]{22}$/),
  title: z.string(),
  subtitle: z.string(),
  duration: z.number().nonnegative(),
})
const SpotifyEntity = z.object({
  id: z.string().default(''),
  name: z.string(),
  artists: z.array(z.object({ name: z.string() })).nullish(),
  duration: z.number().nonnegative().nullish(),
  trackList: z.array(z.unknown()).nullish(),
  visualIdentity: z
    .object({ image: z.array(z.object({ url: z.string(), maxWidth: z.number().default(0) })).default([]) })
    .nullish(),
  /** Pictures of lists, which have none in `visualIdentity`. */
  coverArt: z
    .object({ sources: z.array(z.object({ url: z.string(), width: z.number().nullish() })).default([]) })
    .nullish(),
})
/** Missing pages have status 200 and no `state`. */
const SpotifyPage = z.object({
  props: z.object({
    pageProps: z.object({ state: z.object({ data: z.object({ entity: SpotifyEntity }) }).nullish() }),
  }),
})

const CHANGED = 'Spotify changed its pages, so they are unreadable. Try again after a Bandstand update.'
const SPOKEN = "Spotify's episodes and shows don't play here. Send the link of the podcast's feed or of Apple Podcasts."
const PAGE_BYTES = 4 * 1024 * 1024
/** Entries of a list that the embedded player has; longer lists end there. */
const EMBEDDED_MAX = 100

interface SpotifyOptions {
  readonly egress: Egress
  readonly baseUrl: string
  /** Whole lists, where the operator has an app at Spotify. */
  readonly api: SpotifyApi | null
}

/** Songs, albums, artists and playlists of Spotify as the players show them that sites embed; those need no key. */
export function createSpotifyLinks({ egress, baseUrl, api }: SpotifyOptions): LinkSite {
  const pageOf = (path: string, signal: AbortSignal) =>
    readPage(`${baseUrl}${path}`, { egress, name: 'Spotify', signal, maxBytes: PAGE_BYTES })

  async function readEmbed(kind: Kind, id: string, signal: AbortSignal): Promise<Linked | null> {
    const { text, status } = await pageOf(`/embed/${kind}/${id}`, signal)
    if (status === 404) return null
    const parsed = SpotifyPage.safeParse(parseJson(scriptOf(text, '__NEXT_DATA__')))
    if (!parsed.success) throw new Fault('service_unavailable', CHANGED, { reason: 'no_answer' })
    const entity = parsed.data.props.pageProps.state?.data.entity
    if (!entity) return null
    if (kind === 'track') return embeddedSong(entity, id)
    const list = embeddedList(entity)
    if (kind === 'artist') return { ...list, list: `${entity.name}: Top Tracks` }
    return { ...list, total: await countOf(kind, id, { entries: entity.trackList?.length ?? 0, signal }) }
  }

  /** The page of a list says how long it is. */
  async function countOf(kind: Kind, id: string, { entries, signal }: { entries: number; signal: AbortSignal }) {
    if (entries < EMBEDDED_MAX) return entries
    const page = await pageOf(`/${kind}/${id}`, signal).catch(() => null)
    return page && songCountOf(page.text)
  }

  return {
    name: 'spotify',
    sourceName: 'spotify',
    claims: ({ host }) => host === 'open.spotify.com' || host === 'spotify.link',
    async read(url, signal) {
      const page = url.host === 'spotify.link' ? await behind(url, egress, signal) : url
      const [, kind, id = ''] =
        /\/(track|album|playlist|artist|episode|show)\/([A-Za-z0-9]{22})$/.exec(page.pathname) ?? []
      if (kind === undefined) return null
      if (kind === 'episode' || kind === 'show') throw unplayable(SPOKEN, 'episode')
      const found = api && (await readApi(api, kind as Kind, id))
      return found ?? (await readEmbed(kind as Kind, id, signal))
    },
  }
}

type Kind = 'track' | 'album' | 'playlist' | 'artist'

/** What the API does not give, the pages may: lists of others, and those of Spotify itself. */
async function readApi(api: SpotifyApi, kind: Kind, id: string): Promise<Linked | null> {
  // Spotify gives apps no top tracks any more.
  if (kind === 'artist') return null
  try {
    if (kind !== 'track') return await api.list(kind, id)
    const song = await api.song(id)
    return song && { songs: [song], list: null }
  } catch (error) {
    if (error instanceof UpstreamFailure) return null
    throw error
  }
}

function embeddedSong(entity: z.output<typeof SpotifyEntity>, id: string): Linked {
  const artist = (entity.artists ?? []).map(({ name }) => name).join(', ')
  const song = { id, title: entity.name, artist, lengthMs: entity.duration ?? 0 }
  return { songs: [toSong(song, artworkOf(entity))], list: null }
}

function embeddedList(entity: z.output<typeof SpotifyEntity>): Linked {
  const artworkUrl = artworkOf(entity)
  const songs = usable(SpotifyListed, entity.trackList ?? []).map(({ uri, title, subtitle, duration }) =>
    // Names of several artists are parted by unbreakable spaces.
    toSong({ id: uri.slice(14), title, artist: subtitle.replaceAll('\u00a0', ' '), lengthMs: duration }, artworkUrl),
  )
  return { songs: songs.slice(0, LIST_MAX), list: entity.name }
}

function artworkOf({ visualIdentity, coverArt }: z.output<typeof SpotifyEntity>): string | null {
  const pictures = (visualIdentity?.image ?? []).map(({ url, maxWidth: width }) => ({ url, width }))
  const covers = (coverArt?.sources ?? []).map(({ url, width }) => ({ url, width: width ?? 0 }))
  return [...pictures, ...covers].toSorted((one, other) => other.width - one.width)[0]?.url ?? null
}

function toSong(song: Pick<LinkedSong, 'id' | 'title' | 'artist' | 'lengthMs'>, artworkUrl: string | null): LinkedSong {
  return { ...song, url: `https://open.spotify.com/track/${song.id}`, artworkUrl, isrc: null }
}
