import sql, { join, raw } from 'sql-template-tag'
import type { Store } from '../engine/store.ts'

/** A guild as one bot knows it. */
export interface GuildRef {
  readonly botId: string
  readonly guildId: string
}

/** A track that was played, written when it ended. */
export interface Play {
  /** A token. */
  readonly track: string
  /** The track's name, normalized for comparison. */
  readonly song: string
  /** The first artist, normalized likewise; empty if unknown. */
  readonly artist: string
  /** null if a program asked for it, or autoplay chose it. */
  readonly requesterId: string | null
  /** The provider that recommended it; null if it was requested. */
  readonly provider: string | null
  /** The time of day, as milliseconds since 1970. */
  readonly startedAtMs: number
  /** The position that was reached. */
  readonly heardMs: number
  /** 0 for a stream, and where it is not known. */
  readonly lengthMs: number
  readonly ended: 'finished' | 'skipped' | 'failed' | 'closed'
}

/** The plays of each bot in each guild: the newest `MAX_PLAYS` of each. */
export type PlayHistory = ReturnType<typeof createPlayHistory>

export const MAX_PLAYS = 500
/** The number of plays of a song to examine, and of tracks after each. */
const OCCURRENCES = 20
const NEIGHBOURS = 3

const COLUMNS = raw(`track, song, artist, requester_id AS "requesterId", provider, started_at_ms AS "startedAtMs",
  heard_ms AS "heardMs", length_ms AS "lengthMs", ended`)

/** Songs that were asked for after a song, each with how often. */
type Followers = Map<string, { readonly track: string; count: number }>

export function createPlayHistory(store: Store) {
  return {
    /** Does nothing for a bot that was removed meanwhile. */
    add: ({ botId, guildId }: GuildRef, play: Play) =>
      store.atomically(
        async () => {
          const [heardMs, lengthMs] = [Math.round(play.heardMs), Math.round(play.lengthMs)]
          await store.run(sql`
            INSERT INTO play_history (bot_id, guild_id, track, song, artist, requester_id, provider, started_at_ms, heard_ms,
                                      length_ms, ended)
            SELECT id, ${guildId}, ${play.track}, ${play.song}, ${play.artist}, ${play.requesterId}, ${play.provider},
                   CAST(${play.startedAtMs} AS bigint), CAST(${heardMs} AS bigint), CAST(${lengthMs} AS bigint), ${play.ended}
              FROM bot WHERE id = ${botId}`)
          const guild = sql`bot_id = ${botId} AND guild_id = ${guildId}`
          await store.run(sql`
            DELETE FROM play_history WHERE ${guild} AND id <=
              (SELECT id FROM play_history WHERE ${guild} ORDER BY id DESC LIMIT 1 OFFSET ${MAX_PLAYS})`)
        },
        { isBatch: true },
      ),
    /** Whether one of the bots ever played anything. */
    async hasAny(botIds: readonly string[]) {
      if (botIds.length === 0) return false
      const any = sql`SELECT 1 FROM play_history WHERE bot_id IN (${join(botIds)}) LIMIT 1`
      return (await store.find(any)) !== undefined
    },
    /** The newest first. */
    list: ({ botId, guildId }: GuildRef, limit: number) =>
      store.all<Play>(sql`
        SELECT ${COLUMNS} FROM play_history WHERE bot_id = ${botId} AND guild_id = ${guildId}
         ORDER BY id DESC LIMIT ${limit}`),
    /**
     * Tokens of what members asked for soon after a song and heard at least half of, the most often first. What was
     * recommended is left out: it would recommend itself again and again.
     */
    async following(guild: GuildRef, song: string, limit: number) {
      const ids = await occurrences(store, guild, song)
      if (ids.length === 0) return []
      const found: Followers = new Map()
      for (const { track, song: other } of await neighbours(store, guild, ids)) {
        if (other === song) continue
        const known = found.get(other) ?? { track, count: 0 }
        known.count += 1
        found.set(other, known)
      }
      const best = [...found.values()].toSorted((a, b) => b.count - a.count)
      return best.slice(0, limit).map(({ track }) => track)
    },
  }
}

async function occurrences(store: Store, { botId, guildId }: GuildRef, song: string): Promise<readonly number[]> {
  const rows = await store.all<{ readonly id: number }>(sql`
    SELECT id FROM play_history WHERE bot_id = ${botId} AND guild_id = ${guildId} AND song = ${song}
     ORDER BY id DESC LIMIT ${OCCURRENCES}`)
  return rows.map(({ id }) => id)
}

/** Requested tracks after each of these plays that finished or were heard at least by half. */
async function neighbours(store: Store, { botId, guildId }: GuildRef, ids: readonly number[]) {
  const after = (id: number) => sql`SELECT * FROM (
    SELECT track, song FROM play_history
     WHERE bot_id = ${botId} AND guild_id = ${guildId} AND id > ${id} AND provider IS NULL
       AND (ended = 'finished' OR (length_ms > 0 AND heard_ms * 2 >= length_ms))
     ORDER BY id LIMIT ${NEIGHBOURS}) AS after_one`
  return store.all<Pick<Play, 'track' | 'song'>>(join(ids.map(after), ' UNION ALL '))
}
