import type { Config } from '../../config.ts'
import { openKeyReader } from '../../db/projects/key-reader.ts'
import type { NodeKeys } from '../http/node-keys.ts'
import { createProjectKeys } from '../http/project-keys.ts'
import { createNamedKeys } from './named-keys.ts'

/**
 * All keys that the node takes: those of its settings and, where it may, those of the service in DATA_DIR.
 * @throws {Fault} where there is no database of a service
 */
export function openKeys({ lavalink, dataDir }: Config, opening: AsyncDisposableStack): NodeKeys {
  const named = createNamedKeys(lavalink.keys)
  if (!lavalink.takesServiceKeys) return named
  const reader = opening.adopt(openKeyReader(dataDir), (it) => it.close())
  const ofService = createProjectKeys(reader, Date.now)
  return {
    find: async (password, addressOf) => (await named.find(password, addressOf)) ?? ofService.find(password, addressOf),
    isAccepted: (caller) => (named.has(caller) ? named.isAccepted(caller) : ofService.isAccepted(caller)),
  }
}
