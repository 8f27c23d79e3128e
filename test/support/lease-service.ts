import type { Redis } from 'ioredis'
import { systemClock } from '../../bot/player/timers.ts'
import { createSigning } from '../../service/cluster/signing.ts'
import { LeaseDirectory } from '../../service/cluster/leases/lease-directory.ts'
import { createLeaseStore, LEASE_LIFE_MS } from '../../service/cluster/leases/lease-store.ts'
import { createSessionStores } from '../../service/cluster/leases/session-store.ts'
import type { Store } from '../../db/engine/store.ts'
import { createShardLeases } from '../../db/shard-leases.ts'
import { silent } from './encode-queue.ts'

/** The leases of a service that runs real bots. */
export interface LeaseService {
  readonly id: string
  readonly directory: LeaseDirectory
  /** Whether it can no longer reach Redis. */
  isCutOff: boolean
  close(): Promise<void>
}

export interface LeaseServiceOptions {
  readonly redis: Redis
  readonly database: Store
  readonly id: string
  /** Defaults to `test`. */
  readonly prefix?: string
}

export const LEASE_KEY = 'ab'.repeat(32)
const SIGNING = createSigning(LEASE_KEY)

export function openLeaseService({ redis, database, id, prefix = 'test' }: LeaseServiceOptions): LeaseService {
  const throughNetwork: ProxyHandler<Redis> = {
    get(target, name) {
      const value: unknown = Reflect.get(target, name)
      if (typeof value !== 'function') return value
      return (...args: unknown[]): unknown => {
        if (service.isCutOff) return Promise.reject(new Error('Redis is away.'))
        return Reflect.apply(value, target, args)
      }
    },
  }
  const network = new Proxy(redis, throughNetwork)
  const common = { redis: network, prefix, signing: SIGNING }
  const store = createLeaseStore({ ...common, serviceId: id })
  const directory = new LeaseDirectory({
    store,
    database: createShardLeases(database, { serviceId: id, lifeMs: LEASE_LIFE_MS }),
    serviceId: id,
    describe: () => ({ url: `http://${id}.test`, host: id, startedAtMs: Date.now(), version: 'test' }),
    sessionsOf: createSessionStores(common),
    clock: systemClock,
    onHeldUntil: () => undefined,
    log: silent,
  })
  const subscriber = redis.duplicate()
  subscriber.on('message', () => void directory.look())
  void subscriber.subscribe(store.channel).catch(() => undefined)
  const service: LeaseService = {
    id,
    directory,
    isCutOff: false,
    async close() {
      await directory.close()
      subscriber.disconnect()
    },
  }
  return service
}

/** Without the pause that follows when Redis has lost its data. */
export async function emptyLeases(redis: Redis, prefix = 'test'): Promise<void> {
  await redis.flushall()
  await redis.set(`${prefix}:leases:began`, '1')
}
