import { createRedisRateLimiter } from '../api/limits/limiter-redis.ts'
import { createMemoryMeter, type RateLimiter } from '../api/limits/limiter.ts'
import type { Config } from '../config.ts'
import { connectRedis, untilReady } from '../jobs/redis/redis-client.ts'
import { startRedis, type RedisServer } from '../jobs/redis/redis.ts'
import type { Logger } from '../lib/log.ts'
import { monotonicNow } from '../lib/clock.ts'

/** Maximum wait for Redis at the start; without it requests go through unmetered. */
const REDIS_PATIENCE_MS = 2000

export interface Limits {
  readonly meter: RateLimiter
  /** Requests that passed unmetered because Redis was down or slow. */
  readonly failOpenCount: () => number
  /** Whether Redis is connected. */
  readonly isEnforced: () => boolean
}

/** The Redis of this service: a child process, or the one that the operator configured. */
export async function openRedis(
  { dataDir, redis }: Config,
  log: Logger,
  opening: AsyncDisposableStack,
): Promise<RedisServer> {
  return opening.adopt(await startRedis({ dataDir, url: redis.url, log }), (it) => it.close())
}

/** Shared by all services on one Redis; without Redis, this process counts alone. */
export async function openLimits(
  { redis: { prefix } }: Config,
  server: RedisServer,
  log: Logger,
  opening: AsyncDisposableStack,
): Promise<Limits> {
  if (!server.address) return { meter: createMemoryMeter(monotonicNow), failOpenCount: () => 0, isEnforced: () => true }
  const client = opening.adopt(connectRedis(server.address, log, { keyPrefix: `${prefix}:` }), (it) => it.disconnect())
  // So that the first requests are metered too.
  await untilReady(client, REDIS_PATIENCE_MS)
  const meter = createRedisRateLimiter({ redis: client, log })
  return { meter, failOpenCount: () => meter.failOpenCount(), isEnforced: () => client.status === 'ready' }
}
