import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { expect } from 'chai'
import { migrate } from '../../../db/engine/migrate.ts'
import { Fault } from '../../../lib/errors.ts'
import { temporaryFolder } from '../../support/database.ts'

describe('migrate()', () => {
  const temporary = temporaryFolder()
  let folder: string
  let db: Sqlite.Database
  let count = 0

  const put = (name: string, sql: string) => writeFileSync(join(folder, name), sql)
  const tables = () =>
    db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name <> 'migration'").pluck().all()

  beforeEach(() => {
    folder = join(temporary.path, String(count++))
    mkdirSync(folder)
    db = new Sqlite(':memory:')
    put('0001_one.sql', 'CREATE TABLE one (id INTEGER PRIMARY KEY) STRICT;')
    put('0002_two.sql', 'CREATE TABLE two (one_id INTEGER REFERENCES one (id)) STRICT;')
  })
  afterEach(() => db.close())
  after(() => temporary.remove())

  it('runs what is new in the order of the numbers, and nothing twice', () => {
    expect(migrate(db, folder)).to.deep.equal(['0001_one.sql', '0002_two.sql'])
    expect(migrate(db, folder)).to.deep.equal([])
    put('0003_three.sql', 'CREATE TABLE three (id INTEGER) STRICT;')
    expect(migrate(db, folder)).to.deep.equal(['0003_three.sql'])
    expect(tables()).to.deep.equal(['one', 'two', 'three'])
  })

  it('undoes a migration that fails in the middle, keeps those before it, and continues once it is mended', () => {
    put('0003_three.sql', 'CREATE TABLE three (id INTEGER) STRICT; CREATE TABLE four (nonsense')
    expect(() => migrate(db, folder)).to.throw(Fault, /0003_three\.sql failed and was rolled back/)
    expect(tables()).to.deep.equal(['one', 'two'])
    put('0003_three.sql', 'CREATE TABLE three (id INTEGER) STRICT;')
    expect(migrate(db, folder)).to.deep.equal(['0003_three.sql'])
  })

  it('refuses when an applied migration was changed', () => {
    migrate(db, folder)
    put('0001_one.sql', 'CREATE TABLE one (id INTEGER PRIMARY KEY, more TEXT) STRICT;')
    expect(() => migrate(db, folder)).to.throw(Fault, /0001_one\.sql has changed since it was applied.*Restore/)
  })

  it('refuses when an applied migration was renamed', () => {
    migrate(db, folder)
    rmSync(join(folder, '0002_two.sql'))
    put('0002_zwei.sql', 'CREATE TABLE two (one_id INTEGER REFERENCES one (id)) STRICT;')
    expect(() => migrate(db, folder)).to.throw(Fault, /0002_two\.sql has changed/)
  })

  it('refuses when an applied migration is missing', () => {
    migrate(db, folder)
    rmSync(join(folder, '0001_one.sql'))
    expect(() => migrate(db, folder)).to.throw(Fault, /applied migration 0001_one\.sql is missing/)
  })

  it('refuses a schema that is newer than the code', () => {
    put('0003_three.sql', 'CREATE TABLE three (id INTEGER) STRICT;')
    migrate(db, folder)
    rmSync(join(folder, '0003_three.sql'))
    expect(() => migrate(db, folder)).to.throw(Fault, /\(0003_three\.sql\) is newer than this version.*restore/)
  })

  it('refuses a new migration that comes before an applied one', () => {
    put('0004_four.sql', 'CREATE TABLE four (id INTEGER) STRICT;')
    migrate(db, folder)
    put('0003_three.sql', 'CREATE TABLE three (id INTEGER) STRICT;')
    expect(() => migrate(db, folder)).to.throw(Fault, /new migration 0003_three\.sql comes before/)
    expect(tables()).not.to.include('three')
  })

  it('does not mind line ends: a checkout on Windows is the same migration', () => {
    put('0001_one.sql', 'CREATE TABLE one (\n  id INTEGER PRIMARY KEY\n) STRICT;\n')
    migrate(db, folder)
    put('0001_one.sql', 'CREATE TABLE one (\r\n  id INTEGER PRIMARY KEY\r\n) STRICT;\r\n')
    expect(migrate(db, folder)).to.deep.equal([])
  })

  it('can rebuild a table that others refer to without losing their rows', () => {
    db.pragma('foreign_keys = ON')
    migrate(db, folder)
    db.exec('INSERT INTO one VALUES (1); INSERT INTO two VALUES (1)')
    put(
      '0003_wider.sql',
      `CREATE TABLE one_new (id INTEGER PRIMARY KEY, name TEXT) STRICT;
       INSERT INTO one_new (id) SELECT id FROM one;
       DROP TABLE one; ALTER TABLE one_new RENAME TO one;`,
    )
    migrate(db, folder)
    expect(db.prepare('SELECT one_id FROM two').pluck().all()).to.deep.equal([1])
    expect(db.pragma('foreign_keys', { simple: true })).to.equal(1)
  })

  it('undoes a migration that would leave rows that refer to nothing', () => {
    migrate(db, folder)
    db.exec('INSERT INTO one VALUES (1); INSERT INTO two VALUES (1)')
    put('0003_bad.sql', 'DELETE FROM one;')
    expect(() => migrate(db, folder)).to.throw(
      Fault,
      /0003_bad\.sql was rolled back: 1 rows would have broken references/,
    )
    expect(db.prepare('SELECT count(*) FROM one').pluck().get()).to.equal(1)
  })

  it('refuses names without a number, and two with the same number', () => {
    put('three.sql', '')
    expect(() => migrate(db, folder)).to.throw(/three\.sql must have a name like/)
    rmSync(join(folder, 'three.sql'))
    put('0002_again.sql', '')
    expect(() => migrate(db, folder)).to.throw(/have the same number/)
  })
})
