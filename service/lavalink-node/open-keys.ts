import type { Config } from '../../config.ts'
import { openKeyReader, type KeyReader } from '../../db/projects/key-reader.ts'
import type { Logger } from '../../lib/log.ts'
import type { NodeKeys } from '../../api/lavalink/http/node-keys.ts'
import { createProjectKeys } from '../../api/lavalink/http/project-keys.ts'
import { createNamedKeys } from './named-keys.ts'

/**
 * All keys that the node takes: those of its settings and, where it may, those of the services of DATABASE_URL, or of the one
 * in DATA_DIR.
 * @throws {Fault} where there is no database of a service
 */
export async function openKeys(config: Config, log: Logger, opening: AsyncDisposableStack): Promise<NodeKeys> {
  const { lavalink } = config
  const named = createNamedKeys(lavalink.keys)
  if (!lavalink.takesServiceKeys) return named
  const reader = opening.adopt(await openReader(config, log), (it) => it.close())
  const ofService = createProjectKeys(reader, Date.now)
  return {
    find: async (password, addressOf) => (await named.find(password, addressOf)) ?? ofService.find(password, addressOf),
    isAccepted: (caller) => (named.has(caller) ? named.isAccepted(caller) : ofService.isAccepted(caller)),
  }
}

/** The driver is loaded where it is needed alone. */
async function openReader({ dataDir, database }: Config, log: Logger): Promise<KeyReader> {
  if (database.url === null) return openKeyReader(dataDir)
  const { openSharedKeyReader } = await import('../../db/projects/shared-key-reader.ts')
  return openSharedKeyReader(database.url, log)
}
