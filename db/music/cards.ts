import { atomically, type Database } from '../engine/open.ts'

/** Where a guild's now-playing card is. */
export interface CardMessage {
  readonly guildId: string
  readonly channelId: string
  /** null while there is none; the next one goes to the channel. */
  readonly messageId: string | null
}

export interface CardRecords {
  find(botId: string, guildId: string): CardMessage | null
  list(botId: string): readonly CardMessage[]
  save(botId: string, message: CardMessage): void
  remove(botId: string, guildId: string): void
}

const COLUMNS = 'guild_id AS guildId, channel_id AS channelId, message_id AS messageId'

/** Nothing is written for a bot that was removed meanwhile. */
const UPSERT = `
  INSERT INTO card (bot_id, guild_id, channel_id, message_id)
  SELECT :botId, :guildId, :channelId, :messageId WHERE EXISTS (SELECT 1 FROM bot WHERE id = :botId)
  ON CONFLICT (bot_id, guild_id) DO UPDATE SET channel_id = excluded.channel_id, message_id = excluded.message_id`

export function createCardRecords(db: Database): CardRecords {
  const one = db.prepare<[string, string], CardMessage>(`SELECT ${COLUMNS} FROM card WHERE bot_id = ? AND guild_id = ?`)
  const all = db.prepare<[string], CardMessage>(`SELECT ${COLUMNS} FROM card WHERE bot_id = ?`)
  const upsert = db.prepare(UPSERT)
  const remove = db.prepare('DELETE FROM card WHERE bot_id = ? AND guild_id = ?')
  return {
    find: (botId, guildId) => one.get(botId, guildId) ?? null,
    list: (botId) => all.all(botId),
    save(botId, message) {
      atomically(db, () => upsert.run({ ...message, botId }))
    },
    remove(botId, guildId) {
      atomically(db, () => remove.run(botId, guildId))
    },
  }
}
