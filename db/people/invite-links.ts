import { randomBytes } from 'node:crypto'
import sql from 'sql-template-tag'
import { createId } from '../engine/id.ts'
import type { Store } from '../engine/store.ts'
import { keyDigest } from '../projects/keys.ts'
import type { Role } from './memberships.ts'

/** The action that a link allows its holder; see the migration. */
type EntryKind = 'first' | 'invitation' | 'reset' | 'sandbox'

export interface InviteLink {
  readonly id: string
  readonly kind: EntryKind
  readonly projectId: string | null
  readonly role: Role | null
  /** The account that it is for; of an invitation, the account that made it. */
  readonly accountId: string | null
  readonly madeBy: string
  readonly createdAtMs: number
  readonly expiresAtMs: number
}

interface CreateInviteInput {
  readonly kind: EntryKind
  readonly projectId?: string | null
  readonly role?: Role | null
  readonly accountId?: string | null
  readonly madeBy: string
  readonly lifetimeMs: number
}

const COLUMNS = sql`
  id, kind, project_id AS "projectId", role, account_id AS "accountId", made_by AS "madeBy",
  created_at_ms AS "createdAtMs", expires_at_ms AS "expiresAtMs"`

/** Invitations of earlier versions have the name of their maker alone. */
const MAKER = sql`coalesce(entry_link.account_id, (SELECT id FROM account WHERE name = made_by))`

/**
 * Whether a link still has the rights of its maker: an invitation as long as they own the project, and the link for the first
 * account as long as there is none.
 */
const HOLDS = sql`(
  CASE kind
    WHEN 'invitation' THEN ${MAKER} IS NULL OR EXISTS (
      SELECT 1 FROM membership
       WHERE membership.project_id = entry_link.project_id AND membership.account_id = ${MAKER}
         AND membership.role = 'owner')
    WHEN 'first' THEN NOT EXISTS (SELECT 1 FROM account WHERE password IS NOT NULL OR discord_id IS NOT NULL)
    ELSE 1 = 1
  END)`

export function createInviteLinks(store: Store, now: () => number = Date.now) {
  const endKind = (kind: EntryKind) =>
    store.run(sql`DELETE FROM entry_link WHERE kind = ${kind} OR expires_at_ms <= ${now()}`)

  return {
    /**
     * Links of the kinds `first` and `sandbox` end the earlier ones; where several services may have a database, only the use of
     * a `first` one ends the others, since each service offers its own. @returns the secret that the link carries.
     */
    async make({ kind, projectId = null, role = null, accountId = null, madeBy, lifetimeMs }: CreateInviteInput) {
      const secret = randomBytes(32).toString('hex')
      const nowMs = now()
      await store.durably(async () => {
        const isOnlyOne = kind === 'sandbox' || (kind === 'first' && store.engine === 'sqlite')
        if (isOnlyOne) await endKind(kind)
        else await store.run(sql`DELETE FROM entry_link WHERE expires_at_ms <= ${nowMs}`)
        await store.run(sql`
          INSERT INTO entry_link (digest, id, kind, project_id, role, account_id, made_by, created_at_ms, expires_at_ms)
          VALUES (${keyDigest(secret)}, ${createId('lnk')}, ${kind}, ${projectId}, ${role}, ${accountId}, ${madeBy},
                  ${nowMs}, ${nowMs + lifetimeMs})`)
      })
      return secret
    },
    /** A link that still works: neither over, nor from a person who may no longer invite. */
    async find(secret: string) {
      const link = await store.find<InviteLink>(
        sql`SELECT ${COLUMNS} FROM entry_link WHERE digest = ${keyDigest(secret)} AND expires_at_ms > ${now()} AND ${HOLDS}`,
      )
      return link ?? null
    },
    /**
     * Ends a link together with what it lets its holder do: neither is written without the other, and of two requests with
     * one link one does it. @returns null when it was used already.
     */
    redeem: <T>({ id, kind }: InviteLink, act: () => Promise<T>): Promise<T | null> =>
      store.durably(async () => {
        if (kind === 'sandbox') return act()
        const which = kind === 'first' ? sql`kind = 'first'` : sql`id = ${id}`
        const end = sql`DELETE FROM entry_link WHERE ${which} AND ${HOLDS} RETURNING id`
        const ended = await store.all<{ readonly id: string }>(end)
        return ended.some((one) => one.id === id) ? act() : null
      }),
    /** Ends all of a kind. */
    endAll: async (kind: EntryKind) => void (await endKind(kind)),
    /** The invitations of a project that wait, the latest first. */
    invitations: (projectId: string) =>
      store.all<InviteLink>(sql`
        SELECT ${COLUMNS} FROM entry_link
         WHERE project_id = ${projectId} AND kind = 'invitation' AND expires_at_ms > ${now()} AND ${HOLDS}
         ORDER BY created_at_ms DESC, id`),
    /** @returns whether there was one. */
    async withdraw(projectId: string, id: string) {
      const ended = await store.run(
        sql`DELETE FROM entry_link WHERE project_id = ${projectId} AND id = ${id} AND kind = 'invitation'`,
      )
      return ended > 0
    },
  }
}
