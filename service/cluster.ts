import { createLocalDirectory } from '../bot/discord/shards/local-directory.ts'
import { noPeers } from '../bot/peer-reads.ts'
import type { Config } from '../config.ts'
import { Fault } from '../lib/errors.ts'
import type { LeaseParts, OpenDirectory } from './cluster/leases.ts'

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

const ALONE: OpenDirectory = {
  directory: createLocalDirectory(),
  peers: null,
  reads: noPeers,
  flushEvents: async () => undefined,
  countPlayers: () => undefined,
}

/** Who runs which shard: this service all of them, unless several share one database. */
export async function openDirectory(parts: LeaseParts, opening: AsyncDisposableStack): Promise<OpenDirectory> {
  const { config, redis } = parts
  const { database, servicesKey } = config
  const { address } = redis
  if (database.url === null || servicesKey === null || !address) return ALONE
  // One service alone has no use for these modules.
  const { openLeases } = await import('./cluster/leases.ts')
  return openLeases({ ...parts, databaseUrl: database.url, servicesKey, address }, opening)
}
