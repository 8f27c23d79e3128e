import { expect } from 'chai'
import sql from 'sql-template-tag'
import { createSqliteReader } from '../../../db/engine/reader/sqlite-reader.ts'
import { createLog } from '../../../lib/log.ts'
import { temporaryDatabase } from '../../support/database.ts'
import { closing } from '../../support/closing.ts'

/** Takes about a second. */
const SLOW = sql`
  WITH RECURSIVE count (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM count WHERE n < 3000000) SELECT max(n) AS most FROM count`

describe('the reader of a database', () => {
  const keep = closing()
  const open = (dataDir?: string) => {
    const database = temporaryDatabase()
    keep(database)
    const { store } = database
    return {
      store,
      reader: keep(createSqliteReader(dataDir ?? database.dataDir, createLog('silent'), store)),
    }
  }

  it('sees what was committed before its query', async () => {
    const { store, reader } = open()
    await store.run(sql`CREATE TABLE seen (n INTEGER)`)
    for (const n of [1, 2, 3]) {
      await store.run(sql`INSERT INTO seen VALUES (${n})`)
      expect(await reader.all(sql`SELECT max(n) AS n FROM seen WHERE n <= ${n}`)).to.deep.equal([{ n }])
    }
  })

  it('leaves the thread that asks free while a query takes long', async () => {
    const { reader } = open()
    await reader.all(sql`SELECT 1`)
    let turns = 0
    const timer = setInterval(() => turns++, 1)
    const [row] = await reader.all<{ readonly most: number }>(SLOW)
    clearInterval(timer)
    expect(row?.most).to.equal(3_000_000)
    expect(turns).to.be.greaterThan(20)
  })

  it('cannot write', async () => {
    const { reader } = open()
    const refused = await reader.all(sql`CREATE TABLE never (n INTEGER) RETURNING 1`).catch((error: Error) => error)
    expect(refused).to.be.instanceOf(Error)
  })

  it('has the store answer while the file cannot be opened', async () => {
    const { reader } = open('/nowhere')
    expect(await reader.all(sql`SELECT 7 AS n`)).to.deep.equal([{ n: 7 }])
  })
})
