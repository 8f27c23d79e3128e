import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { lockDataDir } from '../../../db/engine/lock.ts'
import { openDatabase } from '../../../db/engine/open.ts'
import { createSqliteStore } from '../../../db/engine/sqlite-store.ts'
import { createVault } from '../../../db/engine/vault.ts'
import { createBotRecords } from '../../../db/projects/bots.ts'
import { createProjects } from '../../../db/projects/projects.ts'
import { openPostgres } from '../../../db/engine/postgres/open-postgres.ts'
import { createLog } from '../../../lib/log.ts'
import { admin } from '../../support/admin.ts'
import { temporaryFolder } from '../../support/database.ts'
import { hasPostgres, startPostgres, type PostgresServer } from '../../support/postgres.ts'

const BOT = '81384788765712384'

describe('admin migrate', () => {
  const folder = temporaryFolder()
  let server: PostgresServer
  let url: string
  before(async function () {
    if (!hasPostgres()) this.skip()
    server = await startPostgres()
    url = await server.database()
    await run('project', 'create', 'Ours', '--plan', 'scale')
  })
  after(async () => {
    await server?.close()
    folder.remove()
  })

  const run = (...args: readonly string[]) => admin(args, { dataDir: folder.path })
  const namesIn = async (env: Readonly<Record<string, string>>, dataDir = folder.path) => {
    const { json } = await admin(['project', 'list', '--json'], { dataDir, env })
    return json.map(({ name }: { readonly name: string }) => name)
  }
  /** Settings of a machine with several services. */
  const shared = () => ({
    DATABASE_URL: url,
    REDIS_URL: 'redis://127.0.0.1:1',
    SERVICES_KEY: 'ab'.repeat(32),
    TOKEN_KEY: readFileSync(join(folder.path, 'token.key'), 'utf8').trim(),
  })

  async function addBot(): Promise<void> {
    const store = createSqliteStore(openDatabase({ dataDir: folder.path }))
    const [project] = await createProjects(store).list()
    const vault = createVault({ tokenKey: null, dataDir: folder.path })
    const bot = { id: BOT, projectId: project?.id ?? '', name: 'Band', token: 'secret', sandbox: true }
    await createBotRecords(store, vault).add(bot)
    await store.close()
  }

  it('moves DATA_DIR to PostgreSQL and back, with its secrets, and prints both counts of each table', async () => {
    await addBot()
    const there = await run('migrate', '--to', url)
    expect(there.code, there.stderr).to.equal(0)
    expect(there.stdout)
      .to.match(/^project +1 +(\w{16}) +1 +\1 +0$/m)
      .and.to.match(/^bot +1 +(\w{16}) +1 +\1 +0$/m)
    expect(there.stderr).to.contain('decrypts all secrets').and.to.contain('Set TOKEN_KEY on all services')
    expect(await namesIn(shared())).to.deep.equal(['Ours'])
    const other = join(folder.path, 'other')
    const back = await admin(['migrate', '--to', other, '--json'], { dataDir: folder.path, env: shared() })
    expect(back.code, back.stderr).to.equal(0)
    expect(back.json.rows).to.equal(JSON.parse((await run('migrate', '--to', url, '--replace', '--json')).stdout).rows)
    expect(await namesIn({}, other)).to.deep.equal(['Ours'])
  })

  it('keeps the former database of a folder whose records it replaces', async () => {
    const back = await admin(['migrate', '--to', 'sqlite', '--replace', '--json'], {
      dataDir: folder.path,
      env: shared(),
    })
    expect(back.code, back.stderr).to.equal(0)
    expect(readFileSync(back.json.former).subarray(0, 13).toString()).to.equal('SQLite format')
  })

  it('refuses while a service runs on either end', async () => {
    const lock = lockDataDir(folder.path)
    const here = await run('migrate', '--to', url)
    lock.release()
    expect(here.stderr).to.contain('Another Bandstand service')
    const service = await openPostgres(url, createLog('silent'))
    const there = await run('migrate', '--to', url, '--replace')
    await service.close()
    expect(there.stderr).to.contain('Stop all services')
    expect([here.code, there.code]).to.deep.equal([1, 1])
  })
})
