import { createKeys } from '../../db/projects/keys.ts'
import { openDatabase } from '../../db/engine/open.ts'
import { createSqliteStore } from '../../db/engine/sqlite-store.ts'
import { createProjects } from '../../db/projects/projects.ts'

/** A child process that makes projects and keys for ever and tells its parent of each once it is made. */
const store = createSqliteStore(openDatabase({ dataDir: process.argv[2] ?? '', busyMs: 5000 }))
const projects = createProjects(store)
const keys = createKeys(store)
process.once('disconnect', () => process.exit())

async function make(): Promise<void> {
  const project = await projects.create({ name: 'Made', plan: 'free' })
  const made = [await keys.create({ projectId: project.id }), await keys.create({ projectId: project.id })]
  made.push(await keys.create({ projectId: project.id }))
  await keys.revoke(project.id, made[0]?.id ?? '')
  process.send?.({ projectId: project.id, revoked: made[0]?.key, active: made.slice(1).map(({ key }) => key) })
  setImmediate(() => void make())
}

void make()
