import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PGlite, types } from '@electric-sql/pglite'
import { citext } from '@electric-sql/pglite/contrib/citext'
import sql from 'sql-template-tag'
import type { Connections, HeldConnection } from '../../db/engine/postgres/connections.ts'
import { CHANNEL } from '../../db/engine/postgres/listener.ts'
import { POSTGRES_MIGRATIONS, readMigrations } from '../../db/engine/migrations.ts'
import { migratePostgres } from '../../db/engine/postgres/migrate.ts'
import { createPostgresStore } from '../../db/engine/postgres/postgres-store.ts'
import type { Store } from '../../db/engine/store.ts'
import { temporaryDatabase } from './database.ts'
import { madeOnce } from './made-once.ts'

/** The store of the test that runs, empty at its start. */
export interface OpenStore {
  readonly store: Store
}

/** Runs the same tests on SQLite and on PostgreSQL (PGlite, one for all files of a process). */
export function describeOnEachEngine(title: string, tests: (opened: OpenStore) => void): void {
  describe(`${title}, on SQLite`, () => {
    let database: ReturnType<typeof temporaryDatabase>
    let store: Store
    beforeEach(() => {
      database = temporaryDatabase()
      store = database.store
    })
    afterEach(() => database.close())
    tests({
      get store() {
        return store
      },
    })
  })

  describe(`${title}, on PostgreSQL`, () => {
    let store: Store
    before(async function () {
      // WebAssembly is compiled and a database made, once for a process.
      this.timeout(60_000)
      store = createPostgresStore(await embeddedPostgres())
    })
    beforeEach(emptyPostgres)
    tests({
      get store() {
        return store
      },
    })
  })
}

let opening: Promise<{ readonly lite: PGlite; readonly connections: Connections }> | undefined

/** The PostgreSQL of this process, with the schema of today. It has one connection, and nothing of it is on the disk. */
export async function embeddedPostgres(): Promise<Connections> {
  opening ??= openEmbedded()
  return (await opening).connections
}

async function openEmbedded() {
  const file = join(await migratedDatabase(), DATABASE_FILE)
  const loadDataDir = new Blob([readFileSync(file)])
  const lite = await PGlite.create({ extensions: { citext }, parsers: PARSERS, loadDataDir })
  return { lite, connections: connectionsOf(lite) }
}

const DATABASE_FILE = 'database.tar'
/** Tells its version. */
const PGLITE = 'node_modules/@electric-sql/pglite/package.json'

/** The folder of an empty database after all migrations: making one takes 3 s of CPU, which each process would spend. */
function migratedDatabase(): Promise<string> {
  const makers = [PGLITE, 'db/engine/migrations.ts', 'db/engine/postgres/migrate.ts']
  const texts = makers.map((name) => readFileSync(join(import.meta.dirname, '..', '..', name), 'utf8'))
  const key = [...texts, ...readMigrations(POSTGRES_MIGRATIONS).map(({ checksum }) => checksum)].join('\n')
  return madeOnce(key, async (folder) => {
    const lite = await PGlite.create({ extensions: { citext } })
    await migratePostgres(connectionsOf(lite), { name: 'PGlite' })
    // A copy starts as after a crash, with a timer for reports of its progress, which would keep a process alive.
    await lite.exec('ALTER SYSTEM SET log_startup_progress_interval = 0')
    await lite.exec('CHECKPOINT')
    const dump = await lite.dumpDataDir('none')
    await lite.close()
    writeFileSync(join(folder, DATABASE_FILE), Buffer.from(await dump.arrayBuffer()))
  })
}

const PARSERS = {
  [types.INT8]: Number,
  [types.NUMERIC]: Number,
  [types.BYTEA]: (hex: string) => Buffer.from(hex.slice(2), 'hex'),
}

/** Rows of a test are few: deleting them is quicker than emptying files. */
export async function emptyPostgres(): Promise<void> {
  const { lite } = await (opening ??= openEmbedded())
  await lite.exec(`
    DO $$ DECLARE name text; BEGIN
      SET LOCAL session_replication_role = replica;
      FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'migration' LOOP
        EXECUTE format('DELETE FROM %I', name);
      END LOOP;
    END $$`)
}

function connectionsOf(lite: PGlite): Connections {
  let lastTurn: Promise<unknown> = Promise.resolve()

  const query = async (text: string, values: readonly unknown[]) => {
    const { rows, affectedRows } = await lite.query(text, [...values])
    return { rows, rowCount: affectedRows || rows.length }
  }
  const runScript = async (sql: string) => void (await lite.exec(sql))

  async function hold(): Promise<HeldConnection> {
    const before = lastTurn
    const { promise, resolve } = Promise.withResolvers<void>()
    lastTurn = promise
    await before
    return {
      query,
      runScript,
      async release(isBroken) {
        if (isBroken) await lite.exec('ROLLBACK')
        resolve()
      },
    }
  }

  return {
    hold,
    async query(text, values) {
      const held = await hold()
      try {
        return await query(text, values)
      } finally {
        held.release(false)
      }
    },
    runScript,
    listen({ onMessage }) {
      const listening = lite.listen(CHANNEL, onMessage)
      return { close: async () => (await listening)() }
    },
    close: async () => undefined,
  }
}

/** A project for what refers to one. @returns its id. */
export async function addProject(store: Store, id = 'prj_ours'): Promise<string> {
  await store.run(sql`INSERT INTO project (id, name, plan, created_at_ms) VALUES (${id}, ${id}, 'scale', 0)`)
  return id
}
