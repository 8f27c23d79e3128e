import sql from 'sql-template-tag'
import { Fault } from '../../lib/errors.ts'
import type { Store } from '../engine/store.ts'
import type { Project } from '../projects/projects.ts'

/** Viewers look; managers also change keys, bots and players; owners also change members and the project. */
export const ROLES = ['viewer', 'manager', 'owner'] as const
export type Role = (typeof ROLES)[number]

export interface ProjectMember {
  readonly accountId: string
  readonly name: string
  readonly role: Role
  readonly sinceMs: number
}

export interface OwnProject extends Project {
  readonly role: Role
}

export type Memberships = ReturnType<typeof createMemberships>

const one = (projectId: string, accountId: string) => sql`project_id = ${projectId} AND account_id = ${accountId}`

async function findRole(store: Store, projectId: string, accountId: string): Promise<Role | null> {
  const query = sql`SELECT role FROM membership WHERE ${one(projectId, accountId)}`
  return (await store.find<{ readonly role: Role }>(query))?.role ?? null
}

export function createMemberships(store: Store, now: () => number = Date.now) {
  return {
    ...listsIn(store),
    ...stepsIn(store, now),
    /** Null: no member, for whom the project does not exist. */
    role: (projectId: string, accountId: string) => findRole(store, projectId, accountId),
    /** Adds a member or gives another role. @throws {Fault} `conflict` when no owner would be left. */
    set: (projectId: string, accountId: string, role: Role): Promise<void> =>
      change(store, [projectId, accountId], async () => {
        await store.run(sql`
          INSERT INTO membership (project_id, account_id, role, created_at_ms)
          VALUES (${projectId}, ${accountId}, ${role}, ${now()})
          ON CONFLICT (project_id, account_id) DO UPDATE SET role = excluded.role`)
      }),
    /** @returns whether there was one. @throws {Fault} `conflict` when no owner would be left. */
    remove: (projectId: string, accountId: string): Promise<boolean> =>
      change(store, [projectId, accountId], async (before) => {
        await store.run(sql`DELETE FROM membership WHERE ${one(projectId, accountId)}`)
        return before !== null
      }),
    /** Makes the account owner of every project that has none. */
    async adoptOrphans(accountId: string) {
      const adopt = sql`
        INSERT INTO membership (project_id, account_id, role, created_at_ms)
        SELECT id, ${accountId}, 'owner', ${now()} FROM project
         WHERE NOT EXISTS (SELECT 1 FROM membership WHERE project_id = project.id AND role = 'owner')
        ON CONFLICT (project_id, account_id) DO UPDATE SET role = 'owner'`
      await store.durably(() => store.run(adopt))
    },
  }
}

/** Reads and writes in one transaction, so that of two owners who leave at once one stays. */
function change<T>(
  store: Store,
  [projectId, accountId]: readonly [projectId: string, accountId: string],
  write: (before: Role | null) => Promise<T>,
): Promise<T> {
  return store.durably(async () => {
    const before = await findRole(store, projectId, accountId)
    const result = await write(before)
    if (before === 'owner') await assertOwned(store, projectId)
    return result
  })
}

async function assertOwned(store: Store, projectId: string): Promise<void> {
  const owner = await store.find(
    sql`SELECT 1 AS found FROM membership WHERE project_id = ${projectId} AND role = 'owner' LIMIT 1`,
  )
  if (!owner) throw new Fault('conflict', 'A project needs at least one owner.')
}

function listsIn(store: Store) {
  return {
    /** The projects of an account by name. */
    projectsOf: (accountId: string) =>
      store.all<OwnProject>(sql`
        SELECT project.id, project.name, plan, project.created_at_ms AS "createdAtMs", role
          FROM membership JOIN project ON project.id = project_id
         WHERE account_id = ${accountId}
         ORDER BY lower(project.name), project.id`),
    /** The owners first, then by name. */
    members: (projectId: string) =>
      store.all<ProjectMember>(sql`
        SELECT account_id AS "accountId", account.name, role, membership.created_at_ms AS "sinceMs"
          FROM membership JOIN account ON account.id = account_id
         WHERE project_id = ${projectId}
         ORDER BY CASE role WHEN 'owner' THEN 0 WHEN 'manager' THEN 1 ELSE 2 END, account.name`),
  }
}

function stepsIn(store: Store, now: () => number) {
  return {
    async hidesSteps(projectId: string, accountId: string): Promise<boolean> {
      const query = sql`
        SELECT 1 AS found FROM membership WHERE ${one(projectId, accountId)} AND steps_hidden_at_ms IS NOT NULL`
      return (await store.find(query)) !== undefined
    },
    /** Puts the next steps of the overview away, for this member alone. */
    async hideSteps(projectId: string, accountId: string) {
      await store.run(sql`UPDATE membership SET steps_hidden_at_ms = ${now()} WHERE ${one(projectId, accountId)}`)
    },
  }
}
