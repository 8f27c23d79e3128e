import { createLocalDirectory } from '../bot/discord/shards/local-directory.ts'
import { noPeers } from '../bot/peer-reads.ts'
import type { LeaseParts, OpenDirectory } from './cluster/leases.ts'

const ALONE: OpenDirectory = {
  directory: createLocalDirectory(),
  peers: null,
  reads: noPeers,
  flushEvents: async () => undefined,
  countPlayers: () => undefined,
}

/** Opens the directory of shards: this service runs all of them, unless several share one database. */
export async function openDirectory(parts: LeaseParts, opening: AsyncDisposableStack): Promise<OpenDirectory> {
  const { config, redis } = parts
  const { database, servicesKey } = config
  const { address } = redis
  if (database.url === null || servicesKey === null || !address) return ALONE
  // One service alone has no use for these modules.
  const { openLeases } = await import('./cluster/leases.ts')
  return openLeases({ ...parts, databaseUrl: database.url, servicesKey, address }, opening)
}
