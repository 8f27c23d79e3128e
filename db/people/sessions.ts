import { randomBytes } from 'node:crypto'
import sql from 'sql-template-tag'
import { createId } from '../engine/id.ts'
import type { Store } from '../engine/store.ts'
import { keyDigest } from '../projects/keys.ts'

/** A browser that is signed in. */
export interface BrowserSession {
  readonly id: string
  readonly accountId: string
  readonly createdAtMs: number
  /** To the minute. */
  readonly seenAtMs: number
  readonly address: string
  readonly userAgent: string
}

interface CreateSessionInput {
  readonly accountId: string
  readonly address: string
  readonly userAgent: string
}

const IDLE_MS = 12 * 3_600_000
const LIFETIME_MS = 14 * 86_400_000
const SEEN_EVERY_MS = 60_000
/** Sessions of one account; the one seen the longest ago is deleted first. */
const MOST_SESSIONS = 50

const COLUMNS = sql`
  id, account_id AS "accountId", created_at_ms AS "createdAtMs", seen_at_ms AS "seenAtMs", address,
  user_agent AS "userAgent"`

export function createSessions(store: Store, now: () => number = Date.now) {
  return {
    /** @returns the secret for the cookie: 64 hex digits that are kept nowhere. */
    async open({ accountId, address, userAgent }: CreateSessionInput): Promise<string> {
      const secret = randomBytes(32).toString('hex')
      const nowMs = now()
      await store.atomically(async () => {
        await store.run(
          sql`DELETE FROM session WHERE seen_at_ms <= ${nowMs - IDLE_MS} OR created_at_ms <= ${nowMs - LIFETIME_MS}`,
        )
        await store.run(sql`
          DELETE FROM session WHERE account_id = ${accountId} AND id NOT IN
            (SELECT id FROM session WHERE account_id = ${accountId} ORDER BY seen_at_ms DESC LIMIT ${MOST_SESSIONS - 1})`)
        await store.run(sql`
          INSERT INTO session (digest, id, account_id, created_at_ms, seen_at_ms, address, user_agent)
          VALUES (${keyDigest(secret)}, ${createId('ses')}, ${accountId}, ${nowMs}, ${nowMs}, ${address},
                  ${userAgent.slice(0, 300)})`)
      })
      return secret
    },
    /** The session of a cookie that is still good, which is seen by that; null otherwise. */
    async resume(secret: string): Promise<BrowserSession | null> {
      const digest = keyDigest(secret)
      const session = await store.find<BrowserSession>(sql`SELECT ${COLUMNS} FROM session WHERE digest = ${digest}`)
      const nowMs = now()
      if (!session || session.seenAtMs <= nowMs - IDLE_MS || session.createdAtMs <= nowMs - LIFETIME_MS) return null
      if (session.seenAtMs <= nowMs - SEEN_EVERY_MS)
        await store.run(sql`UPDATE session SET seen_at_ms = ${nowMs} WHERE digest = ${digest}`)
      return session
    },
    /** The latest first. */
    list: (accountId: string) =>
      store.all<BrowserSession>(sql`
        SELECT ${COLUMNS} FROM session
         WHERE account_id = ${accountId} AND seen_at_ms > ${now() - IDLE_MS} AND created_at_ms > ${now() - LIFETIME_MS}
         ORDER BY seen_at_ms DESC, id`),
    /** @returns whether there was one. */
    end: async (accountId: string, id: string): Promise<boolean> =>
      (await store.run(sql`DELETE FROM session WHERE account_id = ${accountId} AND id = ${id}`)) > 0,
    /** Ends all of an account but one. */
    async endOthers(accountId: string, keptId: string | null) {
      await store.run(sql`DELETE FROM session WHERE account_id = ${accountId} AND id <> ${keptId ?? ''}`)
    },
  }
}
