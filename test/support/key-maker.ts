import { createKeys } from '../../db/projects/keys.ts'
import { openDatabase } from '../../db/engine/open.ts'
import { createProjects } from '../../db/projects/projects.ts'

/** A child process that makes projects and keys for ever and tells its parent of each once it is made. */
const db = openDatabase({ dataDir: process.argv[2] ?? '', busyMs: 5000 })
const projects = createProjects(db)
const keys = createKeys(db)
process.once('disconnect', () => process.exit())

function make(): void {
  const project = projects.create({ name: 'Made', plan: 'free' })
  const made = Array.from({ length: 3 }, () => keys.create({ projectId: project.id }))
  keys.revoke(project.id, made[0]?.id ?? '')
  process.send?.({ projectId: project.id, revoked: made[0]?.key, active: made.slice(1).map(({ key }) => key) })
  setImmediate(make)
}

make()
