import { randomBytes } from 'node:crypto'
import sql from 'sql-template-tag'
import type { Store } from '../engine/store.ts'
import { keyDigest } from '../projects/keys.ts'

/** A member of Discord in one guild, as one project knows them. */
export interface GuildMemberRef {
  readonly projectId: string
  readonly guildId: string
  readonly userId: string
}

/** A member who opens the web player, and what is known of where they come from. */
export interface WebPlayerVisitor extends GuildMemberRef {
  /** The text channel where they asked for it; null if they signed in. */
  readonly channelId: string | null
  /** The language of their app as Discord calls it. */
  readonly locale: string
}

/** Members' access to the web player: single-use links, and the sessions that follow. */
export type WebPlayerAccess = ReturnType<typeof createWebPlayerAccess>

export const LINK_LIFETIME_MS = 10 * 60_000
export const SESSION_LIFETIME_MS = 7 * 86_400_000
export const SESSION_IDLE_MS = 24 * 3_600_000
const SEEN_EVERY_MS = 60_000
/** Sessions of one member in one guild; the one seen the longest ago is deleted first. */
const MAX_SESSIONS = 10

const VISITOR = sql`
  project_id AS "projectId", guild_id AS "guildId", user_id AS "userId", channel_id AS "channelId", locale`

const isOf = ({ projectId, guildId, userId }: GuildMemberRef) =>
  sql`project_id = ${projectId} AND guild_id = ${guildId} AND user_id = ${userId}`

export function createWebPlayerAccess(store: Store, now: () => number = Date.now) {
  return {
    ...linksIn(store, now),
    ...sessionsIn(store, now),
    /** Ends all sessions and links of a member. @returns how many sessions there were. */
    endAll: (member: GuildMemberRef): Promise<number> =>
      store.durably(async () => {
        await store.run(sql`DELETE FROM web_player_link WHERE ${isOf(member)}`)
        return store.run(sql`DELETE FROM web_player_session WHERE ${isOf(member)}`)
      }),
  }
}

function linksIn(store: Store, now: () => number) {
  return {
    /** Ends earlier links of the member. @returns the secret that the link carries, which is kept nowhere. */
    async createLink(visitor: WebPlayerVisitor): Promise<string> {
      const { projectId, guildId, userId, channelId, locale } = visitor
      const secret = randomBytes(32).toString('hex')
      const nowMs = now()
      await store.atomically(async () => {
        await store.run(sql`DELETE FROM web_player_link WHERE (${isOf(visitor)}) OR expires_at_ms <= ${nowMs}`)
        await store.run(sql`
          INSERT INTO web_player_link (digest, project_id, guild_id, user_id, channel_id, locale, expires_at_ms)
          VALUES (${keyDigest(secret)}, ${projectId}, ${guildId}, ${userId}, ${channelId}, ${locale},
                  ${nowMs + LINK_LIFETIME_MS})`)
      })
      return secret
    },
    /** Ends the link by using it. @returns null for one that is used up, has expired or is of another guild. */
    redeemLink: (secret: string, guildId: string): Promise<WebPlayerVisitor | null> =>
      store.durably(async () => {
        // If two requests use the same link, only one deletes it.
        const visitor = await store.find<WebPlayerVisitor>(sql`
          DELETE FROM web_player_link
           WHERE digest = ${keyDigest(secret)} AND guild_id = ${guildId} AND expires_at_ms > ${now()}
          RETURNING ${VISITOR}`)
        return visitor ?? null
      }),
  }
}

function sessionsIn(store: Store, now: () => number) {
  return {
    /** @returns the secret for the cookie, which is kept nowhere. */
    async openSession(visitor: WebPlayerVisitor): Promise<string> {
      const { projectId, guildId, userId, channelId, locale } = visitor
      const secret = randomBytes(32).toString('hex')
      const nowMs = now()
      await store.atomically(async () => {
        await store.run(sql`
          DELETE FROM web_player_session
           WHERE seen_at_ms <= ${nowMs - SESSION_IDLE_MS} OR created_at_ms <= ${nowMs - SESSION_LIFETIME_MS}`)
        await store.run(sql`
          DELETE FROM web_player_session WHERE ${isOf(visitor)} AND digest NOT IN
            (SELECT digest FROM web_player_session WHERE ${isOf(visitor)}
              ORDER BY seen_at_ms DESC LIMIT ${MAX_SESSIONS - 1})`)
        await store.run(sql`
          INSERT INTO web_player_session
                 (digest, project_id, guild_id, user_id, channel_id, locale, created_at_ms, seen_at_ms)
          VALUES (${keyDigest(secret)}, ${projectId}, ${guildId}, ${userId}, ${channelId}, ${locale}, ${nowMs},
                  ${nowMs})`)
      })
      return secret
    },
    /** The session of a secret that is still good, which is seen by that; null otherwise. */
    async resumeSession(secret: string, guildId: string): Promise<WebPlayerVisitor | null> {
      const digest = keyDigest(secret)
      const nowMs = now()
      const found = await store.find<WebPlayerVisitor & { readonly seenAtMs: number }>(sql`
        SELECT ${VISITOR}, seen_at_ms AS "seenAtMs" FROM web_player_session
         WHERE digest = ${digest} AND guild_id = ${guildId} AND seen_at_ms > ${nowMs - SESSION_IDLE_MS}
           AND created_at_ms > ${nowMs - SESSION_LIFETIME_MS}`)
      if (!found) return null
      const { seenAtMs, ...visitor } = found
      if (seenAtMs <= nowMs - SEEN_EVERY_MS)
        await store.run(sql`UPDATE web_player_session SET seen_at_ms = ${nowMs} WHERE digest = ${digest}`)
      return visitor
    },
    async endSession(secret: string) {
      await store.durably(() => store.run(sql`DELETE FROM web_player_session WHERE digest = ${keyDigest(secret)}`))
    },
  }
}
