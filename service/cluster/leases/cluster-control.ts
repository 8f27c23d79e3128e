import { redisScript, type ScriptRunner } from '../../../lib/sharing/redis-script.ts'
import type { Signing } from '../signing.ts'
import { LOOK } from './lease-scripts.ts'
import { leaseKeys, LEASE_LIFE_MS } from './lease-store.ts'
import { signOrder, type Order } from './orders.ts'
import { readView, type ClusterLeases, type ViewAnswer } from './view.ts'

/** The connection of a command line. */
interface ControlRedis extends ScriptRunner {
  hset(key: string, field: string, value: string): Promise<unknown>
}

interface ClusterControlOptions {
  readonly redis: ControlRedis
  readonly prefix: string
  readonly signing: Signing
}

/** The leases as one who holds none sees them. Each method fails while Redis is away. */
export type ClusterControl = ReturnType<typeof createClusterControl>

const look = redisScript(LOOK)

export function createClusterControl({ redis, prefix, signing }: ClusterControlOptions) {
  const keys = leaseKeys(prefix)
  return {
    look: async (): Promise<ClusterLeases> =>
      readView((await look(redis, keys.all, [0, LEASE_LIFE_MS])) as ViewAnswer, signing),
    /** Services carry it out at their next renewal. */
    async order(order: Order) {
      await redis.hset(keys.orders, ...signOrder(order, signing))
    },
    /** All services leave the shards of the bot, and log in with this number. */
    async setCount(botId: string, count: number) {
      await redis.hset(keys.counts, botId, String(count))
    },
  }
}
