import { Agent } from 'undici'
import { createLru } from '../../../lib/sharing/lru.ts'
import { Fault } from '../../../lib/errors.ts'
import type { PeerAnswer, PeerRequest, PeerService } from '../../../lib/sharing/forwarding.ts'
import { REFUSED_HEADER } from './peer-requests.ts'
import type { RequestSignature } from './request-signature.ts'

/** Connections to the other services, which stay open. */
export type PeerClient = ReturnType<typeof createPeerClient>

/** To each service; more requests wait. */
const CONNECTIONS = 128
const CONNECT_MS = 1000
/** Longer than any route takes by its own rules. */
const ANSWER_MS = 60_000
/** Live pages and sound say something more often. */
const SILENCE_MS = 60_000
/** Shorter than the receiver's, so that no request meets a connection that is just being closed. */
const IDLE_MS = 30_000

const MOST_SERVICES = 500
/** Explanations of refusals for the operator. */
const REFUSALS: Readonly<Record<string, string>> = {
  clock: 'Their clocks differ by more than 30 s. Set both by NTP.',
  signature: 'They have different SERVICES_KEYs. Set the same one on all services.',
}
const REFUSED = new Fault(
  'service_unavailable',
  'The services of this installation refuse each other. Its operator can see why at /readyz.',
  { retryAfterMs: 2000 },
)

/** Codes of undici for a request that has not left this machine. */
const NEVER_SENT: ReadonlySet<string | undefined> = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
])

export function createPeerClient(signature: RequestSignature) {
  const agent = new Agent({
    connections: CONNECTIONS,
    pipelining: 1,
    connect: { timeout: CONNECT_MS },
    headersTimeout: ANSWER_MS,
    bodyTimeout: SILENCE_MS,
    keepAliveTimeout: IDLE_MS,
    keepAliveMaxTimeout: IDLE_MS,
  })

  const refusals = createLru<string, string>(MOST_SERVICES)
  return {
    /** Why a service refused the last request to it; null if it did not. */
    refusalOf: (serviceId: string): string | null => refusals.get(serviceId) ?? null,
    async send(
      { serviceId, url }: PeerService,
      { method, path, headers, body, identity, signal }: PeerRequest,
    ): Promise<PeerAnswer> {
      const signed = signature.sign(serviceId, { method, path, headers, body }, identity)
      const target = new URL(url)
      try {
        const answer = await agent.request({
          origin: target.origin,
          path,
          method,
          headers: { ...headers, ...signed },
          body,
          signal,
        })
        const { [REFUSED_HEADER]: refused } = answer.headers
        if (typeof refused === 'string') {
          void answer.body.dump().catch(() => undefined)
          refusals.set(serviceId, REFUSALS[refused] ?? 'It rejects its requests.')
          throw REFUSED
        }
        refusals.delete(serviceId)
        return { status: answer.statusCode, headers: answer.headers, body: answer.body }
      } catch (cause) {
        if (signal.aborted || cause === REFUSED) throw cause
        throw unreachable(cause)
      }
    },
    close: (): Promise<void> => agent.destroy(),
  }
}

function unreachable(cause: unknown): Fault {
  const { code } = cause as { readonly code?: string }
  const options = { retryAfterMs: 2000, cause }
  const message = "The service that runs this server's player doesn't respond. Try again in a moment."
  const peer = NEVER_SENT.has(code) ? 'unreachable' : 'lost'
  return new Fault('service_unavailable', message, { ...options, peer })
}
