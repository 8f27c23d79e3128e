import { z } from 'zod'
import { Fault } from '../../../lib/errors.ts'
import { parseJson } from '../../../lib/text.ts'
import type { Egress } from '../../../upstream/egress/egress-guard.ts'
import { readPage } from '../../../upstream/music/page.ts'
import { usable } from '../../../upstream/music/schemas.ts'
import { behind, LIST_MAX, type Linked, type LinkedSong, type LinkSite } from './link-site.ts'

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
const EMBED_BYTES = 4 * 1024 * 1024

/** Songs, albums and playlists of Spotify as the players show them that sites embed; those need no key. */
export function createSpotifyLinks({
  egress,
  baseUrl,
}: {
  readonly egress: Egress
  readonly baseUrl: string
}): LinkSite {
  return {
    name: 'spotify',
    sourceName: 'spotify',
    claims: ({ host }) => host === 'open.spotify.com' || host === 'spotify.link',
    async read(url, signal) {
      const page = url.host === 'spotify.link' ? await behind(url, egress, signal) : url
      const [, kind, id = ''] = /\/(track|album|playlist)\/([A-Za-z0-9]{22})$/.exec(page.pathname) ?? []
      if (!kind) return null
      const options = { egress, name: 'Spotify', signal, maxBytes: EMBED_BYTES }
      const { text, status } = await readPage(`${baseUrl}/embed/${kind}/${id}`, options)
      if (status === 404) return null
      const [, script = ''] = text.split('<script id="__NEXT_DATA__"', 2)
      const [json = ''] = script.slice(script.indexOf('>') + 1).split('</script>', 1)
      const parsed = SpotifyPage.safeParse(parseJson(json))
      if (!parsed.success) throw new Fault('service_unavailable', CHANGED, { reason: 'no_answer' })
      const entity = parsed.data.props.pageProps.state?.data.entity
      return entity ? spotifySongs(entity, kind, id) : null
    },
  }
}

function spotifySongs(entity: z.output<typeof SpotifyEntity>, kind: string, id: string): Linked | null {
  const pictures = (entity.visualIdentity?.image ?? []).map(({ url, maxWidth: width }) => ({ url, width }))
  const covers = (entity.coverArt?.sources ?? []).map(({ url, width }) => ({ url, width: width ?? 0 }))
  const artworkUrl = [...pictures, ...covers].toSorted((one, other) => other.width - one.width)[0]?.url ?? null
  const song = (of: { id: string; title: string; artist: string; lengthMs: number }): LinkedSong =>
    Object.assign(of, { url: `https://open.spotify.com/track/${of.id}`, artworkUrl, isrc: null })
  if (kind === 'track') {
    const artist = (entity.artists ?? []).map(({ name }) => name).join(', ')
    return { songs: [song({ id, title: entity.name, artist, lengthMs: entity.duration ?? 0 })], list: null }
  }
  const songs = usable(SpotifyListed, entity.trackList ?? []).map(({ uri, title, subtitle, duration }) =>
    // Names of several artists are parted by unbreakable spaces.
    song({ id: uri.slice(14), title, artist: subtitle.replaceAll('\u00a0', ' '), lengthMs: duration }),
  )
  return songs.length === 0 ? null : { songs: songs.slice(0, LIST_MAX), list: entity.name }
}
