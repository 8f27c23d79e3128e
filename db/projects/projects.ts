import { Fault } from '../../lib/errors.ts'
import type { Plan } from '../../lib/plans.ts'
import { createId } from '../engine/id.ts'
import { durably, type Database } from '../engine/open.ts'

export interface Project {
  readonly id: string
  readonly name: string
  readonly plan: Plan
  readonly createdAtMs: number
}

export interface Projects {
  create(input: { readonly name: string; readonly plan: Plan }): Project
  find(id: string): Project | null
  /** @throws {Fault} `not_found` */
  get(id: string): Project
  /** The oldest first. */
  list(): readonly Project[]
  /** @throws {Fault} `not_found` */
  setPlan(id: string, plan: Plan): Project
  /** @throws {Fault} `not_found` */
  rename(id: string, name: string): Project
}

const COLUMNS = 'id, name, plan, created_at_ms AS createdAtMs'

export function createProjects(db: Database, now: () => number = Date.now): Projects {
  const insert = db.prepare('INSERT INTO project (id, name, plan, created_at_ms) VALUES (?, ?, ?, ?)')
  const byId = db.prepare<[string], Project>(`SELECT ${COLUMNS} FROM project WHERE id = ?`)
  const all = db.prepare<[], Project>(`SELECT ${COLUMNS} FROM project ORDER BY created_at_ms, rowid`)
  // Of changes on several services the latest counts, even where a clock is behind.
  const stamp = 'changed_at_ms = max(changed_at_ms + 1, ?)'
  const changePlan = db.prepare(`UPDATE project SET plan = ?, ${stamp} WHERE id = ?`)
  const rename = db.prepare(`UPDATE project SET name = ?, ${stamp} WHERE id = ?`)
  const find = (id: string) => byId.get(id) ?? null

  function get(id: string): Project {
    const project = find(id)
    if (!project) throw new Fault('not_found', `There is no project ${id}.`)
    return project
  }

  return {
    find,
    get,
    list: () => all.all(),
    create({ name, plan }) {
      const project = { id: createId('prj'), name: checkedName(name), plan, createdAtMs: now() }
      durably(db, () => insert.run(project.id, project.name, plan, project.createdAtMs))
      return project
    },
    setPlan(id, plan) {
      durably(db, () => changePlan.run(plan, now(), id))
      return get(id)
    },
    rename(id, name) {
      durably(db, () => rename.run(checkedName(name), now(), id))
      return get(id)
    },
  }
}

/**
 * A name that a person gave to something, trimmed.
 * @throws {Fault} unless it is 1 to 100 characters without line breaks or other control characters.
 */
export function checkedName(name: string): string {
  const trimmed = name.trim()
  if (trimmed === '' || trimmed.length > 100 || /\p{Cc}/u.test(trimmed)) {
    throw new Fault('validation_error', 'A name must have 1 to 100 characters, without line breaks.')
  }
  return trimmed
}
