import { openKeptMeter } from '../api/limits/limiter-kept.ts'
import { createRedisRateLimiter } from '../api/limits/limiter-redis.ts'
import { createMemoryMeter, type RateLimiter } from '../api/limits/limiter.ts'
import type { Config } from '../config.ts'
import { connectRedis, untilReady } from '../jobs/redis/redis-client.ts'
import { startRedis, type RedisServer } from '../jobs/redis/redis.ts'
import type { Logger } from '../lib/log.ts'
import { monotonicNow } from '../lib/clock.ts'

/** How long the start waits for Redis; without it requests go through unmetered. */
const REDIS_PATIENCE_MS = 2000

export interface Limits {
  readonly meter: RateLimiter
  /** Requests that passed unmetered because Redis was down or slow. */
  readonly failOpenCount: () => number
  /** Whether Redis is connected. */
  readonly isConnected: () => boolean
  /** What it means if it is not, for people. */
  readonly withoutRedis: string
}

const ALONE = { failOpenCount: () => 0, withoutRedis: 'Redis is down: jobs wait. Rate limits hold.' }

/** The Redis of this service: a child process, or the one that the operator configured. */
export async function openRedis(
  { dataDir, redis }: Config,
  log: Logger,
  opening: AsyncDisposableStack,
): Promise<RedisServer> {
  return opening.adopt(await startRedis({ dataDir, url: redis.url, log }), (it) => it.close())
}

/**
 * Shared by all services on one Redis, as REDIS_URL names it. Otherwise this process counts alone, and the Redis of its own
 * keeps the counts over a restart.
 */
export async function openLimits(
  { redis: { prefix } }: Config,
  server: RedisServer,
  log: Logger,
  opening: AsyncDisposableStack,
): Promise<Limits> {
  if (!server.address) return { ...ALONE, meter: createMemoryMeter(monotonicNow), isConnected: () => true }
  const client = opening.adopt(connectRedis(server.address, log, { keyPrefix: `${prefix}:` }), (it) => it.disconnect())
  // So that the first requests are metered too.
  await untilReady(client, REDIS_PATIENCE_MS)
  const isConnected = () => client.status === 'ready'
  if ('path' in server.address) {
    const meter = opening.adopt(await openKeptMeter({ redis: client, log }), (it) => it.close())
    return { ...ALONE, meter, isConnected }
  }
  const meter = createRedisRateLimiter({ redis: client, log })
  const withoutRedis = 'Redis is down: no rate limits, and jobs wait.'
  return { meter, failOpenCount: () => meter.failOpenCount(), isConnected, withoutRedis }
}
