import { Redis } from 'ioredis'
import { createClusterControl, type ClusterControl } from '../../cluster/leases/cluster-control.ts'
import { leasePrefix } from '../../cluster/leases/lease-store.ts'
import { createSigning } from '../../cluster/signing.ts'
import type { Config } from '../../../config.ts'
import { Fault } from '../../../lib/errors.ts'

/** A command line that does not get an answer says so. */
const PATIENCE_MS = 3000

/**
 * Works with the leases of the installation, beside its services.
 * @throws {Fault} `conflict` where services do not share bots, `service_unavailable` if Redis cannot be reached.
 */
export async function withCluster<T>(
  config: Config,
  work: (control: ClusterControl, redis: Redis) => Promise<T>,
): Promise<T> {
  const { database, redis: settings, servicesKey } = config
  if (database.url === null || settings.url === null || servicesKey === null) throw noCluster(config)
  const options = { connectTimeout: PATIENCE_MS, commandTimeout: PATIENCE_MS, retryStrategy: () => null }
  const redis = new Redis(settings.url, { ...options, lazyConnect: true, enableOfflineQueue: false })
  // The rejection of `connect` does not say why.
  let cause: Error | null = null
  redis.on('error', (error: Error) => (cause ??= error))
  const signing = createSigning(servicesKey)
  try {
    await redis.connect()
    return await work(createClusterControl({ redis, prefix: leasePrefix(settings.prefix, signing), signing }), redis)
  } catch (error) {
    if (error instanceof Fault) throw error
    const { host } = new URL(settings.url)
    const reason = (cause ?? (error as Error)).message
    throw new Fault('service_unavailable', `Redis at ${host} doesn't respond (${reason}). Check REDIS_URL.`, {
      cause: error,
    })
  } finally {
    redis.disconnect()
  }
}

function noCluster({ database, redis, servicesKey }: Config): Fault {
  const settings = { DATABASE_URL: database.url, REDIS_URL: redis.url, SERVICES_KEY: servicesKey }
  const missing = Object.entries(settings).flatMap(([name, value]) => (value === null ? [name] : []))
  const how = 'Services share bots with one database, one Redis and one key; see docs/more-machines.md.'
  return new Fault('conflict', `There is no cluster: ${missing.join(', ')} not set. ${how}`)
}
