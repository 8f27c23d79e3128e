import sql, { raw } from 'sql-template-tag'
import type { Store } from '../engine/store.ts'

/** The location of a guild's now-playing card. */
export interface CardMessage {
  readonly guildId: string
  readonly channelId: string
  /** null while there is none; the next one goes to the channel. */
  readonly messageId: string | null
  /** Whether it is the card of a request channel, which stays when nothing plays. */
  readonly isStanding: boolean
}

export type CardRecords = ReturnType<typeof createCardRecords>

type Row = Omit<CardMessage, 'isStanding'> & { readonly isStanding: 0 | 1 }

const COLUMNS = raw(
  'guild_id AS "guildId", channel_id AS "channelId", message_id AS "messageId", is_standing AS "isStanding"',
)

export function createCardRecords(store: Store) {
  return {
    async find(botId: string, guildId: string): Promise<CardMessage | null> {
      const row = await store.find<Row>(
        sql`SELECT ${COLUMNS} FROM card WHERE bot_id = ${botId} AND guild_id = ${guildId}`,
      )
      return row ? toMessage(row) : null
    },
    async list(botId: string): Promise<readonly CardMessage[]> {
      const rows = await store.all<Row>(sql`SELECT ${COLUMNS} FROM card WHERE bot_id = ${botId}`)
      return rows.map(toMessage)
    },
    /** The id of the bot whose request channel this is; null if it is none. */
    async findOwner(channelId: string): Promise<string | null> {
      const owner = sql`SELECT bot_id AS "botId" FROM card WHERE channel_id = ${channelId} AND is_standing = 1`
      return (await store.find<{ readonly botId: string }>(owner))?.botId ?? null
    },
    /** Nothing is written for a bot that was removed meanwhile. */
    async save(botId: string, { guildId, channelId, messageId, isStanding }: CardMessage) {
      await store.run(sql`
        INSERT INTO card (bot_id, guild_id, channel_id, message_id, is_standing)
        SELECT id, ${guildId}, ${channelId}, ${messageId}, ${isStanding ? 1 : 0} FROM bot WHERE id = ${botId}
        ON CONFLICT (bot_id, guild_id) DO UPDATE SET
          channel_id = excluded.channel_id, message_id = excluded.message_id, is_standing = excluded.is_standing`)
    },
    async remove(botId: string, guildId: string) {
      await store.run(sql`DELETE FROM card WHERE bot_id = ${botId} AND guild_id = ${guildId}`)
    },
  }
}

function toMessage(row: Row): CardMessage {
  return { ...row, isStanding: row.isStanding === 1 }
}
