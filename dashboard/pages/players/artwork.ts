import { Fault } from '../../../lib/errors.ts'
import type { Outcome } from '../../http/route.ts'
import type { ProjectVisit } from '../../http/page-request.ts'
import { placeAt } from './search.ts'

const TYPES = new Set(['image/png', 'image/jpeg', 'image/webp', 'image/gif', 'image/avif'])
const MOST_BYTES = 8 * 1024 * 1024

/**
 * The artwork of what plays, fetched by us: the browser tells nobody what its owner listens to, and the policy of our
 * pages stays closed. The address comes from the track, so it is checked like any that a caller names.
 */
export async function artwork(visit: ProjectVisit): Promise<Outcome> {
  const { info } = await placeAt(visit)
  const url = info.current?.artworkUrl ?? null
  if (url === null) throw new Fault('not_found', 'It has no artwork.')
  const { status, headers, body } = await visit.desk.egress.open(url, { timeoutMs: 5000 })
  const contentType = headers['content-type']?.split(';')[0]?.trim().toLowerCase() ?? ''
  if (status !== 200 || !TYPES.has(contentType) || Number(headers['content-length'] ?? 0) > MOST_BYTES) {
    body.destroy()
    throw new Fault('not_found', 'Its artwork cannot be shown.')
  }
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of body as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > MOST_BYTES) throw new Fault('not_found', 'Its artwork is too large.')
    chunks.push(chunk)
  }
  return { kind: 'file', contentType, body: Buffer.concat(chunks), isKept: true }
}
