import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { openDatabase } from '../../../db/engine/open.ts'
import { createSqliteStore } from '../../../db/engine/sqlite-store.ts'
import { watchChanges } from '../../../db/engine/notices/changes.ts'
import { createProjects } from '../../../db/projects/projects.ts'
import { temporaryFolder } from '../../support/database.ts'

const run = promisify(execFile)

describe('npm run admin', () => {
  const folder = temporaryFolder()
  after(() => folder.remove())

  // Without the set-up before it, which may replace node_modules while other tests use them.
  const admin = (...args: string[]) =>
    run('npm', ['run', '-s', '--ignore-scripts', 'admin', '--', ...args], {
      cwd: join(import.meta.dirname, '..', '..', '..'),
      env: { ...process.env, DATA_DIR: folder.path },
    })

  it('prints nothing but JSON with -s and --json, and ends with a code that scripts can use', async () => {
    const { stdout } = await admin('project', 'create', 'From a script', '--json')
    expect(JSON.parse(stdout)).to.include({ name: 'From a script', plan: 'free' })
    const failure = await admin('project', 'plan', 'prj_none', 'free').catch((error: unknown) => error)
    expect(failure).to.include({ code: 1, stdout: '' })
  })

  it('is noticed by a process that has the database open', async () => {
    const db = openDatabase({ dataDir: folder.path })
    const changes = watchChanges(db, { onError: () => undefined })
    try {
      const noticed = new Promise<number>((resolve) => {
        changes.subscribe(() =>
          resolve(
            createProjects(createSqliteStore(db))
              .list()
              .then(({ length }) => length),
          ),
        )
      })
      const before = (await createProjects(createSqliteStore(db)).list()).length
      await admin('project', 'create', 'Noticed')
      expect(await noticed).to.equal(before + 1)
    } finally {
      changes.close()
      db.close()
    }
  })
})
