import { expect } from 'chai'
import { createBotRecords } from '../../../db/projects/bots.ts'
import { openDatabase } from '../../../db/engine/open.ts'
import { createSqliteStore } from '../../../db/engine/sqlite-store.ts'
import { createVault } from '../../../db/engine/vault.ts'
import { admin as run } from '../../support/admin.ts'
import { temporaryFolder } from '../../support/database.ts'

const BOTS = ['111111111111111111', '222222222222222222', '333333333333333333'] as const

describe('pool commands', () => {
  const folder = temporaryFolder()
  const dataDir = folder.path
  let project: string
  const admin = (...args: string[]) => run(args, { dataDir })
  const json = async (...args: string[]) => (await admin(...args, '--json')).json

  before(async () => {
    project = (await json('project', 'create', 'Test')).id
    const db = openDatabase({ dataDir })
    const records = createBotRecords(createSqliteStore(db), createVault({ tokenKey: null, dataDir }))
    for (const id of BOTS) await records.add({ id, projectId: project, name: 'Bot', token: 'token' })
    db.close()
  })
  after(() => folder.remove())

  it('make, change, list and remove a pool, and link a key to it', async () => {
    const [first, second, third] = BOTS
    const pool = await json('pool', 'create', 'All', '--project', project, '--bots', `${first},${second}`)
    expect(pool).to.deep.include({ projectId: project, name: 'All', botIds: [first, second] })
    const key = await json('key', 'create', '--project', project, '--pool', pool.id)
    expect(key).to.include({ botId: null, poolId: pool.id })
    expect((await json('pool', 'change', pool.id, '--add', third, '--drop', first)).botIds).to.deep.equal([
      second,
      third,
    ])
    expect((await json('pool', 'change', pool.id, '--bots', first, '--name', 'One')).botIds).to.deep.equal([first])
    expect((await admin('pool', 'list', '--project', project)).stdout)
      .to.contain(pool.id)
      .and.contain('One')
    expect((await admin('key', 'list', '--project', project)).stdout).to.contain(pool.id)
    await admin('pool', 'remove', pool.id)
    expect(await json('pool', 'list', '--project', project)).to.deep.equal([])
  })

  it('say what is wrong', async () => {
    const unknown = await admin('pool', 'create', 'All', '--project', project, '--bots', '444444444444444444')
    expect([unknown.code, unknown.stderr]).to.deep.equal([
      1,
      `error: The project ${project} has no bot 444444444444444444.\n`,
    ])
    expect((await admin('pool', 'remove', 'pol_none')).stderr).to.equal(
      'error: There is no pool pol_none. List all: npm run admin -- pool list --project <id>\n',
    )
    const both = await admin('key', 'create', '--project', project, '--pool', 'pol_1', '--bot', BOTS[0])
    expect(both.stderr).to.contain('not both')
  })
})
