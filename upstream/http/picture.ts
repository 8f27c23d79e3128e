import { readBounded } from '../../lib/buffers.ts'
import { Fault } from '../../lib/errors.ts'
import type { Egress } from '../egress/egress-guard.ts'

/** A picture as another site serves it. */
export type FetchedPicture = Awaited<ReturnType<typeof fetchPicture>>

const TYPES = new Set(['image/png', 'image/jpeg', 'image/webp', 'image/gif', 'image/avif'])
const MAX_BYTES = 8 * 1024 * 1024
const TIMEOUT_MS = 5000

/**
 * Fetches a picture for a page of ours: the browser discloses to no third party what is listened to, and the policy of our
 * pages stays closed. The address may come from a track, so it is checked like any that a caller names.
 * @throws {Fault} `not_found` for what is no picture that pages show.
 */
export async function fetchPicture(egress: Pick<Egress, 'open'>, url: string) {
  const { status, headers, body } = await egress.open(url, { timeoutMs: TIMEOUT_MS })
  const contentType = headers['content-type']?.split(';')[0]?.trim().toLowerCase() ?? ''
  if (status !== 200 || !TYPES.has(contentType) || Number(headers['content-length'] ?? 0) > MAX_BYTES) {
    body.destroy()
    throw new Fault('not_found', "The service can't show this artwork.")
  }
  const bytes = await readBounded(body, MAX_BYTES, () => new Fault('not_found', 'This artwork is too large.'))
  return { contentType, bytes }
}
