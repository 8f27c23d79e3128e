import { createBotRecords, type BotRecords } from './db/bots.ts'
import { watchChanges, type Changes } from './db/changes.ts'
import { createKeys, type Keys } from './db/keys.ts'
import { createLibraryRecords, type LibraryRecords } from './db/library.ts'
import { lockDataDir } from './db/lock.ts'
import { openDatabase } from './db/open.ts'
import { createPlayerStates, type PlayerStates } from './db/players.ts'
import { createProjects, type Projects } from './db/projects.ts'
import { createVault } from './db/vault.ts'
import type { Config } from './config.ts'
import type { Logger } from './log.ts'

/** All that the service keeps in DATA_DIR. */
export interface Stores {
  readonly projects: Projects
  readonly keys: Keys
  readonly bots: BotRecords
  readonly players: PlayerStates
  readonly library: LibraryRecords
  /** Tells what the command line wrote. */
  readonly changes: Changes
  close(): void
}

/**
 * Takes the folder for this process, and opens and migrates the database.
 * @throws {Fault} when another service has the folder, or the database cannot be continued.
 */
export function openStores({ dataDir, tokenKey }: Config, log: Logger): Stores {
  const lock = lockDataDir(dataDir)
  try {
    const db = openDatabase({ dataDir })
    const changes = watchChanges(db, { onError: (err) => log.error({ err }, 'change not taken up') })
    return {
      projects: createProjects(db),
      keys: createKeys(db),
      bots: createBotRecords(db, createVault({ tokenKey, dataDir })),
      players: createPlayerStates(db),
      library: createLibraryRecords(db),
      changes,
      close() {
        changes.close()
        db.close()
        lock.release()
      },
    }
  } catch (error) {
    lock.release()
    throw error
  }
}
