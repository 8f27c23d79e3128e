import type { EventBus } from '../../../bot/events.ts'
import { readBounded } from '../../../lib/buffers.ts'
import type { ForwardedIdentity, PeerLink, PeerService } from '../../../lib/sharing/forwarding.ts'
import type { Logger } from '../../../lib/log.ts'
import type { Signing } from '../signing.ts'
import { EventLink } from './event-link.ts'
import { createForwarding, isReadyElsewhere, otherServices, ownersOf, type LeaseView } from './forwarding.ts'
import { createPeerClient, type PeerClient } from './peer-client.ts'
import { createPeerReads } from './peer-reads.ts'
import { CALLS_PATH, createPeerRequests } from './peer-requests.ts'
import { createRequestSignature } from './request-signature.ts'

export type OpenPeerLink = ReturnType<typeof openPeerLink>

interface PeerLinkOptions {
  readonly leases: LeaseView
  readonly serviceId: string
  /** Where the other services reach this one. */
  readonly url: () => string
  readonly signing: Signing
  readonly events: EventBus
  readonly log: Logger
  /** What keeps services from seeing each other at all; null if nothing does. */
  readonly apart?: () => string | null
  readonly patienceMs?: number
  /** The wall clock; only tests hand one in. */
  readonly now?: () => number
  /** How often the others are greeted, so that a refusal is known before a caller meets it. */
  readonly greetEveryMs?: number
}

const CALL_MS = 10_000
const GREET_EVERY_MS = 5000
/** Of the answer to a call. */
const MOST_BYTES = 16 * 1024 * 1024
const NO_CALLER: ForwardedIdentity = { address: null, caller: null, target: null }

/** Signed requests between this service and the others. */
export function openPeerLink({ signing, events: bus, log, url, ...options }: PeerLinkOptions) {
  const { leases, serviceId } = options
  const signature = createRequestSignature({ ...options, signing })
  const client = createPeerClient(signature)
  const handlers = new Map<string, (body: unknown) => unknown>()
  const forwarding = createForwarding({ ...options, client })

  const callText = (service: PeerService, name: string, body: string) => callByName(client, service, name, body)
  const events = new EventLink({
    events: bus,
    peers: () => otherServices(leases.view, serviceId),
    self: () => ({ serviceId, url: url() }),
    call: callText,
    refresh: () => forwarding.refresh(),
    log,
  })
  const greet = () => {
    const body = JSON.stringify({ serviceId, url: url() })
    for (const peer of otherServices(leases.view, serviceId)) callText(peer, 'join', body).catch(() => undefined)
  }
  const greeting = setInterval(greet, options.greetEveryMs ?? GREET_EVERY_MS).unref()
  const calls = (name: string, body: string): unknown =>
    events.receive(name, body) ?? handlers.get(name)?.(JSON.parse(body))
  const link = {
    ...forwarding,
    ...createPeerRequests({ signature, calls, log }),
    /** Between the buses of all services. */
    events,
    /** Answers the calls of this name from now on. */
    answer: (name: string, handler: (body: unknown) => unknown) => void handlers.set(name, handler),
    /** @throws {Fault} `service_unavailable` if the service does not answer. */
    call: (service: PeerService, name: string, body: unknown) => callText(service, name, JSON.stringify(body)),
    /** Of all other services; those that do not answer are left out. */
    async callAll(name: string, body: unknown) {
      const text = JSON.stringify(body)
      const called = otherServices(leases.view, serviceId).map((service) => callText(service, name, text))
      return (await Promise.allSettled(called)).flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
    },
    /** The other services that run shards of these bots, and whether every shard is run by one that is known. */
    ownersOf: (botIds: readonly string[]) => ownersOf(leases.view, serviceId, botIds),
    /** What keeps services from taking requests of each other; null if nothing does. */
    problem(): string | null {
      const refusing = otherServices(leases.view, serviceId).find((peer) => client.refusalOf(peer.serviceId) !== null)
      if (refusing) return `${refusing.url} refuses this service. ${client.refusalOf(refusing.serviceId)}`
      return options.apart?.() ?? null
    },
    /** How many other services there are. */
    countOthers: () => otherServices(leases.view, serviceId).length,
    /** Whether another service has a connected shard of the bot. */
    isReadyElsewhere: (botId: string) => isReadyElsewhere(leases.view, serviceId, botId),
    async close() {
      clearInterval(greeting)
      await events.close()
      await client.close()
    },
  }
  const reads = createPeerReads(link)
  const peers: PeerLink = { ...link, occupiedElsewhere: (group, guildId) => reads.occupied(group, guildId) }
  return { ...link, ...peers, reads }
}

async function callByName(client: PeerClient, service: PeerService, name: string, body: string): Promise<unknown> {
  const signal = AbortSignal.timeout(CALL_MS)
  const request = { method: 'POST', path: CALLS_PATH + name, body, identity: NO_CALLER, signal }
  const answer = await client.send(service, { ...request, headers: { 'content-type': 'application/json' } })
  const text = await textOf(answer.body)
  if (answer.status !== 200) throw new Error(`${service.url} returned the status ${answer.status} for ${name}.`)
  return JSON.parse(text)
}

async function textOf(body: AsyncIterable<Buffer>): Promise<string> {
  return (await readBounded(body, MOST_BYTES, tooLong)).toString()
}

function tooLong(): Error {
  return new Error("Another service's response is too long.")
}
