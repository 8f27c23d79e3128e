import { expect } from 'chai'
import { createKeys } from '../../../db/projects/keys.ts'
import { openDatabase } from '../../../db/engine/open.ts'
import { createSqliteStore } from '../../../db/engine/sqlite-store.ts'
import { createProjects } from '../../../db/projects/projects.ts'
import { createUsageCounter } from '../../../db/projects/usage-counter.ts'
import { createUsage } from '../../../db/projects/usage.ts'
import { createLog } from '../../../lib/log.ts'
import { admin } from '../../support/admin.ts'
import { temporaryFolder } from '../../support/database.ts'

describe('the usage command', () => {
  const folder = temporaryFolder()
  const dataDir = folder.path
  let project: string
  let key: string

  before(async () => {
    const db = openDatabase({ dataDir })
    project = (await createProjects(createSqliteStore(db)).create({ name: 'Ours', plan: 'free' })).id
    key = (await createKeys(createSqliteStore(db)).create({ projectId: project })).id
    const counter = createUsageCounter({ usage: createUsage(createSqliteStore(db)), log: createLog('silent') })
    for (const status of [200, 200, 404, 429]) {
      const use = { projectId: project, keyId: key, routeClass: 'cheap', route: 'listImageFilters' } as const
      counter.count({ ...use, status, durationMs: 4, spent: null })
    }
    await counter.close()
    db.close()
  })
  after(() => folder.remove())

  const usage = (...args: string[]) => admin(['usage', '--project', project, ...args], { dataDir })

  it('shows the last day by class', async () => {
    const { stdout } = await usage()
    expect(stdout).to.match(/^class +requests +ok +client errors +limited +server errors +mean ms +p50 +p95 +p99\n/)
    expect(stdout).to.match(/^cheap +4 +2 +1 +1 +0 +4 /m)
  })

  it('shows the same as JSON, by key, by outcome and by hour', async () => {
    const { json } = await usage('--json')
    expect(json).to.include({ projectId: project, by: 'class' })
    expect(json.rows[0]).to.include({
      group: 'cheap',
      requests: 4,
      ok: 2,
      clientErrors: 1,
      limited: 1,
      serverErrors: 0,
    })
    expect((await usage('--by', 'key', '--json')).json.rows[0]).to.include({ group: key, requests: 4 })
    expect((await usage('--by', 'outcome', '--json')).json.rows).to.have.length(3)
    expect((await usage('--by', 'hour', '--since', '2h', '--json')).json.rows[0].group).to.match(
      /^\d{4}-.*:00:00\.000Z$/,
    )
  })

  it('keeps to the time that it is asked for', async () => {
    expect((await usage('--since', '2020-01-01', '--until', '2020-02-01', '--json')).json.rows).to.deep.equal([])
    expect((await usage('--since', 'yesterday')).stderr).to.include('Must be an ISO 8601 time')
    expect((await usage('--since', '30d', '--json')).json.rows).to.have.length(1)
  })

  it('knows no usage of a project that is not there', async () => {
    const { code, stderr } = await admin(['usage', '--project', 'prj_none'], { dataDir })
    expect(code).to.equal(1)
    expect(stderr).to.include('There is no project prj_none')
  })
})
