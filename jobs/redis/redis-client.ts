import { Redis, type RedisOptions } from 'ioredis'
import type { Logger } from '../../lib/log.ts'
import type { RedisAddress } from './redis.ts'

/** A command that cannot be sent at once fails at once: callers must not wait for Redis. */
const IMPATIENT = {
  enableOfflineQueue: false,
  maxRetriesPerRequest: 0,
  autoResendUnfulfilledCommands: false,
  connectTimeout: 2000,
  // Forever, and often enough that limits are back soon after Redis is.
  retryStrategy: (attempt: number) => Math.min(50 * attempt, 500),
  maxLoadingRetryTime: 500,
} satisfies RedisOptions

interface ConnectOptions {
  /** A command that is not answered in time fails. */
  readonly commandMs?: number
  /** Before all keys of its commands. */
  readonly keyPrefix?: string
}

/** A connection for commands that a request waits for. It keeps trying; the caller ends it with `disconnect`. */
export function connectRedis(address: RedisAddress, log: Logger, { commandMs, keyPrefix }: ConnectOptions = {}): Redis {
  const options = {
    ...IMPATIENT,
    ...(commandMs !== undefined && { commandTimeout: commandMs }),
    ...(keyPrefix !== undefined && { keyPrefix }),
  }
  // A path that is given as a text would be cut at a question mark, as an address is.
  const redis = 'url' in address ? new Redis(address.url, options) : new Redis({ ...options, path: address.path })
  let isLost = false
  redis.on('ready', () => {
    if (isLost) log.info('redis reconnected')
    isLost = false
  })
  // Every attempt that fails says so again; once is enough.
  redis.on('error', (err: Error) => {
    if (!isLost) log.warn({ err }, 'redis unreachable')
    isLost = true
  })
  redis.on('close', () => {
    if (!isLost && redis.status !== 'end') log.warn('redis connection lost')
    isLost = true
  })
  return redis
}

/** Waits until the connection can be used, or has not become so in time: callers then continue without it. */
export async function untilReady(redis: Redis, withinMs: number): Promise<void> {
  if (redis.status === 'ready') return
  await new Promise<void>((resolve) => {
    const timer = setTimeout(done, withinMs)
    function done(): void {
      clearTimeout(timer)
      redis.off('ready', done)
      resolve()
    }
    redis.once('ready', done)
  })
}
