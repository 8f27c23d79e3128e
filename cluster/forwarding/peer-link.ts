import type { PeerLink } from '../../lib/sharing/forwarding.ts'
import type { Logger } from '../../lib/log.ts'
import type { Signing } from '../signing.ts'
import { createForwarding, type LeaseView } from './forwarding.ts'
import { createPeerClient } from './peer-client.ts'
import { createPeerRequests } from './peer-requests.ts'
import { createRequestSignature } from './request-signature.ts'

export interface OpenPeerLink extends PeerLink {
  close(): Promise<void>
}

interface PeerLinkOptions {
  readonly leases: LeaseView
  readonly serviceId: string
  readonly signing: Signing
  readonly log: Logger
  readonly patienceMs?: number
}

/** Signed requests between this service and the others. */
export function openPeerLink({ signing, log, ...options }: PeerLinkOptions): OpenPeerLink {
  const signature = createRequestSignature({ ...options, signing })
  const client = createPeerClient(signature)
  const requests = createPeerRequests({ signature, calls: async () => undefined, log })
  return { ...createForwarding({ ...options, client }), ...requests, close: () => client.close() }
}
