import { statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { expect } from 'chai'
import { assertWritable, atomically, durably, openDatabase } from '../../../db/engine/open.ts'
import { createSqliteStore } from '../../../db/engine/sqlite-store.ts'
import { createProjects } from '../../../db/projects/projects.ts'
import { Fault } from '../../../lib/errors.ts'
import { temporaryFolder } from '../../support/database.ts'
import { faultOf } from '../../support/web.ts'
import { openSmallDisk } from '../../../tools/stage/small-disk.ts'

describe('openDatabase()', () => {
  const folder = temporaryFolder()
  const dataDir = (name: string) => join(folder.path, name)
  after(() => folder.remove())

  it('makes the folder and a database that only the owner can read', async () => {
    const db = openDatabase({ dataDir: dataDir('new/deep') })
    const file = join(dataDir('new/deep'), 'bandstand.db')
    await createProjects(createSqliteStore(db)).create({ name: 'One', plan: 'free' })
    for (const path of [file, `${file}-wal`, `${file}-shm`]) expect(statSync(path).mode & 0o077, path).to.equal(0)
    expect(statSync(dataDir('new/deep')).mode & 0o077).to.equal(0)
    db.close()
  })

  it('uses a write-ahead log, foreign keys and a short wait', () => {
    const db = openDatabase({ dataDir: dataDir('pragmas') })
    expect(db.pragma('journal_mode', { simple: true })).to.equal('wal')
    expect(db.pragma('foreign_keys', { simple: true })).to.equal(1)
    expect(db.pragma('busy_timeout', { simple: true })).to.equal(50)
    expect(db.pragma('synchronous', { simple: true })).to.equal(1)
    db.close()
  })

  it('says of a damaged file that it is damaged, and does not touch it', () => {
    const db = openDatabase({ dataDir: dataDir('garbage') })
    db.close()
    const file = join(dataDir('garbage'), 'bandstand.db')
    writeFileSync(file, 'This was a database.'.repeat(500))
    expect(() => openDatabase({ dataDir: dataDir('garbage') })).to.throw(Fault, /corrupt or not an SQLite database/)
    expect(statSync(file).size).to.equal(10_000)
  })

  it("refuses another program's database", () => {
    const db = openDatabase({ dataDir: dataDir('foreign') })
    db.close()
    const other = new Sqlite(join(dataDir('foreign'), 'bandstand.db'))
    other.pragma('application_id = 1')
    other.close()
    expect(() => openDatabase({ dataDir: dataDir('foreign') })).to.throw(Fault, /belongs to another program/)
  })
})

describe('atomically() and durably()', () => {
  const folder = temporaryFolder()
  const db = openDatabase({ dataDir: folder.path })
  const other = openDatabase({ dataDir: folder.path })
  const projects = createProjects(createSqliteStore(db))
  after(() => {
    db.close()
    other.close()
    folder.remove()
  })

  const count = () => db.prepare('SELECT count(*) FROM source_failure').pluck().get()
  const fail = () => {
    db.exec("INSERT INTO source_failure VALUES ('undone', 'refused', 0)")
    throw new Error('after all not')
  }
  for (const write of [atomically, durably]) {
    it(`${write.name}() undoes everything when the change throws`, () => {
      expect(() => write(db, fail)).to.throw('after all not')
      expect(count()).to.equal(0)
    })
  }

  it('answers service_unavailable while another process holds the write lock, and works again afterwards', async () => {
    other.exec('BEGIN IMMEDIATE')
    try {
      const refused = await faultOf(projects.create({ name: 'Late', plan: 'free' }))
      expect(refused).to.include({ code: 'service_unavailable' }).and.property('message').match(/busy/)
      expect(await projects.list()).to.be.an('array')
    } finally {
      other.exec('ROLLBACK')
    }
    expect((await projects.create({ name: 'Late', plan: 'free' })).name).to.equal('Late')
  })

  it('durably() leaves the cheaper mode on for the writes that follow', () => {
    durably(db, () => undefined)
    expect(db.pragma('synchronous', { simple: true })).to.equal(1)
  })

  it('answers service_unavailable when the disk is full', async () => {
    const pages = db.pragma('page_count', { simple: true }) as number
    db.pragma(`max_page_count = ${pages}`)
    const fill = async () => {
      for (let i = 0; i < 2000; i++) await projects.create({ name: `${i} `.padEnd(100, 'x'), plan: 'free' })
    }
    expect((await faultOf(fill())).message).to.match(/disk is full/)
    expect(() => assertWritable(db)).to.throw(Fault, /disk is full/)
    db.pragma('max_page_count = 1000000')
    expect((await projects.create({ name: 'Room again', plan: 'free' })).name).to.equal('Room again')
    assertWritable(db)
  })

  it('a disk stays full until it has room for more than one small write', async function () {
    const disk = openSmallDisk(8)
    if (!disk) this.skip()
    const small = openDatabase({ dataDir: disk.folder })
    try {
      const makeRoom = disk.fill()
      const ballast = join(disk.folder, 'ballast')
      const write = () => atomically(small, () => small.pragma(`user_version = ${Math.round(performance.now())}`))
      const projects = createProjects(createSqliteStore(small))
      const writeMuch = async () => {
        for (let i = 0; i < 2000; i++) await projects.create({ name: `${i}`, plan: 'free' })
      }
      expect((await faultOf(writeMuch())).message).to.match(/disk is full/)
      truncateSync(ballast, statSync(ballast).size - 64 * 1024)
      write()
      expect(() => assertWritable(small)).to.throw(Fault, /disk is full/)
      makeRoom()
      write()
      assertWritable(small)
    } finally {
      small.close()
      disk.close()
    }
  })
})
