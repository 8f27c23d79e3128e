import { addAbortSignal } from 'node:stream'
import { readBounded } from '../../lib/buffers.ts'
import { Fault } from '../../lib/errors.ts'
import type { Egress } from '../../upstream/egress/egress-guard.ts'

/** Size limit of the image processes. */
export const PICTURE_MAX_BYTES = 10 * 1024 * 1024
const TIMEOUT_MS = 8000
const tooLarge = () => new Fault('not_found', 'This cover is too large.')

/**
 * A picture from a server of the operator; null if it answers with anything else.
 * @throws {Fault} if it cannot be reached, or sends too much.
 */
export async function fetchPicture(egress: Egress, url: string, signal: AbortSignal): Promise<Buffer | null> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)])
  // A picture's address leads nowhere else.
  const { status, headers, body } = await egress.open(url, { signal: limit, timeoutMs: TIMEOUT_MS, maxRedirects: 0 })
  if (status !== 200 || !headers['content-type']?.startsWith('image/')) {
    body.destroy()
    return null
  }
  return readBounded(addAbortSignal(limit, body), PICTURE_MAX_BYTES, tooLarge)
}
