import { parseShardKey, shardKey, shardsOf, type ClusterLeases } from '../../cluster/leases/view.ts'
import { describeSpan, isoTime, table } from '../words.ts'
import { shortId } from './select.ts'

type ShardReport = ReturnType<typeof reportShard>

interface ClusterReport {
  readonly services: readonly ServiceReport[]
  readonly bots: readonly {
    readonly botId: string
    readonly shardCount: number
    readonly shards: readonly ShardReport[]
  }[]
}

type ServiceReport = ReturnType<typeof reportService>

/** Who runs what. */
export function reportCluster(view: ClusterLeases): ClusterReport {
  const running = new Set([...view.services.values()].flatMap(({ bots }) => bots))
  const bots = [...view.shardCounts].filter(([botId]) => running.has(botId))
  return {
    services: [...view.services.keys()]
      .map((id) => reportService(view, id))
      .toSorted((a, b) => (a.url < b.url ? -1 : 1)),
    bots: bots.map(([botId, shardCount]) => ({
      botId,
      shardCount,
      shards: shardsOf(botId, shardCount).map((shard) => reportShard(view, shardKey(shard))),
    })),
  }
}

function reportService(view: ClusterLeases, id: string) {
  const { url, host, version, startedAtMs, weight, isDraining, bots, shards } = view.services.get(id)!
  const held = [...view.leases].filter(([, { serviceId }]) => serviceId === id).map(([key]) => key)
  const sum = (what: 'guilds' | 'players') => held.reduce((total, key) => total + (shards[key]?.[what] ?? 0), 0)
  const counts = { shards: held.length, guilds: sum('guilds'), players: sum('players') }
  return { id, url, host, version, startedAt: isoTime(startedAtMs), weight, isDraining, bots, ...counts }
}

function reportShard(view: ClusterLeases, key: string) {
  const { serviceId = null, leftMs = 0, ageMs = 0 } = view.leases.get(key) ?? {}
  const said = serviceId === null ? undefined : view.services.get(serviceId)?.shards[key]
  const pinnedTo = view.orders.pins.get(key)?.to ?? null
  return {
    shardId: parseShardKey(key)?.shardId ?? 0,
    /** Null: no service runs it now. */
    serviceId,
    /** Age of its service's lease, and the time until it expires unless it is renewed. */
    heldForMs: serviceId === null ? null : ageMs,
    leaseLeftMs: serviceId === null ? null : leftMs,
    guilds: said?.guilds ?? null,
    players: said?.players ?? null,
    state: serviceId === null ? 'free' : said?.isReady ? 'ready' : 'connecting',
    /** The service where an operator put it. */
    pinnedTo: pinnedTo !== null && view.services.has(pinnedTo) ? pinnedTo : null,
  }
}

const SERVICE_COLUMNS = ['service', 'host', 'url', 'version', 'weight', 'shards', 'guilds', 'players', 'up', 'state']
const SHARD_COLUMNS = ['shards', 'service', 'guilds', 'players', 'held for', 'lease left', 'state']

/** Describes the cluster for a person: shards of one service and one state in one line. */
export function describeCluster({ services, bots }: ClusterReport, nowMs: number): readonly string[] {
  if (services.length === 0) return ['No service is running.']
  const rows = services.map((one) => [
    shortId(one.id),
    one.host,
    one.url,
    one.version,
    one.weight,
    one.shards,
    one.guilds,
    one.players,
    describeSpan(nowMs - Date.parse(one.startedAt ?? '')),
    one.isDraining ? (one.shards > 0 ? 'draining' : 'drained') : 'running',
  ])
  const ofBots = bots.flatMap(({ botId, shardCount, shards }) => [
    '',
    `bot ${botId}: ${shardCount} ${shardCount === 1 ? 'shard' : 'shards'}`,
    ...table(SHARD_COLUMNS, groupShards(shards).map(describeGroup)),
  ])
  return [...table(SERVICE_COLUMNS, rows), ...ofBots]
}

function groupShards(shards: readonly ShardReport[]): readonly (readonly ShardReport[])[] {
  const groups = Map.groupBy(shards, ({ serviceId, state, pinnedTo }) => `${serviceId} ${state} ${pinnedTo}`)
  return [...groups.values()]
}

function describeGroup(group: readonly ShardReport[]): readonly (string | number | null)[] {
  const [first] = group
  const sum = (what: 'guilds' | 'players') => group.reduce((total, shard) => total + (shard[what] ?? 0), 0)
  const held = group.flatMap(({ heldForMs }) => heldForMs ?? [])
  const left = group.flatMap(({ leaseLeftMs }) => leaseLeftMs ?? [])
  const service = first?.serviceId ? shortId(first.serviceId) : null
  return [
    describeRanges(group.map(({ shardId }) => shardId)),
    service,
    service === null ? null : sum('guilds'),
    service === null ? null : sum('players'),
    held.length === 0 ? null : describeRange(Math.min(...held), Math.max(...held)),
    left.length === 0 ? null : `${(Math.min(...left) / 1000).toFixed(1)}s`,
    `${first?.state ?? ''}${first?.pinnedTo ? `, moved to ${shortId(first.pinnedTo)}` : ''}`,
  ]
}

/** `0-3, 7` */
function describeRanges(numbers: readonly number[]): string {
  const starts = numbers.filter((number) => !numbers.includes(number - 1))
  const ends = numbers.filter((number) => !numbers.includes(number + 1))
  return starts.map((start, at) => (start === ends[at] ? String(start) : `${start}-${ends[at]}`)).join(', ')
}

function describeRange(shortestMs: number, longestMs: number): string {
  const [shortest, longest] = [describeSpan(shortestMs), describeSpan(longestMs)]
  return shortest === longest ? shortest : `${shortest} to ${longest}`
}
