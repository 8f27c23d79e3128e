import { Fault, unplayable, type SourceReason } from '../../../lib/errors.ts'
import type { EgressResponse } from '../../../upstream/egress/egress-guard.ts'

/** @throws {Fault} unless it is the status of an answer with something in it. */
export function refuseStatus({ status, url }: Pick<EgressResponse, 'status' | 'url'>): void {
  if (status === 200 || status === 206) return
  if (status === 429 || status >= 500) {
    const message = `${url.host} is not answering properly (status ${status}). Try again later.`
    throw new Fault('service_unavailable', message, { reason: status === 429 ? 'source_refused' : 'unreachable' })
  }
  const known: Record<number, string> = {
    401: 'wants a password for it',
    403: 'does not give it out',
    404: 'has nothing there',
    410: 'has nothing there any more',
    416: 'has an empty file there',
    451: 'may not show it in this country',
  }
  throw unplayable(`${url.host} ${known[status] ?? 'does not give it out'} (status ${status}).`, REASONS[status])
}

const REASONS: Readonly<Record<number, SourceReason>> = {
  401: 'private',
  404: 'nothing_found',
  410: 'nothing_found',
  451: 'region',
}

/** Addresses that expire answer so: asking again is of no use, another address may be. */
const GONE: ReadonlySet<number> = new Set([401, 403, 404, 410])

/** What a host's status means while a track plays: `not_found` where another address may do. */
export function refusedWith(status: number): Fault {
  if (!GONE.has(status)) return new Fault('upstream_failed', `The host of this track answered ${status}.`)
  return new Fault('not_found', `The host of this track does not give it out any more (status ${status}).`)
}
