import { atomically, type Database } from '../engine/open.ts'

/** One entry of the audit log. */
export interface AuditEntry {
  readonly id: number
  readonly atMs: number
  readonly projectId: string | null
  readonly accountId: string | null
  /** The name of then. */
  readonly who: string
  readonly address: string
  /** What was done: `key.created`, `member.removed`, … */
  readonly action: string
  /** To what: a name, or an id where there is none. */
  readonly target: string
  /** What was changed, by name. No secrets. */
  readonly detail: Readonly<Record<string, string | number | boolean | null>>
}

export type NewAuditEntry = Omit<AuditEntry, 'id' | 'atMs'>

export interface Audit {
  write(deed: NewAuditEntry): void
  /** The latest first, from before that id on. */
  ofProject(projectId: string, before: number | null, limit: number): readonly AuditEntry[]
  /** What an account did and what belongs to no project, the latest first. */
  ofAccount(accountId: string, limit: number): readonly AuditEntry[]
}

const KEPT_MS = 366 * 86_400_000
const PRUNED_AT_ONCE = 100

type Row = Omit<AuditEntry, 'detail'> & { readonly detail: string }

const COLUMNS =
  'id, at_ms AS atMs, project_id AS projectId, account_id AS accountId, who, address, action, target, detail'

export function createAudit(db: Database, now: () => number = Date.now): Audit {
  const insert = db.prepare(`
    INSERT INTO audit (at_ms, project_id, account_id, who, address, action, target, detail)
    VALUES (:atMs, :projectId, :accountId, :who, :address, :action, :target, :detail)`)
  const byProject = db.prepare<[string, number, number], Row>(
    `SELECT ${COLUMNS} FROM audit WHERE project_id = ? AND id < ? ORDER BY id DESC LIMIT ?`,
  )
  const byAccount = db.prepare<[string, number], Row>(
    `SELECT ${COLUMNS} FROM audit WHERE account_id = ? AND project_id IS NULL ORDER BY id DESC LIMIT ?`,
  )
  const prune = db.prepare('DELETE FROM audit WHERE id IN (SELECT id FROM audit WHERE at_ms < ? ORDER BY id LIMIT ?)')

  return {
    write(deed) {
      const atMs = now()
      atomically(db, () => {
        insert.run({ ...deed, atMs, detail: JSON.stringify(deed.detail) })
        prune.run(atMs - KEPT_MS, PRUNED_AT_ONCE)
      })
    },
    ofProject: (projectId, before, limit) =>
      byProject.all(projectId, before ?? Number.MAX_SAFE_INTEGER, limit).map(toDeed),
    ofAccount: (accountId, limit) => byAccount.all(accountId, limit).map(toDeed),
  }
}

function toDeed(row: Row): AuditEntry {
  return { ...row, detail: JSON.parse(row.detail) as AuditEntry['detail'] }
}
