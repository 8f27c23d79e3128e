import { hostname, networkInterfaces } from 'node:os'
import type { AudioNode } from '../../bot/audio/node/protocol.ts'
import type { ShardDirectory } from '../../bot/discord/shards/shard-directory.ts'
import type { EventBus } from '../../bot/events.ts'
import type { PeerReads } from '../../bot/peer-reads.ts'
import { systemClock } from '../../bot/player/timers.ts'
import { openPeerLink, type OpenPeerLink } from './forwarding/peer-link.ts'
import { LeaseKeeper } from './leases/keeper/lease-keeper.ts'
import { PLACES } from './leases/keeper/shared-times.ts'
import { LeaseDirectory } from './leases/lease-directory.ts'
import { COMMAND_MS, createLeaseStore, LEASE_LIFE_MS, leasePrefix } from './leases/lease-store.ts'
import { createSessionStores } from './leases/session-store.ts'
import { watchOtherKeys } from './other-keys.ts'
import { createSigning } from './signing.ts'
import { connectPostgres } from '../../db/engine/postgres/connections.ts'
import { createPostgresStore } from '../../db/engine/postgres/postgres-store.ts'
import type { Config } from '../../config.ts'
import type { Repositories } from '../../db/repositories.ts'
import { createShardLeases, type ShardLeases } from '../../db/shard-leases.ts'
import { connectRedis } from '../../jobs/redis/redis-client.ts'
import type { RedisAddress, RedisServer } from '../../jobs/redis/redis.ts'
import { monotonicNow, threadsNow } from '../../lib/clock.ts'
import { VERSION } from '../../lib/identity.ts'
import type { Logger } from '../../lib/log.ts'
import { programFile } from '../../lib/installation.ts'

export interface LeaseParts {
  readonly config: Config
  readonly log: Logger
  readonly redis: Pick<RedisServer, 'address'>
  readonly events: EventBus
  readonly nodes: readonly Pick<AudioNode, 'holdUntil'>[]
  readonly bound: { readonly url: string; readonly port: number }
  readonly stores: Pick<Repositories, 'processId'>
}

export interface OpenDirectory {
  readonly directory: ShardDirectory
  readonly reads: PeerReads
  /** Waits a moment until the other services have the events so far. */
  readonly flushEvents: () => Promise<void>
  /** The other services are told how many players each project has here. */
  readonly countPlayers: (source: () => ReadonlyMap<string, number>) => void
  /** Null: there are no other services that run shards of the same bots. */
  readonly peers: OpenPeerLink | null
}

/** The second witness of the leases. Its connections are its own: what waits behind other queries comes too late. */
function openShardLeases(url: string, serviceId: string, log: Logger, opening: AsyncDisposableStack): ShardLeases {
  const onError = (err: Error) => log.debug({ err }, 'database connection of leases lost')
  const connections = connectPostgres(url, { onError, timeoutMs: COMMAND_MS, maxConnections: 3 })
  const store = opening.adopt(createPostgresStore(connections), (it) => it.close())
  return createShardLeases(store, { serviceId, lifeMs: LEASE_LIFE_MS })
}

interface SharedParts extends LeaseParts {
  readonly databaseUrl: string
  readonly servicesKey: string
  readonly address: RedisAddress
}

function noPlayers(): ReadonlyMap<string, number> {
  return new Map()
}

/** The leases of this service, and its way to the others. */
export function openLeases(parts: SharedParts, opening: AsyncDisposableStack): OpenDirectory {
  const { config, log, events, nodes, bound, stores, databaseUrl, servicesKey, address } = parts
  const connect = () => opening.adopt(connectRedis(address, log, { commandMs: COMMAND_MS }), (it) => it.disconnect())
  const [commands, subscriber] = [connect(), connect()]
  const signing = createSigning(servicesKey)
  const common = { redis: commands, prefix: leasePrefix(config.redis.prefix, signing), signing }
  const serviceId = stores.processId
  const startedAtMs = Date.now()
  const store = createLeaseStore({ ...common, serviceId })
  const leases = openShardLeases(databaseUrl, serviceId, log, opening)
  const url = config.api.serviceUrl ?? ownUrl(config.api.host, bound)
  const keep = { file: programFile('service/cluster/lease-thread'), address, prefix: common.prefix, serviceId, log }
  const keeper = opening.adopt(new LeaseKeeper(keep), (it) => it.close())
  const allHeldUntil = keeper.times.subarray(PLACES.heldUntil, PLACES.heldUntil + 1)
  let players = noPlayers
  const directory = new LeaseDirectory({
    store,
    database: leases,
    serviceId,
    describe: () => ({ url, host: hostname(), startedAtMs, version: VERSION, players: Object.fromEntries(players()) }),
    sessionsOf: createSessionStores(common),
    clock: systemClock,
    keeper,
    onHeldUntil(untilMs) {
      const heldUntilMs = untilMs - monotonicNow() + threadsNow()
      for (const node of nodes) node.holdUntil(heldUntilMs, allHeldUntil)
    },
    log,
  })
  log.info({ serviceId }, 'shares bots with other services')
  followReleases(subscriber, { channel: store.channel, look: () => void directory.look(), log })
  opening.adopt(directory, (it) => it.close())
  const notes = { redis: commands, prefix: config.redis.prefix, signing }
  const others = opening.adopt(watchOtherKeys(notes, url), (it) => it.close())
  const link = { leases: directory, serviceId, url: () => url, signing, events, apart: () => others.problem(), log }
  const peers = opening.adopt(openPeerLink(link), (it) => it.close())
  const countPlayers = (source: typeof players): void => void (players = source)
  return { directory, peers, countPlayers, reads: peers.reads, flushEvents: () => peers.events.flush() }
}

/** As other machines reach it. */
function ownUrl(host: string, { url, port }: LeaseParts['bound']): string {
  if (host !== '0.0.0.0' && host !== '::') return url
  const addresses = Object.values(networkInterfaces()).flatMap((all) => all ?? [])
  const outer = addresses.find(({ family, internal }) => family === 'IPv4' && !internal)
  return outer ? `http://${outer.address}:${port}` : url
}

/** A shard that was handed over is taken at once, not at the next renewal. */
function followReleases(
  subscriber: ReturnType<typeof connectRedis>,
  { channel, look, log }: { readonly channel: string; readonly look: () => void; readonly log: Logger },
): void {
  const subscribe = (): void => {
    subscriber.subscribe(channel).catch((err: unknown) => log.debug({ err }, 'following released shards failed'))
  }
  subscriber.on('message', look)
  subscriber.on('ready', subscribe)
  if (subscriber.status === 'ready') subscribe()
}
