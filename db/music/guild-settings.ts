import { knownCategories, type SegmentCategory } from '../../lib/music/segment-categories.ts'
import { atomically, type Database } from '../engine/open.ts'

/** How the bots of a project behave in one guild, as its members set it. */
export interface GuildSettings {
  /** Members who have it may do all to the player; null: managers of the server alone. */
  readonly djRoleId: string | null
  /** What other members may do: rules by permission. One that is not in it has its default. */
  readonly permissions: Readonly<Record<string, string>>
  /** The part of the listeners, 0 to 1, that has to agree in a vote. */
  readonly voteRatio: number
  /** Whether the bot stays without listeners and with an empty queue. */
  readonly stays: boolean
  /** What a new player begins with. Percent, 0 to 200. */
  readonly volume: number
  /** Where the now-playing card goes; null: where music was asked for. */
  readonly announceChannelId: string | null
  /** Of what everyone reads; null: as Discord says of the guild. */
  readonly language: string | null
  /** Whether a track may wait that waits or plays already. */
  readonly duplicates: boolean
  /** Whether members take turns in the queue. */
  readonly fair: boolean
  /** How many tracks of one member may wait; null: any number. */
  readonly mostPerMember: number | null
  /** Whether every track is played as loud as the others; null: as the service is configured. */
  readonly levelled: boolean | null
  /** Whether members may have websites shown. */
  readonly screenshots: boolean
  /** Whether similar tracks play after the end of the queue. */
  readonly autoplay: boolean
  /** What SponsorBlock knows of videos and is passed over; empty: it is not asked. */
  readonly sponsorBlock: readonly SegmentCategory[]
  /** How long two tracks sound together where one follows the other, 0 to 12,000; 0: not at all. */
  readonly crossfadeMs: number
  /** How long skip, pause, seek and stop fade, 0 to 1,000; 0: not at all. */
  readonly fadeMs: number
}

export const DEFAULT_SETTINGS: GuildSettings = {
  djRoleId: null,
  permissions: {},
  voteRatio: 0.5,
  stays: false,
  volume: 100,
  announceChannelId: null,
  language: null,
  duplicates: true,
  fair: false,
  mostPerMember: null,
  levelled: null,
  screenshots: true,
  autoplay: false,
  sponsorBlock: [],
  crossfadeMs: 0,
  fadeMs: 150,
}

export interface GuildSettingsRecords {
  /** The defaults where nothing was set. */
  get(botId: string, guildId: string): GuildSettings
  /** @returns all settings as they are then. */
  change(botId: string, guildId: string, change: Partial<GuildSettings>): GuildSettings
  reset(botId: string, guildId: string): void
}

type Flag = 'stays' | 'duplicates' | 'fair' | 'screenshots' | 'autoplay'
type Row = Omit<GuildSettings, Flag | 'levelled' | 'permissions' | 'sponsorBlock'> &
  Readonly<Record<Flag, 0 | 1>> & {
    readonly levelled: 0 | 1 | null
    readonly permissions: string
    readonly sponsorBlock: string
  }

const UPSERT = `
  INSERT INTO guild_settings (bot_id, guild_id, dj_role_id, vote_ratio, stays, volume, announce_channel_id, language,
                              duplicates, fair, most_per_member, levelled, screenshots, autoplay, permissions, sponsor_block,
                              crossfade_ms, fade_ms)
  VALUES (:botId, :guildId, :djRoleId, :voteRatio, :stays, :volume, :announceChannelId, :language,
          :duplicates, :fair, :mostPerMember, :levelled, :screenshots, :autoplay, :permissions, :sponsorBlock,
          :crossfadeMs, :fadeMs)
  ON CONFLICT (bot_id, guild_id) DO UPDATE SET
    dj_role_id = excluded.dj_role_id, vote_ratio = excluded.vote_ratio, stays = excluded.stays,
    volume = excluded.volume, announce_channel_id = excluded.announce_channel_id, language = excluded.language,
    duplicates = excluded.duplicates, fair = excluded.fair, most_per_member = excluded.most_per_member,
    levelled = excluded.levelled, screenshots = excluded.screenshots, autoplay = excluded.autoplay,
    permissions = excluded.permissions, sponsor_block = excluded.sponsor_block,
    crossfade_ms = excluded.crossfade_ms, fade_ms = excluded.fade_ms`

const SELECT = `
  SELECT dj_role_id AS djRoleId, vote_ratio AS voteRatio, stays, volume, announce_channel_id AS announceChannelId,
         language, duplicates, fair, most_per_member AS mostPerMember, levelled, screenshots, autoplay, permissions,
         sponsor_block AS sponsorBlock,
         crossfade_ms AS crossfadeMs, fade_ms AS fadeMs
    FROM guild_settings JOIN bot ON bot.id = bot_id
   WHERE guild_id = :guildId AND project_id = (SELECT project_id FROM bot WHERE id = :botId)
   ORDER BY bot_id <> :botId, created_at_ms, bot_id LIMIT 1`

/** The bots of a project share what is set; one that is added later has it of the others. */
const SIBLINGS = `SELECT id FROM bot WHERE project_id = (SELECT project_id FROM bot WHERE id = ?)`

export function createGuildSettings(db: Database): GuildSettingsRecords {
  const upsert = db.prepare(UPSERT)
  const select = db.prepare<{ botId: string; guildId: string }, Row>(SELECT)
  const remove = db.prepare(`DELETE FROM guild_settings WHERE bot_id IN (${SIBLINGS}) AND guild_id = ?`)
  const siblings = db.prepare<[string], string>(SIBLINGS).pluck()

  function get(botId: string, guildId: string): GuildSettings {
    const row = select.get({ botId, guildId })
    if (!row) return DEFAULT_SETTINGS
    const levelled = row.levelled === null ? null : row.levelled === 1
    const [stays, duplicates, fair] = [row.stays === 1, row.duplicates === 1, row.fair === 1]
    return {
      ...row,
      stays,
      duplicates,
      fair,
      levelled,
      screenshots: row.screenshots === 1,
      autoplay: row.autoplay === 1,
      permissions: JSON.parse(row.permissions),
      sponsorBlock: knownCategories(JSON.parse(row.sponsorBlock) as unknown[]),
    }
  }

  return {
    get,
    change: (botId, guildId, change) =>
      atomically(db, () => {
        const settings = { ...get(botId, guildId), ...change }
        const { stays, duplicates, fair, levelled, screenshots, autoplay } = settings
        const flags = {
          stays: stays ? 1 : 0,
          duplicates: duplicates ? 1 : 0,
          fair: fair ? 1 : 0,
          levelled: levelled === null ? null : Number(levelled),
          screenshots: screenshots ? 1 : 0,
          autoplay: autoplay ? 1 : 0,
          sponsorBlock: JSON.stringify(settings.sponsorBlock),
        }
        const permissions = JSON.stringify(settings.permissions)
        for (const id of siblings.all(botId)) upsert.run({ ...settings, ...flags, permissions, botId: id, guildId })
        return settings
      }),
    reset(botId, guildId) {
      atomically(db, () => remove.run(botId, guildId))
    },
  }
}
