import { Fault } from '../../lib/errors.ts'
import { durably, type Database } from '../engine/open.ts'
import type { Project } from '../projects/projects.ts'

/** What a member may do in a project: look; also change keys, bots and players; also change members and the project. */
export const ROLES = ['viewer', 'manager', 'owner'] as const
export type Role = (typeof ROLES)[number]

export interface Member {
  readonly accountId: string
  readonly name: string
  readonly role: Role
  readonly sinceMs: number
}

export interface OwnProject extends Project {
  readonly role: Role
}

export interface Memberships {
  /** Null: no member, for whom the project does not exist. */
  role(projectId: string, accountId: string): Role | null
  /** The projects of an account by name. */
  projectsOf(accountId: string): readonly OwnProject[]
  /** The owners first, then by name. */
  members(projectId: string): readonly Member[]
  /** Adds a member or gives another role. @throws {Fault} `conflict` when no owner would be left. */
  set(projectId: string, accountId: string, role: Role): void
  /** @returns whether there was one. @throws {Fault} `conflict` when no owner would be left. */
  remove(projectId: string, accountId: string): boolean
  /** Puts the next steps of the overview away, for this member alone. */
  hideSteps(projectId: string, accountId: string): void
  hidesSteps(projectId: string, accountId: string): boolean
  /** Makes the account owner of every project that has none. */
  adoptOrphans(accountId: string): void
}

const MEMBERS = `
  SELECT account_id AS accountId, account.name, role, membership.created_at_ms AS sinceMs
    FROM membership JOIN account ON account.id = account_id
   WHERE project_id = ?
   ORDER BY role = 'owner' DESC, role = 'manager' DESC, account.name`

const PROJECTS = `
  SELECT project.id, project.name, plan, project.created_at_ms AS createdAtMs, role
    FROM membership JOIN project ON project.id = project_id
   WHERE account_id = ?
   ORDER BY project.name COLLATE NOCASE, project.id`

const ADOPT = `
  INSERT INTO membership (project_id, account_id, role, created_at_ms)
  SELECT id, :accountId, 'owner', :nowMs FROM project
   WHERE NOT EXISTS (SELECT 1 FROM membership WHERE project_id = project.id AND role = 'owner')
  ON CONFLICT (project_id, account_id) DO UPDATE SET role = 'owner'`

export function createMemberships(db: Database, now: () => number = Date.now): Memberships {
  const role = db
    .prepare<[string, string], Role>('SELECT role FROM membership WHERE project_id = ? AND account_id = ?')
    .pluck()
  const members = db.prepare<[string], Member>(MEMBERS)
  const projects = db.prepare<[string], OwnProject>(PROJECTS)
  const upsert = db.prepare(`
    INSERT INTO membership (project_id, account_id, role, created_at_ms) VALUES (?, ?, ?, ?)
    ON CONFLICT (project_id, account_id) DO UPDATE SET role = excluded.role`)
  const remove = db.prepare('DELETE FROM membership WHERE project_id = ? AND account_id = ?')
  const owners = db
    .prepare<[string], number>("SELECT count(*) FROM membership WHERE project_id = ? AND role = 'owner'")
    .pluck()
  const adopt = db.prepare(ADOPT)
  const stepsHidden = db.prepare<[string, string]>(
    'SELECT 1 FROM membership WHERE project_id = ? AND account_id = ? AND steps_hidden_at_ms IS NOT NULL',
  )
  const hideSteps = db.prepare('UPDATE membership SET steps_hidden_at_ms = ? WHERE project_id = ? AND account_id = ?')

  function assertOwned(projectId: string): void {
    if (owners.get(projectId) === 0) throw new Fault('conflict', 'A project needs at least one owner.')
  }

  return {
    role: (projectId, accountId) => role.get(projectId, accountId) ?? null,
    projectsOf: (accountId) => projects.all(accountId),
    members: (projectId) => members.all(projectId),
    set: (projectId, accountId, given) =>
      durably(db, () => {
        const before = role.get(projectId, accountId)
        upsert.run(projectId, accountId, given, now())
        if (before === 'owner') assertOwned(projectId)
      }),
    remove: (projectId, accountId) =>
      durably(db, () => {
        const before = role.get(projectId, accountId)
        remove.run(projectId, accountId)
        if (before === 'owner') assertOwned(projectId)
        return before !== undefined
      }),
    hidesSteps: (projectId, accountId) => stepsHidden.get(projectId, accountId) !== undefined,
    hideSteps: (projectId, accountId) => void hideSteps.run(now(), projectId, accountId),
    adoptOrphans: (accountId) => durably(db, () => void adopt.run({ accountId, nowMs: now() })),
  }
}
