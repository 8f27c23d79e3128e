import sql, { raw } from 'sql-template-tag'
import { Fault } from '../../lib/errors.ts'
import type { Plan } from '../../lib/plans.ts'
import { createId } from '../engine/id.ts'
import type { Store } from '../engine/store.ts'
import { KEYS_TOPIC } from './key-cache.ts'

export interface Project {
  readonly id: string
  readonly name: string
  readonly plan: Plan
  readonly createdAtMs: number
}

export type Projects = ReturnType<typeof createProjects>

const SELECT = raw('SELECT id, name, plan, created_at_ms AS "createdAtMs" FROM project')

export function createProjects(store: Store, now: () => number = Date.now) {
  const find = async (id: string): Promise<Project | null> =>
    (await store.find<Project>(sql`${SELECT} WHERE id = ${id}`)) ?? null

  /** @throws {Fault} `not_found` */
  async function get(id: string): Promise<Project> {
    const project = await find(id)
    if (!project) throw new Fault('not_found', `There is no project ${id}.`)
    return project
  }

  return {
    find,
    get,
    /** The oldest first. */
    list: () => store.all<Project>(sql`${SELECT} ORDER BY created_at_ms, rowid`),
    async create({ name, plan }: { readonly name: string; readonly plan: Plan }): Promise<Project> {
      const project = { id: createId('prj'), name: checkedName(name), plan, createdAtMs: now() }
      const row = sql`(${project.id}, ${project.name}, ${plan}, ${project.createdAtMs})`
      await store.durably(async () => {
        await store.run(sql`INSERT INTO project (id, name, plan, created_at_ms) VALUES ${row}`)
        await store.announce(KEYS_TOPIC)
      })
      return project
    },
    /** @throws {Fault} `not_found` */
    setPlan: (id: string, plan: Plan): Promise<Project> =>
      store.durably(async () => {
        await store.run(sql`UPDATE project SET plan = ${plan} WHERE id = ${id}`)
        await store.announce(KEYS_TOPIC)
        return get(id)
      }),
    /** @throws {Fault} `not_found` */
    async rename(id: string, name: string): Promise<Project> {
      const checked = checkedName(name)
      return store.durably(async () => {
        await store.run(sql`UPDATE project SET name = ${checked} WHERE id = ${id}`)
        return get(id)
      })
    },
  }
}

/** @throws {Fault} `not_found` */
export async function assertProject(store: Store, id: string): Promise<void> {
  if (!(await store.find(sql`SELECT 1 FROM project WHERE id = ${id}`))) {
    throw new Fault('not_found', `There is no project ${id}.`)
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
