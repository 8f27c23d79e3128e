import { copyFileSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { createBotRecords } from '../../../db/projects/bots.ts'
import { backUp } from '../../../db/engine/backup.ts'
import { lockDataDir } from '../../../db/engine/lock.ts'
import { openDatabase } from '../../../db/engine/open.ts'
import { createSqliteStore } from '../../../db/engine/sqlite-store.ts'
import { SEALED } from '../../../db/engine/reseal.ts'
import { createVault } from '../../../db/engine/vault.ts'
import { admin as run } from '../../support/admin.ts'
import { temporaryFolder } from '../../support/database.ts'

function botsOf(dataDir: string, tokenKey: string | null = null) {
  const db = openDatabase({ dataDir })
  return { bots: createBotRecords(createSqliteStore(db), createVault({ tokenKey, dataDir })), close: () => db.close() }
}

describe('backup and restore', () => {
  const folder = temporaryFolder()
  const dataDir = join(folder.path, 'data')
  const file = join(folder.path, 'monday.db')
  const admin = (...args: string[]) => run([...args, '--json'], { dataDir, env: { SANDBOX: 'off' } })
  const names = async () => (await admin('project', 'list')).json.map(({ name }: { name: string }) => name)
  before(() => admin('project', 'create', 'One'))
  after(() => folder.remove())

  it('writes a whole copy while another process writes, readable by the owner alone', async () => {
    const service = openDatabase({ dataDir })
    // Committed but not yet moved from the journal into the file that a copy of files would take.
    service.prepare("UPDATE project SET name = 'Renamed'").run()
    const { code, json } = await admin('backup', file)
    service.close()
    expect(code).to.equal(0)
    expect(json.bytes).to.equal(statSync(file).size)
    expect(statSync(file).mode & 0o777).to.equal(0o600)
    expect(readdirSync(folder.path).toSorted()).to.deep.equal(['data', 'monday.db'])
  })

  it('is readable by the owner alone from the first byte on, its journal too', async () => {
    const db = openDatabase({ dataDir })
    const copy = join(folder.path, 'watched.db')
    const modes = new Set<number>()
    // Left over by a backup that was killed, and open to all.
    writeFileSync(`${copy}.part`, 'x', { mode: 0o644 })
    try {
      await backUp(db, copy, {
        onProgress() {
          for (const name of readdirSync(folder.path).filter((it) => it.startsWith('watched')))
            modes.add(statSync(join(folder.path, name)).mode & 0o777)
        },
      })
    } finally {
      db.close()
    }
    expect([...modes, statSync(copy).mode & 0o777]).to.deep.equal([0o600, 0o600])
    rmSync(copy)
  })

  it('overwrites nothing', async () => {
    const { code, stderr } = await admin('backup', file)
    expect([code, stderr]).to.deep.equal([1, `error: ${file} already exists. Choose another filename.\n`])
  })

  it('brings back what there was, and keeps what was there instead', async () => {
    await admin('project', 'create', 'Two')
    const { code, json } = await admin('restore', file)
    expect(code).to.equal(0)
    expect(await names()).to.deep.equal(['Renamed'])
    copyFileSync(json.former, join(folder.path, 'former.db'))
    expect((await admin('restore', join(folder.path, 'former.db'))).code).to.equal(0)
    expect(await names()).to.deep.equal(['Renamed', 'Two'])
  })

  it('restores on a machine where nothing is yet', async () => {
    const elsewhere = join(folder.path, 'new', 'data')
    const options = { dataDir: elsewhere, env: { SANDBOX: 'off' } }
    expect((await run(['restore', file, '--json'], options)).json).to.include({ former: null })
    expect((await run(['project', 'list', '--json'], options)).json[0].name).to.equal('Renamed')
  })

  it('restores nothing while the service runs', async () => {
    const lock = lockDataDir(dataDir)
    const { code, stderr } = await admin('restore', file)
    lock.release()
    expect(code).to.equal(1)
    expect(stderr).to.match(/^error: The service \(process \d+\) uses .* Stop it, then restore\.\n$/)
  })

  it('refuses what is no sound backup, and changes nothing then', async () => {
    const broken = join(folder.path, 'broken.db')
    const bytes = readFileSync(file)
    const refusals: readonly [Buffer, RegExp][] = [
      [Buffer.from('not a database at all'), /isn't a Bandstand backup/],
      [Buffer.alloc(0), /isn't a Bandstand backup/],
      [bytes.subarray(0, bytes.length / 2), /is corrupt|isn't a Bandstand backup/],
      [
        Buffer.concat([bytes.subarray(0, 8192), Buffer.alloc(bytes.length - 8192, 7)]),
        /is corrupt|isn't a Bandstand backup/,
      ],
    ]
    for (const [content, why] of refusals) {
      writeFileSync(broken, content)
      const { code, stderr } = await admin('restore', broken)
      expect(code).to.equal(1)
      expect(stderr).to.match(why)
    }
    expect((await admin('restore', join(folder.path, 'nowhere.db'))).stderr).to.include("nowhere.db doesn't exist")
    expect(await names()).to.deep.equal(['Renamed', 'Two'])
    expect(readdirSync(dataDir).filter((name) => name.includes('restored'))).to.deep.equal([])
  })
})

describe('token-key rotate', () => {
  const folder = temporaryFolder()
  after(() => folder.remove())

  async function prepare(name: string) {
    const dataDir = join(folder.path, name)
    const project = (await run(['project', 'create', 'One', '--json'], { dataDir })).json.id
    const service = botsOf(dataDir)
    await service.bots.add({ id: '111111111111111111', projectId: project, name: 'Band', token: 'a.b.c' })
    return { dataDir, project, service }
  }

  it('seals every token with a new key, with which a running service continues', async () => {
    const { dataDir, project, service } = await prepare('a')
    const former = readFileSync(join(dataDir, 'token.key'), 'utf8')
    const { code, json } = await run(['token-key', 'rotate', '--json'], { dataDir })
    expect([code, json.secrets]).to.deep.equal([0, 1])
    expect(readFileSync(join(dataDir, 'token.key'), 'utf8'))
      .to.match(/^[0-9a-f]{64}\n$/)
      .and.not.equal(former)
    expect(await service.bots.token(project, '111111111111111111')).to.equal('a.b.c')
    await service.bots.add({ id: '222222222222222222', projectId: project, name: 'Other', token: 'd.e.f' })
    service.close()
    const anew = botsOf(dataDir)
    expect(await anew.bots.token(project, '222222222222222222')).to.equal('d.e.f')
    anew.close()
  })

  it('moves to TOKEN_KEY where that is set, and the file goes', async () => {
    const { dataDir, project, service } = await prepare('b')
    service.close()
    const TOKEN_KEY = 'ab'.repeat(32)
    expect((await run(['token-key', 'rotate', '--json'], { dataDir, env: { TOKEN_KEY } })).code).to.equal(0)
    expect(existsSync(join(dataDir, 'token.key'))).to.equal(false)
    const anew = botsOf(dataDir, TOKEN_KEY)
    expect(await anew.bots.token(project, '111111111111111111')).to.equal('a.b.c')
    anew.close()
  })

  it('changes nothing when a token cannot be opened', async () => {
    const { dataDir, service } = await prepare('c')
    service.close()
    const lost = 'cd'.repeat(32)
    writeFileSync(join(dataDir, 'token.key'), `${lost}\n`, { mode: 0o600 })
    const { code, stderr } = await run(['token-key', 'rotate', '--json'], { dataDir })
    expect(code).to.equal(1)
    expect(stderr).to.include('was encrypted with another key')
    expect(readFileSync(join(dataDir, 'token.key'), 'utf8')).to.include(lost)
  })

  it('knows every column that holds something sealed', () => {
    const db = openDatabase({ dataDir: join(folder.path, 'd') })
    const columns = db
      .prepare<[], string>(
        `SELECT t.name || '.' || c.name FROM sqlite_schema t, pragma_table_info(t.name) c
          WHERE t.type = 'table' AND c.name LIKE 'sealed%' ORDER BY 1`,
      )
      .pluck()
      .all()
    db.close()
    expect(SEALED.map(({ table, column }) => `${table}.${column}`).toSorted()).to.deep.equal(columns)
  })
})
