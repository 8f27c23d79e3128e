import { ALONE } from '../bot/elsewhere.ts'
import type { EventBus } from '../bot/events.ts'
import type { Config } from '../config.ts'
import { connectRedis } from '../jobs/redis-client.ts'
import type { RedisServer } from '../jobs/redis.ts'
import type { Logger } from '../log.ts'
import { openPeers, type Peers } from '../peers/peers.ts'
import type { Stores } from '../stores.ts'

/** What the other services of the installation are asked and told. */
export type Sharing = Omit<Peers, 'close'>

interface SharingParts {
  readonly config: Config
  readonly log: Logger
  readonly server: RedisServer
  readonly stores: Stores
  readonly events: EventBus
}

const NOBODY: Sharing = {
  ...ALONE,
  introduce: () => undefined,
  counts: () => ({ services: 0, sent: 0, received: 0, dropped: 0, refused: 0 }),
}

/** Projects, keys and events in common with the other services; without SERVICES_KEY there are none. */
export function openSharing(
  { config, log, server, stores, events }: SharingParts,
  opening: AsyncDisposableStack,
): Sharing {
  const { address } = server
  const { servicesKey, redis } = config
  if (servicesKey === null || !address) return NOBODY
  const connect = () => opening.adopt(connectRedis(address, log), (it) => it.disconnect())
  const [commands, subscriber] = [connect(), connect()]
  const { prefix } = redis
  const options = { redis: commands, subscriber, prefix, servicesKey, events, projects: stores.shared, log }
  return opening.adopt(openPeers({ ...options, now: Date.now }), (it) => it.close())
}
