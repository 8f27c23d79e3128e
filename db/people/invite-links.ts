import { randomBytes } from 'node:crypto'
import { createId } from '../engine/id.ts'
import { keyDigest } from '../projects/keys.ts'
import type { Role } from './memberships.ts'
import { atomically, durably, type Database } from '../engine/open.ts'

/** What a link lets its holder do; see the migration. */
export type EntryKind = 'first' | 'invitation' | 'reset' | 'sandbox'

export interface InviteLink {
  readonly id: string
  readonly kind: EntryKind
  readonly projectId: string | null
  readonly role: Role | null
  readonly accountId: string | null
  readonly madeBy: string
  readonly createdAtMs: number
  readonly expiresAtMs: number
}

export interface CreateInviteInput {
  readonly kind: EntryKind
  readonly projectId?: string
  readonly role?: Role
  readonly accountId?: string
  readonly madeBy: string
  readonly lifetimeMs: number
}

export interface InviteLinks {
  /** Links of the kinds `first` and `sandbox` end the earlier ones. @returns the secret that the link carries. */
  make(input: CreateInviteInput): string
  /** A link that still works. */
  find(secret: string): InviteLink | null
  /** Ends a link by using it. @returns false when it was used already. */
  use(link: InviteLink): boolean
  /** Ends all of a kind. */
  endAll(kind: EntryKind): void
  /** The invitations of a project that wait, the latest first. */
  invitations(projectId: string): readonly InviteLink[]
  /** @returns whether there was one. */
  withdraw(projectId: string, id: string): boolean
}

const COLUMNS = `
  id, kind, project_id AS projectId, role, account_id AS accountId, made_by AS madeBy, created_at_ms AS createdAtMs,
  expires_at_ms AS expiresAtMs`

export function createInviteLinks(db: Database, now: () => number = Date.now): InviteLinks {
  const insert = db.prepare(`
    INSERT INTO entry_link (digest, id, kind, project_id, role, account_id, made_by, created_at_ms, expires_at_ms)
    VALUES (:digest, :id, :kind, :projectId, :role, :accountId, :madeBy, :createdAtMs, :expiresAtMs)`)
  const byDigest = db.prepare<[Buffer, number], InviteLink>(
    `SELECT ${COLUMNS} FROM entry_link WHERE digest = ? AND expires_at_ms > ?`,
  )
  const byProject = db.prepare<[string, number], InviteLink>(`
    SELECT ${COLUMNS} FROM entry_link WHERE project_id = ? AND kind = 'invitation' AND expires_at_ms > ?
     ORDER BY created_at_ms DESC`)
  const use = db.prepare('DELETE FROM entry_link WHERE id = ?')
  const withdraw = db.prepare("DELETE FROM entry_link WHERE project_id = ? AND id = ? AND kind = 'invitation'")
  const replace = db.prepare('DELETE FROM entry_link WHERE kind = ? OR expires_at_ms <= ?')
  const prune = db.prepare('DELETE FROM entry_link WHERE expires_at_ms <= ?')

  return {
    make({ kind, projectId = null, role = null, accountId = null, madeBy, lifetimeMs }: FullInviteInput) {
      const secret = randomBytes(32).toString('hex')
      const nowMs = now()
      const row = { id: createId('lnk'), kind, projectId, role, accountId, madeBy }
      durably(db, () => {
        if (kind === 'first' || kind === 'sandbox') replace.run(kind, nowMs)
        else prune.run(nowMs)
        insert.run({ ...row, digest: keyDigest(secret), createdAtMs: nowMs, expiresAtMs: nowMs + lifetimeMs })
      })
      return secret
    },
    find: (secret) => byDigest.get(keyDigest(secret), now()) ?? null,
    use: ({ id, kind }) => kind === 'sandbox' || durably(db, () => use.run(id).changes > 0),
    endAll: (kind) => atomically(db, () => void replace.run(kind, now())),
    invitations: (projectId) => byProject.all(projectId, now()),
    withdraw: (projectId, id) => atomically(db, () => withdraw.run(projectId, id).changes > 0),
  }
}

type FullInviteInput = Omit<CreateInviteInput, 'projectId' | 'role' | 'accountId'> & {
  readonly projectId?: string | null
  readonly role?: Role | null
  readonly accountId?: string | null
}
