import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase, type Database } from '../../db/engine/open.ts'
import { createSqliteStore } from '../../db/engine/sqlite-store.ts'
import type { Store } from '../../db/engine/store.ts'

/** A new folder that is gone after the suite or test whose hooks call `remove`. */
export function temporaryFolder(): { readonly path: string; readonly remove: () => void } {
  const path = mkdtempSync(join(tmpdir(), 'bandstand-'))
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
}

let migrated: string | null = null

/** Migrated once for all databases of this process: all migrations take ten times as long as a copy. */
function migratedFile(): string {
  if (migrated) return migrated
  const folder = temporaryFolder()
  process.once('exit', folder.remove)
  openDatabase({ dataDir: folder.path }).close()
  return (migrated = join(folder.path, 'bandstand.db'))
}

export interface TemporaryDatabase {
  readonly db: Database
  /** On the same connection. */
  readonly store: Store
  readonly dataDir: string
  readonly close: () => void
}

/** A migrated database in a folder of its own. */
export function temporaryDatabase(): TemporaryDatabase {
  const folder = temporaryFolder()
  copyFileSync(migratedFile(), join(folder.path, 'bandstand.db'))
  const db = openDatabase({ dataDir: folder.path })
  const store = createSqliteStore(db)
  return {
    db,
    store,
    dataDir: folder.path,
    close() {
      void store.close()
      folder.remove()
    },
  }
}
