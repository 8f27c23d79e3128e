import type { Forwarding, GuildTarget, PeerService, Whereabouts } from '../../../lib/sharing/forwarding.ts'
import { type ClusterLeases, parseShardKey, shardKey } from '../leases/view.ts'
import { shardOf } from '../../../lib/sharing/shard-of.ts'
import type { PeerClient } from './peer-client.ts'

/** The leases needed to find a guild's owner. */
export interface LeaseView {
  readonly view: ClusterLeases
  isHeldHere(botId: string, guildId: string): boolean
  look(): Promise<void>
}

interface ForwardingOptions {
  readonly leases: LeaseView
  readonly serviceId: string
  readonly client: Pick<PeerClient, 'send'>
  readonly patienceMs?: number
}

/** Longer than a handover takes, and shorter than callers wait. */
const PATIENCE_MS = 4000
/** Many requests that wait for the same guild share a look. */
const LOOK_EVERY_MS = 100

export function createForwarding(options: ForwardingOptions): Omit<Forwarding, 'occupiedElsewhere'> {
  const { leases, serviceId, client, patienceMs = PATIENCE_MS } = options
  let lookedAtMs = -Infinity
  return {
    patienceMs,
    locate: (target) => locate(leases, serviceId, target),
    async refresh() {
      if (performance.now() - lookedAtMs < LOOK_EVERY_MS) return
      lookedAtMs = performance.now()
      await leases.look()
    },
    send: (service, request) => client.send(service, request),
  }
}

function locate(leases: LeaseView, serviceId: string, { botId, guildId }: GuildTarget): Whereabouts {
  if (leases.isHeldHere(botId, guildId)) return { at: 'here' }
  const { view } = leases
  const shardCount = view.shardCounts.get(botId)
  if (shardCount === undefined || !isRun(view, botId)) return { at: 'nowhere' }
  const key = shardKey({ botId, shardId: shardOf(guildId, shardCount), shardCount })
  const owner = view.leases.get(key)?.serviceId ?? null
  const service = owner === null || owner === serviceId ? undefined : view.services.get(owner)
  return service && owner !== null ? { at: 'peer', service: { serviceId: owner, url: service.url } } : { at: 'moving' }
}

export function otherServices({ services }: ClusterLeases, serviceId: string): readonly PeerService[] {
  return [...services].flatMap(([id, { url }]) => (id === serviceId ? [] : [{ serviceId: id, url }]))
}

export function isReadyElsewhere({ services }: ClusterLeases, serviceId: string, botId: string): boolean {
  const isReady = ([key, { isReady: is }]: [string, { readonly isReady: boolean }]) => is && key.startsWith(`${botId}:`)
  return [...services].some(([id, { shards }]) => id !== serviceId && Object.entries(shards).some(isReady))
}

/** Whether there is a service that can run the bot. */
function isRun({ services }: ClusterLeases, botId: string): boolean {
  return [...services.values()].some(({ bots }) => bots.includes(botId))
}

/** The other services that run shards of these bots, and whether every shard is run by one that is known. */
export function ownersOf(
  view: ClusterLeases,
  serviceId: string,
  botIds: readonly string[],
): { readonly others: readonly PeerService[]; readonly isWhole: boolean } {
  const others = new Map<string, PeerService>()
  let isWhole = true
  for (const botId of botIds.filter((id) => isRun(view, id))) {
    const shardCount = view.shardCounts.get(botId) ?? 0
    let held = 0
    for (const [key, lease] of view.leases) {
      const shard = parseShardKey(key)
      if (shard?.botId !== botId || shard.shardCount !== shardCount || lease.serviceId === null) continue
      const service = view.services.get(lease.serviceId)
      if (lease.serviceId === serviceId) held += 1
      else if (service) {
        held += 1
        others.set(lease.serviceId, { serviceId: lease.serviceId, url: service.url })
      }
    }
    if (held < shardCount) isWhole = false
  }
  return { others: [...others.values()], isWhole }
}
