import { hostname, networkInterfaces } from 'node:os'
import type { AudioNode } from '../bot/audio/node/protocol.ts'
import { createLocalDirectory } from '../bot/discord/shards/local-directory.ts'
import type { ShardDirectory } from '../bot/discord/shards/shard-directory.ts'
import { systemClock } from '../bot/player/timers.ts'
import { LeaseDirectory } from '../cluster/leases/lease-directory.ts'
import { LeaseKeeper } from '../cluster/leases/keeper/lease-keeper.ts'
import { PLACES } from '../cluster/leases/keeper/shared-times.ts'
import { COMMAND_MS, createLeaseStore, LEASE_LIFE_MS, leasePrefix } from '../cluster/leases/lease-store.ts'
import { createSessionStores } from '../cluster/leases/session-store.ts'
import { openPeerLink, type OpenPeerLink } from '../cluster/forwarding/peer-link.ts'
import { createSigning } from '../cluster/signing.ts'
import { Fault } from '../lib/errors.ts'
import { monotonicNow, threadsNow } from '../lib/clock.ts'
import { VERSION } from '../lib/identity.ts'
import { singleNode } from '../bot/cluster-view.ts'
import { noPeers, type PeerReads } from '../bot/peer-reads.ts'
import type { EventBus } from '../bot/events.ts'
import type { Config } from '../config.ts'
import { connectRedis } from '../jobs/redis/redis-client.ts'
import type { RedisServer } from '../jobs/redis/redis.ts'
import type { Logger } from '../lib/log.ts'
import { openCluster, type Cluster } from '../cluster/cluster.ts'
import type { Repositories } from '../db/repositories.ts'
import { createShardLeases, type ShardLeases } from '../db/shard-leases.ts'

/** The connection to the other services of the installation. */
export type Sharing = Omit<Cluster, 'close'>

interface SharingParts {
  readonly config: Config
  readonly log: Logger
  readonly server: RedisServer
}

const SINGLE_NODE: Sharing = {
  ...singleNode,
  announce: () => undefined,
  counts: () => ({ services: 0, refused: 0 }),
}

/**
 * Services used to merge their projects over Redis. One that goes on alone would honour keys that another has revoked.
 * @throws {Fault} that says what to do instead.
 */
export function assertOneDatabase({ servicesKey, database }: Pick<Config, 'servicesKey' | 'database'>): void {
  if (servicesKey === null || database.url !== null) return
  const why = 'SERVICES_KEY is set without DATABASE_URL: services no longer merge databases of their own over Redis.'
  const several = 'For several services, move the records to PostgreSQL (`npm run admin -- migrate --to postgres://…`)'
  const advice = `${several} and set DATABASE_URL. For one service, remove SERVICES_KEY; REDIS_URL can stay.`
  throw new Fault('validation_error', `${why} ${advice} See docs/more-machines.md.`)
}

/** What the other services say of themselves; without a database that they share there are none. */
export function openSharing({ config, log, server }: SharingParts, opening: AsyncDisposableStack): Sharing {
  const { address } = server
  const { servicesKey, redis, database } = config
  if (servicesKey === null || database.url === null || !address) return SINGLE_NODE
  const connect = () => opening.adopt(connectRedis(address, log), (it) => it.disconnect())
  const [commands, subscriber] = [connect(), connect()]
  const { prefix } = redis
  const options = { redis: commands, subscriber, prefix, servicesKey, log }
  return opening.adopt(openCluster(options), (it) => it.close())
}

interface LeaseParts {
  readonly config: Config
  readonly log: Logger
  readonly redis: Pick<RedisServer, 'address'>
  readonly events: EventBus
  readonly nodes: readonly Pick<AudioNode, 'holdUntil'>[]
  readonly bound: { readonly url: string; readonly port: number }
  readonly stores: Pick<Repositories, 'processId'>
}

/** The second witness of the leases. Its connections are its own: what waits behind other queries comes too late. */
async function openShardLeases(
  url: string,
  { serviceId, log }: { readonly serviceId: string; readonly log: Logger },
  opening: AsyncDisposableStack,
): Promise<ShardLeases> {
  const { connectPostgres } = await import('../db/engine/postgres/connections.ts')
  const { createPostgresStore } = await import('../db/engine/postgres/postgres-store.ts')
  const onError = (err: Error) => log.debug({ err }, 'database connection of leases lost')
  const connections = connectPostgres(url, { onError, timeoutMs: COMMAND_MS, maxConnections: 3 })
  const store = opening.adopt(createPostgresStore(connections), (it) => it.close())
  return createShardLeases(store, { serviceId, lifeMs: LEASE_LIFE_MS })
}

export interface OpenDirectory {
  readonly directory: ShardDirectory
  readonly reads: PeerReads
  /** Waits a moment until the other services have the events so far. */
  readonly flushEvents: () => Promise<void>
  /** Null: there are no other services that run shards of the same bots. */
  readonly peers: OpenPeerLink | null
}

const ALONE: OpenDirectory = {
  directory: createLocalDirectory(),
  peers: null,
  reads: noPeers,
  flushEvents: async () => undefined,
}

/** Who runs which shard: this service all of them, unless several share one database. */
export async function openDirectory(
  { config, log, redis, events, nodes, bound, stores }: LeaseParts,
  opening: AsyncDisposableStack,
): Promise<OpenDirectory> {
  const { database, servicesKey } = config
  const { address } = redis
  if (database.url === null || servicesKey === null || !address) return ALONE
  const connect = () => opening.adopt(connectRedis(address, log, { commandMs: COMMAND_MS }), (it) => it.disconnect())
  const [commands, subscriber] = [connect(), connect()]
  const signing = createSigning(servicesKey)
  const common = { redis: commands, prefix: leasePrefix(config.redis.prefix, signing), signing }
  const serviceId = stores.processId
  const startedAtMs = Date.now()
  const store = createLeaseStore({ ...common, serviceId })
  const leases = await openShardLeases(database.url, { serviceId, log }, opening)
  const url = config.api.serviceUrl ?? ownUrl(config.api.host, bound)
  const thread = new URL('cluster/lease-thread.ts', import.meta.url)
  const keep = { url: thread, address, prefix: common.prefix, serviceId, log }
  const keeper = opening.adopt(new LeaseKeeper(keep), (it) => it.close())
  const allHeldUntil = keeper.times.subarray(PLACES.heldUntil, PLACES.heldUntil + 1)
  const directory = new LeaseDirectory({
    store,
    database: leases,
    serviceId,
    describe: () => ({ url, host: hostname(), startedAtMs, version: VERSION }),
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
  const link = { leases: directory, serviceId, url: () => url, signing, events, log }
  const peers = opening.adopt(openPeerLink(link), (it) => it.close())
  return { directory, peers, reads: peers.reads, flushEvents: () => peers.events.flush() }
}

/** As other machines reach it. */
function ownUrl(host: string, { url, port }: LeaseParts['bound']): string {
  if (host !== '0.0.0.0' && host !== '::') return url
  const addresses = Object.values(networkInterfaces()).flatMap((all) => all ?? [])
  const outer = addresses.find(({ family, internal }) => family === 'IPv4' && !internal)
  return outer ? `http://${outer.address}:${port}` : url
}

interface Releases {
  readonly channel: string
  readonly look: () => void
  readonly log: Logger
}

/** A shard that was handed over is taken at once, not at the next renewal. */
function followReleases(subscriber: ReturnType<typeof connectRedis>, { channel, look, log }: Releases): void {
  const subscribe = (): void => {
    subscriber.subscribe(channel).catch((err: unknown) => log.debug({ err }, 'following released shards failed'))
  }
  subscriber.on('message', look)
  subscriber.on('ready', subscribe)
  if (subscriber.status === 'ready') subscribe()
}
