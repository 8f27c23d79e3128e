import { Fault, unplayable, type SourceReason } from '../../../lib/errors.ts'
import type { EgressResponse } from '../../../upstream/egress/egress-guard.ts'

/** @throws {Fault} unless it is the status of an answer with something in it. */
export function refuseStatus({ status, url }: Pick<EgressResponse, 'status' | 'url'>): void {
  if (status === 200 || status === 206) return
  if (status === 429 || status >= 500) {
    const message = `${url.host} returned the error status ${status}. Try again later.`
    throw new Fault('service_unavailable', message, { reason: status === 429 ? 'source_refused' : 'unreachable' })
  }
  const known: Record<number, string> = {
    401: 'requires a password',
    403: 'denies access',
    404: 'has no file at this URL',
    410: 'no longer has this file',
    416: 'returned an empty file',
    451: 'blocks it in this country',
  }
  throw unplayable(`${url.host} ${known[status] ?? 'denies access'} (status ${status}).`, REASONS[status])
}

const REASONS: Readonly<Record<number, SourceReason>> = {
  401: 'private',
  404: 'nothing_found',
  410: 'nothing_found',
  451: 'region',
}

/** Addresses that expire answer so: asking again is of no use, another address may be. */
const GONE: ReadonlySet<number> = new Set([401, 403, 404, 410])

/** The fault for a host's status while a track plays: `not_found` where another address may work. */
export function refusedWith(status: number): Fault {
  if (!GONE.has(status)) return new Fault('upstream_failed', `This track's host returned the status ${status}.`)
  return new Fault('not_found', `The host no longer provides this track (status ${status}).`)
}
