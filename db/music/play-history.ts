import { atomically, type Database } from '../engine/open.ts'

/** A guild as one bot knows it. */
export interface GuildRef {
  readonly botId: string
  readonly guildId: string
}

/** A track that was played, written when it ended. */
export interface Play {
  /** A token. */
  readonly track: string
  /** Its name as names are compared. */
  readonly song: string
  /** Its first artist, likewise; empty if the artist is not known. */
  readonly artist: string
  /** null if a program asked for it, or autoplay chose it. */
  readonly requesterId: string | null
  /** Who recommended it; null if it was asked for. */
  readonly provider: string | null
  /** The time of day, as milliseconds since 1970. */
  readonly startedAtMs: number
  /** The position that was reached. */
  readonly heardMs: number
  /** 0 for a stream, and where it is not known. */
  readonly lengthMs: number
  readonly ended: 'finished' | 'skipped' | 'failed' | 'closed'
}

/** What each bot played in each guild: the newest `MAX_PLAYS` of each. */
export interface PlayHistory {
  /** Does nothing for a bot that was removed meanwhile. */
  add(guild: GuildRef, play: Play): void
  /** Whether the bot ever played anything. */
  hasAny(botId: string): boolean
  /** The newest first. */
  list(guild: GuildRef, limit: number): readonly Play[]
  /**
   * Tokens of what members asked for soon after a song and heard at least half of, the most often first. What was
   * recommended is left out: it would recommend itself again and again.
   */
  following(guild: GuildRef, song: string, limit: number): readonly string[]
}

export const MAX_PLAYS = 500
/** How many plays of a song are looked at, and how far after each of them. */
const OCCURRENCES = 20
const NEIGHBOURS = 3

const INSERT = `
  INSERT INTO play_history (bot_id, guild_id, track, song, artist, requester_id, provider, started_at_ms, heard_ms,
                            length_ms, ended)
  SELECT :botId, :guildId, :track, :song, :artist, :requesterId, :provider, :startedAtMs, :heardMs, :lengthMs, :ended
   WHERE EXISTS (SELECT 1 FROM bot WHERE id = :botId)`

const TRIM = `
  DELETE FROM play_history WHERE bot_id = :botId AND guild_id = :guildId AND id <=
    (SELECT id FROM play_history WHERE bot_id = :botId AND guild_id = :guildId ORDER BY id DESC LIMIT 1 OFFSET ${MAX_PLAYS})`

const COLUMNS = `track, song, artist, requester_id AS requesterId, provider, started_at_ms AS startedAtMs,
  heard_ms AS heardMs, length_ms AS lengthMs, ended`

const AFTER = `
  SELECT track, song FROM play_history
   WHERE bot_id = ? AND guild_id = ? AND id > ? AND provider IS NULL AND (ended = 'finished' OR (length_ms > 0 AND heard_ms * 2 >= length_ms))
   ORDER BY id LIMIT ${NEIGHBOURS}`

export function createPlayHistory(db: Database): PlayHistory {
  const insert = db.prepare(INSERT)
  const trim = db.prepare(TRIM)
  const select = db.prepare<[string, string, number], Play>(
    `SELECT ${COLUMNS} FROM play_history WHERE bot_id = ? AND guild_id = ? ORDER BY id DESC LIMIT ?`,
  )
  const any = db.prepare<[string]>('SELECT 1 FROM play_history WHERE bot_id = ? LIMIT 1')
  const occurrences = db
    .prepare<[string, string, string], number>(
      `SELECT id FROM play_history WHERE bot_id = ? AND guild_id = ? AND song = ? ORDER BY id DESC LIMIT ${OCCURRENCES}`,
    )
    .pluck()
  const after = db.prepare<[string, string, number], Pick<Play, 'track' | 'song'>>(AFTER)

  return {
    add: ({ botId, guildId }, play) =>
      atomically(db, () => {
        insert.run({ ...play, heardMs: Math.round(play.heardMs), lengthMs: Math.round(play.lengthMs), botId, guildId })
        trim.run({ botId, guildId })
      }),
    hasAny: (botId) => any.get(botId) !== undefined,
    list: ({ botId, guildId }, limit) => select.all(botId, guildId, limit),
    following({ botId, guildId }, song, limit) {
      const found = new Map<string, { readonly track: string; count: number }>()
      const near = occurrences.all(botId, guildId, song).flatMap((id) => after.all(botId, guildId, id))
      for (const { track, song: other } of near) {
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
