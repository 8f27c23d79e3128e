import { z } from 'zod'
import type { Shard, ShardOwner } from '../../../bot/discord/shards/shard-directory.ts'
import type { GuildTarget } from '../../../lib/sharing/forwarding.ts'
import { shardOf } from '../../../lib/sharing/shard-of.ts'
import type { Signing } from '../signing.ts'
import { NO_ORDERS, readOrders, SERVICE_WEIGHTS, type ClusterOrders } from './orders.ts'

/** A lease as Redis has it at a moment. */
export interface LeaseView {
  /** Null while it is free. */
  readonly serviceId: string | null
  /** The service that it is handed over to, which alone may take it now. */
  readonly reservedFor: string | null
  /** Until it can be taken unless its owner renews it; 0 while it is free. */
  readonly leftMs: number
  /** Age of its owner's lease or, while it is free, of the last one. */
  readonly ageMs: number
  /** Held a moment ago: Discord still keeps its session, which a new owner can resume without a login. */
  readonly isRecent: boolean
}

/** The work of a shard, as its owner reports it. */
const ShardWeight = z.object({
  weight: z.number().min(0),
  isReady: z.boolean(),
  players: z.int().min(0),
  guilds: z.int().min(0).default(0),
})
export type ShardWeight = z.output<typeof ShardWeight>

/** The report of a service with each renewal. */
const ServiceEntry = z.object({
  /** Address for the other services. */
  url: z.string().max(2048),
  /** The name of its machine. */
  host: z.string().max(255).default(''),
  startedAtMs: z.number(),
  version: z.string().max(100).default(''),
  isDraining: z.boolean(),
  /** Share of the load compared with the other services. */
  weight: z.number().min(SERVICE_WEIGHTS.min).max(SERVICE_WEIGHTS.max).default(SERVICE_WEIGHTS.default),
  /** The bots that it can run: an owner can keep some from a service, and a token may not be readable there. */
  bots: z.array(z.string()),
  /** Players by project, including those of single-service bots and Lavalink clients. Absent in earlier versions. */
  players: z.record(z.string(), z.int().min(0)).optional(),
  /** By shard. */
  shards: z.record(z.string(), ShardWeight),
})
export type ServiceEntry = z.output<typeof ServiceEntry>

/** All leases and services at a moment. */
export interface ClusterLeases {
  readonly leases: ReadonlyMap<string, LeaseView>
  /** Services that renewed within the life of a lease. */
  readonly services: ReadonlyMap<string, ServiceEntry>
  /** Bot → how many shards it has. */
  readonly shardCounts: ReadonlyMap<string, number>
  /** Redis is new or lost its data, and grants nothing for the life of a lease. */
  readonly isEarly: boolean
  readonly orders: ClusterOrders
}

/** Before Redis has answered. */
export const NO_LEASES: ClusterLeases = {
  leases: new Map(),
  services: new Map(),
  shardCounts: new Map(),
  isEarly: true,
  orders: NO_ORDERS,
}

/** The answer of RENEW and LOOK. */
export type ViewAnswer = readonly [
  time: string,
  kept: number[],
  leases: string[],
  services: string[],
  counts: string[],
  isEarly: number,
  orders: string[],
]

export function readView(answer: ViewAnswer, signing: Signing): ClusterLeases {
  const [time, , leases, services, counts, isEarly, orders] = answer
  const nowMs = Number(time)
  return {
    leases: readLeases(leases, nowMs),
    services: readServices(services, nowMs, signing),
    shardCounts: readCounts(counts),
    isEarly: isEarly === 1,
    orders: readOrders(entries(orders), signing),
  }
}

/** Whether a service takes shards of this bot. */
export function canTake({ services }: ClusterLeases, serviceId: string, key: string): boolean {
  const service = services.get(serviceId)
  return service !== undefined && !service.isDraining && service.bots.includes(parseShardKey(key)?.botId ?? '')
}

export function shardKey({ botId, shardId, shardCount }: Shard): string {
  return `${botId}:${shardCount}:${shardId}`
}

/** Null if it is none. */
export function parseShardKey(key: string): Shard | null {
  const [botId = '', count = '', id = ''] = key.split(':')
  const [shardCount, shardId] = [Number(count), Number(id)]
  const isOne = botId !== '' && Number.isInteger(shardCount) && Number.isInteger(shardId) && shardId < shardCount
  return isOne ? { botId, shardId, shardCount } : null
}

/** The shard of a guild; null while the number of shards is not agreed on. */
export function keyOfGuild({ shardCounts }: ClusterLeases, botId: string, guildId: string): string | null {
  const shardCount = shardCounts.get(botId)
  return shardCount === undefined ? null : shardKey({ botId, shardId: shardOf(guildId, shardCount), shardCount })
}

/** The other service that runs a guild of a bot; null if none is known to. */
export function ownerElsewhere(view: ClusterLeases, self: string, { botId, guildId }: GuildTarget): ShardOwner | null {
  const key = keyOfGuild(view, botId, guildId)
  const serviceId = key === null ? null : (view.leases.get(key)?.serviceId ?? null)
  if (serviceId === null || serviceId === self) return null
  const service = view.services.get(serviceId)
  return service ? { serviceId, url: service.url } : null
}

/** Counts the players of a project on the other services, by the last renewal of each. */
export function countElsewhere({ services }: ClusterLeases, self: string, projectId: string): number {
  let sum = 0
  for (const [serviceId, { players }] of services) if (serviceId !== self) sum += players?.[projectId] ?? 0
  return sum
}

export function ofBot(botId: string, keys: readonly string[]): readonly string[] {
  return keys.filter((key) => parseShardKey(key)?.botId === botId)
}

export function shardsOf(botId: string, shardCount: number): readonly Shard[] {
  return Array.from({ length: shardCount }, (_, shardId) => ({ botId, shardId, shardCount }))
}

/** Discord forgets a session that no connection resumes for a minute or more. */
const RESUMABLE_MS = 60_000

const LEASE = /^(\S+) (\d+) (\d+) (\S+) (\d+)$/

/** @param pairs fields and values in turn, as HGETALL answers. */
function readLeases(pairs: readonly string[], nowMs: number): ReadonlyMap<string, LeaseView> {
  return new Map(
    entries(pairs).flatMap(([key, value]) => {
      const [, service = '-', token = '0', expires = '0', to = '-', till = '0'] = LEASE.exec(value) ?? []
      const isHeld = service !== '-' && Number(expires) > nowMs
      const isReserved = to !== '-' && Number(till) > nowMs
      const lease = {
        serviceId: isHeld ? service : null,
        reservedFor: isReserved ? to : null,
        leftMs: isHeld ? Number(expires) - nowMs : 0,
        // A token is the time when it was granted.
        ageMs: Math.max(0, nowMs - Number(token)),
        isRecent: Math.max(Number(expires), Number(till)) > nowMs - RESUMABLE_MS,
      }
      return [[key, lease] as const]
    }),
  )
}

/** Leaves out entries that our services did not sign: a forged address would get the keys of callers. */
function readServices(pairs: readonly string[], nowMs: number, signing: Signing): ReadonlyMap<string, ServiceEntry> {
  return new Map(
    entries(pairs).flatMap(([id, value]) => {
      const at = value.indexOf(' ')
      const text = signing.check(`service ${id}`, value.slice(at + 1))
      const entry = text === null ? null : ServiceEntry.safeParse(JSON.parse(text))
      return entry?.success && Number(value.slice(0, at)) > nowMs ? [[id, entry.data] as const] : []
    }),
  )
}

export function signEntry(id: string, entry: ServiceEntry, signing: Signing): string {
  return signing.sign(`service ${id}`, JSON.stringify(entry))
}

function readCounts(pairs: readonly string[]): ReadonlyMap<string, number> {
  return new Map(entries(pairs).map(([botId, count]) => [botId, Number(count)]))
}

function entries(pairs: readonly string[]): readonly (readonly [string, string])[] {
  return Array.from({ length: pairs.length / 2 }, (_, at) => [pairs[2 * at] ?? '', pairs[2 * at + 1] ?? ''] as const)
}
