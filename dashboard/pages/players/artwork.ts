import { Fault } from '../../../lib/errors.ts'
import { fetchPicture } from '../../../upstream/http/picture.ts'
import type { Outcome } from '../../http/route.ts'
import type { ProjectRequest } from '../../http/page-request.ts'
import { placeAt } from './search.ts'

/** The path of a cover that this service serves itself, which a page of ours loads directly; null for any other. */
export function coverPath(artworkUrl: string, baseUrl: string): string | null {
  return artworkUrl.startsWith(`${baseUrl}/covers/`) ? new URL(artworkUrl).pathname : null
}

/** The artwork of what plays, fetched by us. */
export async function artwork(request: ProjectRequest): Promise<Outcome> {
  const { info } = await placeAt(request)
  const url = info.current?.artworkUrl ?? null
  if (url === null) throw new Fault('not_found', 'It has no artwork.')
  const { contentType, bytes } = await fetchPicture(request.context.egress, url)
  return { kind: 'file', contentType, body: bytes, isKept: true }
}
