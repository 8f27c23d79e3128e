import { randomBytes } from 'node:crypto'
import { createId } from '../engine/id.ts'
import { keyDigest } from '../projects/keys.ts'
import { atomically, type Database } from '../engine/open.ts'

/** A browser that is signed in. */
export interface Session {
  readonly id: string
  readonly accountId: string
  readonly createdAtMs: number
  /** To the minute. */
  readonly seenAtMs: number
  readonly address: string
  readonly userAgent: string
}

export interface CreateSessionInput {
  readonly accountId: string
  readonly address: string
  readonly userAgent: string
}

export interface Sessions {
  /** @returns the secret for the cookie: 64 hex digits that are kept nowhere. */
  open(input: CreateSessionInput): string
  /** The session of a cookie that is still good, which is seen by that; null otherwise. */
  resume(secret: string): Session | null
  /** The latest first. */
  list(accountId: string): readonly Session[]
  /** @returns whether there was one. */
  end(accountId: string, id: string): boolean
  /** Ends all of an account but one. */
  endOthers(accountId: string, keptId: string | null): void
}

const IDLE_MS = 12 * 3_600_000
const LIFETIME_MS = 14 * 86_400_000
const SEEN_EVERY_MS = 60_000
/** Of one account; the one that was seen the longest ago goes first. */
const MOST_SESSIONS = 50

const COLUMNS = `
  id, account_id AS accountId, created_at_ms AS createdAtMs, seen_at_ms AS seenAtMs, address, user_agent AS userAgent`

export function createSessions(db: Database, now: () => number = Date.now): Sessions {
  const insert = db.prepare(`
    INSERT INTO session (digest, id, account_id, created_at_ms, seen_at_ms, address, user_agent)
    VALUES (:digest, :id, :accountId, :nowMs, :nowMs, :address, :userAgent)`)
  const byDigest = db.prepare<[Buffer], Session>(`SELECT ${COLUMNS} FROM session WHERE digest = ?`)
  const byAccount = db.prepare<[string, number, number], Session>(`
    SELECT ${COLUMNS} FROM session WHERE account_id = ? AND seen_at_ms > ? AND created_at_ms > ? ORDER BY seen_at_ms DESC`)
  const seen = db.prepare('UPDATE session SET seen_at_ms = ? WHERE digest = ?')
  const end = db.prepare('DELETE FROM session WHERE account_id = ? AND id = ?')
  const endOthers = db.prepare('DELETE FROM session WHERE account_id = ? AND id IS NOT ?')
  const prune = db.prepare('DELETE FROM session WHERE seen_at_ms <= ? OR created_at_ms <= ?')
  const crowdOut = db.prepare(`
    DELETE FROM session WHERE account_id = :accountId AND id NOT IN
      (SELECT id FROM session WHERE account_id = :accountId ORDER BY seen_at_ms DESC LIMIT ${MOST_SESSIONS - 1})`)

  return {
    open({ accountId, address, userAgent }) {
      const secret = randomBytes(32).toString('hex')
      const nowMs = now()
      const row = { digest: keyDigest(secret), id: createId('ses'), accountId, nowMs }
      atomically(db, () => {
        prune.run(nowMs - IDLE_MS, nowMs - LIFETIME_MS)
        crowdOut.run({ accountId })
        insert.run({ ...row, address, userAgent: userAgent.slice(0, 300) })
      })
      return secret
    },
    resume(secret) {
      const digest = keyDigest(secret)
      const session = byDigest.get(digest)
      const nowMs = now()
      if (!session || session.seenAtMs <= nowMs - IDLE_MS || session.createdAtMs <= nowMs - LIFETIME_MS) return null
      if (session.seenAtMs <= nowMs - SEEN_EVERY_MS) atomically(db, () => seen.run(nowMs, digest))
      return session
    },
    list: (accountId) => byAccount.all(accountId, now() - IDLE_MS, now() - LIFETIME_MS),
    end: (accountId, id) => atomically(db, () => end.run(accountId, id).changes > 0),
    endOthers: (accountId, keptId) => atomically(db, () => void endOthers.run(accountId, keptId)),
  }
}
