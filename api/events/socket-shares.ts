import { Fault } from '../../lib/errors.ts'
import { createFairShare, type Release } from '../../lib/sharing/fair-share.ts'
import { isWithin, LOOPBACK, networkOf } from '../http/client-address.ts'
import { maxConnections } from '../http/connections/connection-limit.ts'

export interface SocketBounds {
  readonly perProcess: number
  readonly perProject: number
  readonly perAddress: number
}

/** The client that requests an event socket. */
interface Applicant {
  readonly projectId: string
  /** The caller's address; behind a trusted proxy, the forwarded one. */
  readonly address: string | undefined
}

/** Shares the event sockets between projects and addresses: each has its own bound, and at most half of what is free. */
export type SocketShares = ReturnType<typeof createSocketShares>

/** @param retryAfterMs how long a refused applicant should wait */
export function createSocketShares(bounds: SocketBounds, retryAfterMs: number) {
  const { perProcess, perProject, perAddress } = bounds
  // A third of the connections stays for requests.
  const total = Math.min(perProcess, Math.floor((maxConnections() * 2) / 3))
  const pool = { what: 'event sockets', total, maxWaiting: 0, maxWaitMs: 0 }
  const projects = createFairShare({ ...pool, share: Math.min(perProject, total - 1) })
  const addresses = createFairShare({ ...pool, share: Math.min(perAddress, total - 1) })
  const refusal = (whose: string) => {
    const message = `Event socket limit reached for ${whose}. Close some, then try again.`
    return new Fault('rate_limited', message, { retryAfterMs })
  }

  return {
    /** @throws {Fault} `service_unavailable` if all are taken, `rate_limited` if the share of the applicant is. */
    acquire({ projectId, address }: Applicant): Release {
      if (projects.held >= total) {
        throw new Fault('service_unavailable', 'Event socket limit reached for this service. Try again later.', {
          retryAfterMs,
        })
      }
      const release = projects.tryAcquire(projectId)
      if (!release) throw refusal('your project')
      if (address === undefined || isWithin(LOOPBACK, address)) return release
      const releaseAddress = addresses.tryAcquire(networkOf(address))
      if (releaseAddress) {
        return () => {
          release()
          releaseAddress()
        }
      }
      release()
      throw refusal('your IP address')
    },
  }
}
