import { randomBytes } from 'node:crypto'
import { keyDigest } from '../projects/keys.ts'
import { atomically, durably, type Database } from '../engine/open.ts'

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

/** How members get into the web player: links that work once, and the sessions that follow. */
export interface WebPlayerAccess {
  /** Ends earlier links of the member. @returns the secret that the link carries, which is kept nowhere. */
  createLink(visitor: WebPlayerVisitor): string
  /** Ends the link by using it. @returns null for one that is used up, has expired or is of another guild. */
  redeemLink(secret: string, guildId: string): WebPlayerVisitor | null
  /** @returns the secret for the cookie, which is kept nowhere. */
  openSession(visitor: WebPlayerVisitor): string
  /** The session of a secret that is still good, which is seen by that; null otherwise. */
  resumeSession(secret: string, guildId: string): WebPlayerVisitor | null
  endSession(secret: string): void
  /** Ends all sessions and links of a member. @returns how many sessions there were. */
  endAll(member: GuildMemberRef): number
}

export const LINK_LIFETIME_MS = 10 * 60_000
export const SESSION_LIFETIME_MS = 7 * 86_400_000
export const SESSION_IDLE_MS = 24 * 3_600_000
const SEEN_EVERY_MS = 60_000
/** Of one member in one guild; the one that was seen the longest ago goes first. */
const MAX_SESSIONS = 10

const VISITOR = 'project_id AS projectId, guild_id AS guildId, user_id AS userId, channel_id AS channelId, locale'
const OF_MEMBER = 'project_id = :projectId AND guild_id = :guildId AND user_id = :userId'

export function createWebPlayerAccess(db: Database, now: () => number = Date.now): WebPlayerAccess {
  const endSessions = db.prepare(`DELETE FROM web_player_session WHERE ${OF_MEMBER}`)
  const endLinks = db.prepare(`DELETE FROM web_player_link WHERE ${OF_MEMBER}`)
  return {
    ...linksIn(db, now),
    ...sessionsIn(db, now),
    endAll: ({ projectId, guildId, userId }) =>
      durably(db, () => {
        endLinks.run({ projectId, guildId, userId })
        return endSessions.run({ projectId, guildId, userId }).changes
      }),
  }
}

function linksIn(db: Database, now: () => number): Pick<WebPlayerAccess, 'createLink' | 'redeemLink'> {
  const insert = db.prepare(`
    INSERT INTO web_player_link (digest, project_id, guild_id, user_id, channel_id, locale, expires_at_ms)
    VALUES (:digest, :projectId, :guildId, :userId, :channelId, :locale, :expiresAtMs)`)
  const replace = db.prepare(`DELETE FROM web_player_link WHERE (${OF_MEMBER}) OR expires_at_ms <= :nowMs`)
  const find = db.prepare<[Buffer, string, number], WebPlayerVisitor>(
    `SELECT ${VISITOR} FROM web_player_link WHERE digest = ? AND guild_id = ? AND expires_at_ms > ?`,
  )
  const use = db.prepare('DELETE FROM web_player_link WHERE digest = ?')
  return {
    createLink({ projectId, guildId, userId, channelId, locale }) {
      const secret = randomBytes(32).toString('hex')
      const member = { projectId, guildId, userId }
      const nowMs = now()
      const row = { ...member, channelId, locale, digest: keyDigest(secret), expiresAtMs: nowMs + LINK_LIFETIME_MS }
      atomically(db, () => {
        replace.run({ ...member, nowMs })
        insert.run(row)
      })
      return secret
    },
    redeemLink: (secret, guildId) =>
      durably(db, () => {
        const digest = keyDigest(secret)
        const visitor = find.get(digest, guildId, now())
        return visitor && use.run(digest).changes > 0 ? visitor : null
      }),
  }
}

type Sessions = Pick<WebPlayerAccess, 'openSession' | 'resumeSession' | 'endSession'>

function sessionsIn(db: Database, now: () => number): Sessions {
  const insert = db.prepare(`
    INSERT INTO web_player_session
           (digest, project_id, guild_id, user_id, channel_id, locale, created_at_ms, seen_at_ms)
    VALUES (:digest, :projectId, :guildId, :userId, :channelId, :locale, :nowMs, :nowMs)`)
  const prune = db.prepare('DELETE FROM web_player_session WHERE seen_at_ms <= ? OR created_at_ms <= ?')
  const crowdOut = db.prepare(`
    DELETE FROM web_player_session WHERE ${OF_MEMBER} AND digest NOT IN
      (SELECT digest FROM web_player_session WHERE ${OF_MEMBER} ORDER BY seen_at_ms DESC LIMIT ${MAX_SESSIONS - 1})`)
  const find = db.prepare<
    [Buffer, string, number, number],
    WebPlayerVisitor & { readonly seenAtMs: number }
  >(`SELECT ${VISITOR}, seen_at_ms AS seenAtMs FROM web_player_session
      WHERE digest = ? AND guild_id = ? AND seen_at_ms > ? AND created_at_ms > ?`)
  const seen = db.prepare('UPDATE web_player_session SET seen_at_ms = ? WHERE digest = ?')
  const end = db.prepare('DELETE FROM web_player_session WHERE digest = ?')
  return {
    openSession({ projectId, guildId, userId, channelId, locale }) {
      const secret = randomBytes(32).toString('hex')
      const member = { projectId, guildId, userId }
      const nowMs = now()
      atomically(db, () => {
        prune.run(nowMs - SESSION_IDLE_MS, nowMs - SESSION_LIFETIME_MS)
        crowdOut.run(member)
        insert.run({ ...member, channelId, locale, digest: keyDigest(secret), nowMs })
      })
      return secret
    },
    resumeSession(secret, guildId) {
      const digest = keyDigest(secret)
      const nowMs = now()
      const found = find.get(digest, guildId, nowMs - SESSION_IDLE_MS, nowMs - SESSION_LIFETIME_MS)
      if (!found) return null
      const { seenAtMs, ...visitor } = found
      if (seenAtMs <= nowMs - SEEN_EVERY_MS) atomically(db, () => seen.run(nowMs, digest))
      return visitor
    },
    endSession: (secret) => durably(db, () => void end.run(keyDigest(secret))),
  }
}
