import { singleNode } from '../bot/cluster-view.ts'
import type { EventBus } from '../bot/events.ts'
import type { Config } from '../config.ts'
import { connectRedis } from '../jobs/redis/redis-client.ts'
import type { RedisServer } from '../jobs/redis/redis.ts'
import type { Logger } from '../lib/log.ts'
import { openCluster, type Cluster } from '../cluster/cluster.ts'
import type { Repositories } from '../db/repositories.ts'

/** The connection to the other services of the installation. */
export type Sharing = Omit<Cluster, 'close'>

interface SharingParts {
  readonly config: Config
  readonly log: Logger
  readonly server: RedisServer
  readonly stores: Repositories
  readonly events: EventBus
}

const SINGLE_NODE: Sharing = {
  ...singleNode,
  announce: () => undefined,
  counts: () => ({ services: 0, sent: 0, received: 0, dropped: 0, refused: 0 }),
}

/** Projects, keys and events in common with the other services; without SERVICES_KEY there are none. */
export function openSharing(
  { config, log, server, stores, events }: SharingParts,
  opening: AsyncDisposableStack,
): Sharing {
  const { address } = server
  const { servicesKey, redis } = config
  if (servicesKey === null || !address) return SINGLE_NODE
  const connect = () => opening.adopt(connectRedis(address, log), (it) => it.disconnect())
  const [commands, subscriber] = [connect(), connect()]
  const { prefix } = redis
  const projects = stores.store.engine === 'sqlite' ? stores.shared : null
  const options = { redis: commands, subscriber, prefix, servicesKey, events, projects, log }
  return opening.adopt(openCluster({ ...options, now: Date.now }), (it) => it.close())
}
