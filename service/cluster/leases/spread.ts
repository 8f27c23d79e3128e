import type { ShardLoad } from '../../../bot/discord/shards/shard-directory.ts'
import { canTake, parseShardKey, shardKey, shardsOf, type ClusterLeases, type ShardWeight } from './view.ts'

/** Guilds count once; a player works all the time. A shard is never nothing. */
const PER_PLAYER = 50
const PER_SHARD = 10
/** Loads that differ by less are left alone: each move is a gap of half a second for the players of the shard. */
const TOLERANCE = 0.1
/** Time after a move in which a shard with players stays where it is. */
const REST_MS = 30_000

export function weightOf({ guilds, players }: { readonly guilds: number; readonly players: number }): number {
  return PER_SHARD + guilds + PER_PLAYER * players
}

/** Weighs the work of each of these shards; those that do not run are left out. */
export function weighShards(
  keys: readonly string[],
  loadOf: (key: string) => ShardLoad | undefined,
): Readonly<Record<string, ShardWeight>> {
  const weights = keys.flatMap((key) => {
    const load = loadOf(key)
    return load ? [[key, { weight: weightOf(load), ...load }] as const] : []
  })
  return Object.fromEntries(weights)
}

export interface Move {
  readonly key: string
  /** Null: no other service can run it. */
  readonly to: string | null
}

/** Shards of these bots that no service runs, in the order in which they are to be taken. */
export function freeShards({ leases, shardCounts }: ClusterLeases, botIds: Iterable<string>): readonly string[] {
  return [...botIds].flatMap((botId) =>
    shardsOf(botId, shardCounts.get(botId) ?? 0)
      .map(shardKey)
      .filter((key) => (leases.get(key)?.serviceId ?? null) === null),
  )
}

/**
 * Assigns the shards that no service runs. All services see the same leases and come to the same end, so they seldom reach
 * for the same shard; where they do, Redis gives it to one.
 */
export function assignFree(view: ClusterLeases, free: readonly string[]): ReadonlyMap<string, string> {
  const loads = loadsOf(view)
  const weigh = weigher(view)
  const assigned = new Map<string, string>()
  for (const key of free) {
    const reserved = view.leases.get(key)?.reservedFor ?? null
    const meant = reserved !== null && view.services.has(reserved) ? reserved : pinnedTo(view, key)
    const to = meant ?? lightest(view, loads, key, weigh(key))
    if (to === null) continue
    assigned.set(key, to)
    loads.set(to, (loads.get(to) ?? 0) + weigh(key))
  }
  return assigned
}

/**
 * The next shard that this service gives away so that all have as much to do by their weights; null while that is so.
 * @param mayMove asked with the shards of this service.
 */
export function chooseMove(view: ClusterLeases, me: string, mayMove = (_key: string): boolean => true): Move | null {
  const loads = loadsOf(view)
  const share = (serviceId: string, more = 0) => ((loads.get(serviceId) ?? 0) + more) / serviceWeight(view, serviceId)
  const total = [...loads.values()].reduce((sum, load) => sum + load, 0)
  const average = total / [...loads.keys()].reduce((sum, id) => sum + serviceWeight(view, id), 0)
  const own = Object.entries(view.services.get(me)?.shards ?? {})
  const shards = own.filter(([key, { isReady }]) => isReady && mayMove(key) && pinnedTo(view, key) !== me)
  // Shards without players first, then the largest that helps.
  const sorted = shards.toSorted(([, a], [, b]) => Number(a.players > 0) - Number(b.players > 0) || b.weight - a.weight)
  const isResting = (key: string) => (view.leases.get(key)?.ageMs ?? 0) < REST_MS
  for (const [key, { weight, players }] of sorted) {
    if (players > 0 && isResting(key)) continue
    const to = lightest(view, loads, key, weight)
    if (to === null || to === me) continue
    if (share(me) > share(to, weight) && share(me) - share(to) > TOLERANCE * average) return { key, to }
  }
  return null
}

/** Plans where the shards of a draining service go. */
export function planDrain(view: ClusterLeases, keys: readonly string[], me: string): readonly Move[] {
  const loads = loadsOf(view)
  loads.delete(me)
  const weigh = weigher(view)
  const shards = view.services.get(me)?.shards ?? {}
  // Shards with players first: a service that has to end may not come to all.
  const sorted = keys.toSorted((a, b) => (shards[b]?.players ?? 0) - (shards[a]?.players ?? 0))
  return sorted.map((key) => {
    const to = lightest(view, loads, key, weigh(key))
    if (to !== null) loads.set(to, (loads.get(to) ?? 0) + weigh(key))
    return { key, to }
  })
}

/** While a shard of the former division is still run, one of the new division would have some of its guilds, too. */
export function hasOtherCount({ leases, shardCounts }: ClusterLeases, key: string): boolean {
  const botId = parseShardKey(key)?.botId ?? ''
  return [...leases].some(([other, { serviceId }]) => {
    const shard = serviceId === null ? null : parseShardKey(other)
    return shard?.botId === botId && shard.shardCount !== shardCounts.get(botId)
  })
}

/** Returns the load of each service that takes shards, by the leases: reports of services are up to 2 s old. */
function loadsOf(view: ClusterLeases): Map<string, number> {
  const taking = [...view.services].filter(([, { isDraining }]) => !isDraining)
  const loads = new Map(taking.map(([id]) => [id, 0]))
  const weigh = weigher(view)
  for (const [key, { serviceId }] of view.leases) {
    const load = serviceId === null ? undefined : loads.get(serviceId)
    if (serviceId !== null && load !== undefined) loads.set(serviceId, load + weigh(key))
  }
  return loads
}

/** Returns a function for the weight of a shard: its owner's report, or else the average. */
function weigher({ services }: ClusterLeases): (key: string) => number {
  const known = new Map([...services.values()].flatMap(({ shards }) => Object.entries(shards)))
  const ready = [...known.values()].filter(({ isReady }) => isReady)
  const average = ready.reduce((sum, { weight }) => sum + weight, 0) / ready.length || PER_SHARD
  return (key) => {
    const found = known.get(key)
    return found?.isReady ? found.weight : average
  }
}

/** Null: none in particular, or one that does not take it now. */
function pinnedTo(view: ClusterLeases, key: string): string | null {
  const to = view.orders.pins.get(key)?.to
  return to !== undefined && canTake(view, to, key) ? to : null
}

function serviceWeight({ services }: ClusterLeases, serviceId: string): number {
  return services.get(serviceId)?.weight ?? 1
}

/** The service that has least to do for its weight once it has the shard. */
function lightest(view: ClusterLeases, loads: ReadonlyMap<string, number>, key: string, weight: number): string | null {
  const shares = [...loads]
    .filter(([id]) => canTake(view, id, key))
    .map(([id, load]) => [id, (load + weight) / serviceWeight(view, id)] as const)
  const [best] = shares.toSorted(([idA, a], [idB, b]) => a - b || (idA < idB ? -1 : 1))
  return best?.[0] ?? null
}
