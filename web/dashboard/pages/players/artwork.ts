import { html, type Markup } from '../../../../lib/html.ts'
import type { EncodedTrack } from '../../../../bot/tracks/track.ts'
import { Fault } from '../../../../lib/errors.ts'
import { fetchPicture } from '../../../../upstream/http/picture.ts'
import { coverPath } from '../../../http/cover-path.ts'
import type { Outcome } from '../../http/route.ts'
import type { ProjectRequest } from '../../http/page-request.ts'
import { icon } from '../../../ui/icons.ts'
import { playerScopeOf, placeAt, type PlayerPlace } from './search.ts'

/** The cover of what plays. */
export function artworkOf(request: ProjectRequest, place: PlayerPlace, { artworkUrl, encoded }: EncodedTrack): Markup {
  if (artworkUrl === null) return html`<span class="artwork">${icon('players')}</span>`
  // The track is in the address, so that another one is another picture to the browser.
  const version = encoded.slice(-24).replaceAll(/\W/g, '')
  const cover = coverPath(artworkUrl, request.context.baseUrl())
  return html`<img
    class="artwork"
    src="${cover === null ? `${place.address}/artwork?v=${version}` : `${cover}?size=small`}"
    alt=""
    width="72"
    height="72"
  />`
}

/** The small cover of a track that waits. */
export function thumbnail(
  { context }: ProjectRequest,
  { address }: PlayerPlace,
  { artworkUrl, id }: { readonly artworkUrl: string | null; readonly id: number },
): Markup {
  if (artworkUrl === null) return html`<span class="thumb">${icon('players')}</span>`
  const cover = coverPath(artworkUrl, context.baseUrl())
  const src = cover === null ? `${address}/artwork?id=${id}` : `${cover}?size=small`
  return html`<img class="thumb" src="${src}" alt="" width="36" height="36" loading="lazy" />`
}

/** The artwork of what plays, or of the track that waits with the number `id`; fetched by us. */
export async function artwork(request: ProjectRequest): Promise<Outcome> {
  const url = await artworkUrlOf(request)
  if (url === null) throw new Fault('not_found', 'This track has no artwork.')
  const { contentType, bytes } = await fetchPicture(request.context.egress, url)
  return { kind: 'file', contentType, body: bytes, isKept: true }
}

async function artworkUrlOf(request: ProjectRequest): Promise<string | null> {
  const { bot, guildId, info } = await placeAt(request)
  const id = request.query.get('id')
  if (id === null) return info.current?.artworkUrl ?? null
  const { ids, tracks } = await request.context.music.queueItems(await playerScopeOf(request, bot.id), guildId)
  return tracks[ids.indexOf(Number(id))]?.info.artworkUrl ?? null
}
