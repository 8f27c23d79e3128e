import { PGlite, types } from '@electric-sql/pglite'
import { citext } from '@electric-sql/pglite/contrib/citext'
import sql from 'sql-template-tag'
import type { Connections, HeldConnection } from '../../db/engine/postgres/connections.ts'
import { CHANNEL } from '../../db/engine/postgres/listener.ts'
import { migratePostgres } from '../../db/engine/postgres/migrate.ts'
import { createPostgresStore } from '../../db/engine/postgres/postgres-store.ts'
import type { Store } from '../../db/engine/store.ts'
import { temporaryDatabase } from './database.ts'

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
  const lite = await PGlite.create({ extensions: { citext }, parsers: PARSERS })
  const connections = connectionsOf(lite)
  await migratePostgres(connections, { name: 'PGlite' })
  return { lite, connections }
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
