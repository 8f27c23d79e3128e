import { Fault } from '../../../lib/errors.ts'
import type { Outcome } from '../../http/route.ts'
import type { ProjectRequest } from '../../http/page-request.ts'
import { placeAt } from './search.ts'
import { readBounded } from '../../../lib/buffers.ts'

/** The path of a cover that this service serves itself, which a page of ours loads directly; null for any other. */
export function coverPath(artworkUrl: string, baseUrl: string): string | null {
  return artworkUrl.startsWith(`${baseUrl}/covers/`) ? new URL(artworkUrl).pathname : null
}

const TYPES = new Set(['image/png', 'image/jpeg', 'image/webp', 'image/gif', 'image/avif'])
const MOST_BYTES = 8 * 1024 * 1024

/**
 * The artwork of what plays, fetched by us: the browser discloses to no third party what its owner listens to, and the policy of our
 * pages stays closed. The address comes from the track, so it is checked like any that a caller names.
 */
export async function artwork(request: ProjectRequest): Promise<Outcome> {
  const { info } = await placeAt(request)
  const url = info.current?.artworkUrl ?? null
  if (url === null) throw new Fault('not_found', 'It has no artwork.')
  const { status, headers, body } = await request.context.egress.open(url, { timeoutMs: 5000 })
  const contentType = headers['content-type']?.split(';')[0]?.trim().toLowerCase() ?? ''
  if (status !== 200 || !TYPES.has(contentType) || Number(headers['content-length'] ?? 0) > MOST_BYTES) {
    body.destroy()
    throw new Fault('not_found', 'Its artwork cannot be shown.')
  }
  const file = await readBounded(body, MOST_BYTES, () => new Fault('not_found', 'Its artwork is too large.'))
  return { kind: 'file', contentType, body: file, isKept: true }
}
