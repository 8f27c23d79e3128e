import { atomically, type Database } from '../engine/open.ts'

/** Where a guild's now-playing card is. */
export interface CardMessage {
  readonly guildId: string
  readonly channelId: string
  /** null while there is none; the next one goes to the channel. */
  readonly messageId: string | null
  /** Whether it is the card of a request channel, which stays when nothing plays. */
  readonly isStanding: boolean
}

export interface CardRecords {
  find(botId: string, guildId: string): CardMessage | null
  list(botId: string): readonly CardMessage[]
  /** The id of the bot whose request channel this is; null if it is none. */
  findOwner(channelId: string): string | null
  save(botId: string, message: CardMessage): void
  remove(botId: string, guildId: string): void
}

type Row = Omit<CardMessage, 'isStanding'> & { readonly isStanding: 0 | 1 }

const COLUMNS = 'guild_id AS guildId, channel_id AS channelId, message_id AS messageId, is_standing AS isStanding'

/** Nothing is written for a bot that was removed meanwhile. */
const UPSERT = `
  INSERT INTO card (bot_id, guild_id, channel_id, message_id, is_standing)
  SELECT :botId, :guildId, :channelId, :messageId, :isStanding WHERE EXISTS (SELECT 1 FROM bot WHERE id = :botId)
  ON CONFLICT (bot_id, guild_id) DO UPDATE SET
    channel_id = excluded.channel_id, message_id = excluded.message_id, is_standing = excluded.is_standing`

export function createCardRecords(db: Database): CardRecords {
  const one = db.prepare<[string, string], Row>(`SELECT ${COLUMNS} FROM card WHERE bot_id = ? AND guild_id = ?`)
  const all = db.prepare<[string], Row>(`SELECT ${COLUMNS} FROM card WHERE bot_id = ?`)
  const owner = db.prepare<[string], { botId: string }>(
    'SELECT bot_id AS botId FROM card WHERE channel_id = ? AND is_standing = 1',
  )
  const upsert = db.prepare(UPSERT)
  const remove = db.prepare('DELETE FROM card WHERE bot_id = ? AND guild_id = ?')
  return {
    find(botId, guildId) {
      const row = one.get(botId, guildId)
      return row ? toMessage(row) : null
    },
    list: (botId) => all.all(botId).map(toMessage),
    findOwner: (channelId) => owner.get(channelId)?.botId ?? null,
    save(botId, message) {
      atomically(db, () => upsert.run({ ...message, isStanding: message.isStanding ? 1 : 0, botId }))
    },
    remove(botId, guildId) {
      atomically(db, () => remove.run(botId, guildId))
    },
  }
}

function toMessage(row: Row): CardMessage {
  return { ...row, isStanding: row.isStanding === 1 }
}
