import { expect } from 'chai'
import sql, { raw } from 'sql-template-tag'
import { createPostgresStore } from '../../../db/engine/postgres/postgres-store.ts'
import type { Store } from '../../../db/engine/store.ts'
import { movedTables, NOT_MOVED } from '../../../db/engine/transfer/tables.ts'
import { transfer, type TransferOptions } from '../../../db/engine/transfer/transfer.ts'
import { temporaryDatabase, type TemporaryDatabase } from '../../support/database.ts'
import { exampleRows } from '../../support/example-rows.ts'
import { emptyPostgres, embeddedPostgres } from '../../support/stores.ts'
import { faultOf } from '../../support/web.ts'

const HISTORY_ROWS = 600

/** All that a database has in the tables that move, and the rules of SQLite. */
async function dump({ store, db }: TemporaryDatabase, postgres: Store): Promise<string> {
  const tables = await movedTables(store, postgres)
  const rows = tables.map(({ name, columns }) => {
    // Type and literal as stored, which distinguish 1 from 1.0 and text from a blob.
    const values = columns.map((column) => `typeof("${column}") || quote("${column}")`).join(` || ',' || `)
    return [name, db.prepare(`SELECT ${values} FROM "${name}" ORDER BY 1`).pluck().all()]
  })
  return JSON.stringify([...rows, db.prepare(`SELECT name, sql FROM sqlite_schema ORDER BY name`).all()])
}

function addHistory({ db }: TemporaryDatabase): void {
  const add = db.prepare(`
    INSERT INTO play_history (bot_id, guild_id, track, song, artist, started_at_ms, heard_ms, length_ms, ended)
    SELECT bot.id, 'guild', '{"title":"Ünïcode 🎵 ' || ? || '"}', 'song', 'artist', 1, 2, 9007199254740991, 'finished' FROM bot`)
  for (let i = 0; i < HISTORY_ROWS; i++) add.run(i)
}

const move = (from: Store, to: Store, options: Partial<TransferOptions> = {}) =>
  transfer({ from, to, isReplacing: false, ...options })
const countIn = async (store: Store, table: string) =>
  (await store.find<{ count: number }>(sql`SELECT count(*) AS count FROM ${raw(table)}`))?.count

describe('Moving all records from one engine to the other', () => {
  const databases: TemporaryDatabase[] = []
  let postgres: Store
  before(async function () {
    this.timeout(60_000)
    postgres = createPostgresStore(await embeddedPostgres())
  })
  beforeEach(emptyPostgres)
  afterEach(() => databases.splice(0).forEach((it) => it.close()))

  function emptyDatabase(): TemporaryDatabase {
    const database = temporaryDatabase()
    databases.push(database)
    return database
  }

  /** A database with rows in every table. */
  function fullDatabase(): TemporaryDatabase {
    const database = emptyDatabase()
    exampleRows(database.db)
    addHistory(database)
    return database
  }

  it('brings every row to PostgreSQL and back as it was, and counts them at both ends', async () => {
    const [source, target] = [fullDatabase(), emptyDatabase()]
    const there = await move(source.store, postgres)
    const back = await move(postgres, target.store)
    expect(await dump(target, postgres)).to.equal(await dump(source, postgres))
    expect(there.map(({ table, target: { rows } }) => [table, rows])).to.deep.include([
      'play_history',
      HISTORY_ROWS + 1,
    ])
    expect(there.filter(({ source: { rows } }) => rows === 0)).to.deep.equal([])
    expect(back.map((it) => it.target)).to.deep.equal(there.map((it) => it.source))
  })

  it('moves every table of both engines that is not listed with a reason to stay', async () => {
    const { store, db } = emptyDatabase()
    const moved = (await movedTables(store, postgres)).map(({ name }) => name)
    const listed = Object.keys(NOT_MOVED)
    const inSqlite = db.prepare<[], string>(`SELECT name FROM pragma_table_list WHERE type = 'table'`).pluck().all()
    const inPostgres = await postgres.all<{ name: string }>(
      sql`SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'`,
    )
    const all = new Set([...inSqlite.filter((name) => !name.startsWith('sqlite_')), ...inPostgres.map((it) => it.name)])
    expect([...moved, ...listed]).to.have.members([...all])
  })

  it('leaves the target as it was when it is stopped in the middle', async () => {
    const stopping = new AbortController()
    const error = await move(fullDatabase().store, postgres, {
      signal: stopping.signal,
      onProgress: (done) => done > 100 && stopping.abort(),
    }).catch((reason: unknown) => reason)
    expect(error).to.equal(stopping.signal.reason)
    expect(await countIn(postgres, 'project')).to.equal(0)
    await move(fullDatabase().store, postgres)
  })

  it('touches no row of a target that has some, unless it may replace them', async () => {
    const [source, target] = [fullDatabase(), fullDatabase()]
    target.db.exec(`UPDATE project SET name = 'Theirs'`)
    await move(source.store, postgres)
    const refusal = await faultOf(move(postgres, target.store))
    expect(refusal.message).to.contain('project 1').and.to.contain('--replace')
    expect(target.db.prepare('SELECT name FROM project').pluck().all()).to.deep.equal(['Theirs'])
    const moved = await move(postgres, target.store, { isReplacing: true })
    expect(moved.find(({ table }) => table === 'project')?.replaced).to.equal(1)
    expect(await dump(target, postgres)).to.equal(await dump(source, postgres))
    expect(target.db.prepare('SELECT count(*) FROM library_track').pluck().get()).to.equal(1)
  })

  it('lets the rules for new rows apply and new numbers follow again afterwards', async () => {
    await move(fullDatabase().store, postgres)
    const error = await postgres
      .run(sql`INSERT INTO bot SELECT * FROM bot`)
      .then(() => null)
      .catch((reason: unknown) => reason)
    expect(error).to.be.instanceOf(Error)
    const rule = await postgres
      .run(sql`UPDATE bot SET project_id = 'prj_other'`)
      .catch((reason: Error) => reason.message)
    expect(rule).to.contain('bot_keeps_its_project')
    const added = await postgres.find<{ id: number }>(sql`
      INSERT INTO play_history (bot_id, guild_id, track, song, artist, started_at_ms, heard_ms, length_ms, ended)
      SELECT id, 'guild', 't', 's', 'a', 1, 2, 3, 'finished' FROM bot RETURNING id`)
    const newest = await postgres.find<{ id: number }>(sql`SELECT max(id) AS id FROM play_history`)
    expect(added?.id).to.equal(newest?.id).and.to.be.greaterThan(HISTORY_ROWS)
  })

  it('says which row PostgreSQL cannot take', async () => {
    const source = fullDatabase()
    source.db.exec(
      `UPDATE playlist SET name = 'é'; INSERT INTO playlist SELECT bot_id, user_id, 'É', tracks, 1 FROM playlist`,
    )
    const refusal = await faultOf(move(source.store, postgres))
    expect(refusal.message).to.contain("A row of playlist can't move").and.to.contain('Nothing has moved')
    expect(await countIn(postgres, 'project')).to.equal(0)
  })
})
