import sql, { join, raw } from 'sql-template-tag'
import { knownCategories, type SegmentCategory } from '../../lib/music/segment-categories.ts'
import type { Store } from '../engine/store.ts'

/** The settings of a project's bots in one guild, as its members set them. */
export interface GuildSettings {
  /** Members who have it may do all to the player; null: managers of the server alone. */
  readonly djRoleId: string | null
  /** Rules for all other members, by permission. A missing permission has its default. */
  readonly permissions: Readonly<Record<string, string>>
  /** The part of the listeners, 0 to 1, that has to agree in a vote. */
  readonly voteRatio: number
  /** Whether the bot stays without listeners and with an empty queue. */
  readonly stays: boolean
  /** Volume of a new player in percent, 0 to 200. */
  readonly volume: number
  /** Channel of the now-playing card; null: the one where music was requested. */
  readonly announceChannelId: string | null
  /** Language of messages that everyone reads; null: the guild's language in Discord. */
  readonly language: string | null
  /** Whether a track may wait that waits or plays already. */
  readonly duplicates: boolean
  /** Whether members take turns in the queue. */
  readonly fair: boolean
  /** Limit on the waiting tracks of one member; null: no limit. */
  readonly mostPerMember: number | null
  /** Whether every track is played as loud as the others; null: as the service is configured. */
  readonly levelled: boolean | null
  /** Whether members may have websites shown. */
  readonly screenshots: boolean
  /** Areas of commands that are switched off. */
  readonly areasOff: readonly string[]
  /** Whether similar tracks play after the end of the queue. */
  readonly autoplay: boolean
  /** Categories of SponsorBlock to skip; empty: SponsorBlock is not queried. */
  readonly sponsorBlock: readonly SegmentCategory[]
  /** Length of the crossfade between consecutive tracks, 0 to 12,000; 0: no crossfade. */
  readonly crossfadeMs: number
  /** Length of the fade on skip, pause, seek and stop, 0 to 1,000; 0: no fade. */
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
  areasOff: [],
  autoplay: false,
  sponsorBlock: [],
  crossfadeMs: 0,
  fadeMs: 150,
}

/** New settings, or a function that derives them from the current ones. */
export type SettingsChange = Partial<GuildSettings> | ((now: GuildSettings) => Partial<GuildSettings>)

/** Announced, with the guild's id, when its settings change. */
export const SETTINGS_TOPIC = 'settings'

export type GuildSettingsRecords = ReturnType<typeof createGuildSettings>

type Flag = 'stays' | 'duplicates' | 'fair' | 'screenshots' | 'autoplay'
type Row = Omit<GuildSettings, Flag | 'levelled' | 'permissions' | 'areasOff' | 'sponsorBlock'> &
  Readonly<Record<Flag, 0 | 1>> & {
    readonly levelled: 0 | 1 | null
    readonly permissions: string
    readonly areasOff: string
    readonly sponsorBlock: string
  }

const COLUMNS: Readonly<Record<keyof GuildSettings, string>> = {
  djRoleId: 'dj_role_id',
  permissions: 'permissions',
  voteRatio: 'vote_ratio',
  stays: 'stays',
  volume: 'volume',
  announceChannelId: 'announce_channel_id',
  language: 'language',
  duplicates: 'duplicates',
  fair: 'fair',
  mostPerMember: 'most_per_member',
  levelled: 'levelled',
  screenshots: 'screenshots',
  areasOff: 'areas_off',
  autoplay: 'autoplay',
  sponsorBlock: 'sponsor_block',
  crossfadeMs: 'crossfade_ms',
  fadeMs: 'fade_ms',
}
const NAMES = Object.keys(COLUMNS) as (keyof GuildSettings)[]
const SELECTED = raw(NAMES.map((name) => `${COLUMNS[name]} AS "${name}"`).join(', '))
const INSERTED = raw(NAMES.map((name) => COLUMNS[name]).join(', '))
const REPLACED = raw(NAMES.map((name) => `${COLUMNS[name]} = excluded.${COLUMNS[name]}`).join(', '))

/** The bots of a project share what is set; one that is added later has it of the others. */
const siblings = (botId: string) =>
  sql`SELECT id FROM bot WHERE project_id = (SELECT project_id FROM bot WHERE id = ${botId})`

export function createGuildSettings(store: Store) {
  /** The defaults where nothing was set. */
  async function get(botId: string, guildId: string): Promise<GuildSettings> {
    const row = await store.find<Row>(sql`
      SELECT ${SELECTED} FROM guild_settings
       WHERE guild_id = ${guildId} AND bot_id IN (${siblings(botId)})
       ORDER BY CASE WHEN bot_id = ${botId} THEN 0 ELSE 1 END,
                (SELECT created_at_ms FROM bot WHERE id = bot_id), bot_id LIMIT 1`)
    return row ? toSettings(row) : DEFAULT_SETTINGS
  }

  return {
    get,
    /** Concurrent changes follow each other. @returns all settings as they are then. */
    change: (botId: string, guildId: string, change: SettingsChange): Promise<GuildSettings> =>
      store.atomically(async () => {
        const now = await get(botId, guildId)
        const settings = { ...now, ...(typeof change === 'function' ? change(now) : change) }
        const values = join(NAMES.map((name) => toValue(settings[name])))
        const bots = await store.all<{ readonly id: string }>(siblings(botId))
        if (bots.length === 0) return settings
        await store.run(sql`
          INSERT INTO guild_settings (bot_id, guild_id, ${INSERTED})
          VALUES ${join(bots.map(({ id }) => sql`(${id}, ${guildId}, ${values})`))}
          ON CONFLICT (bot_id, guild_id) DO UPDATE SET ${REPLACED}`)
        await store.announce(SETTINGS_TOPIC, guildId)
        return settings
      }),
    reset: (botId: string, guildId: string): Promise<void> =>
      store.atomically(async () => {
        await store.run(sql`DELETE FROM guild_settings WHERE bot_id IN (${siblings(botId)}) AND guild_id = ${guildId}`)
        await store.announce(SETTINGS_TOPIC, guildId)
      }),
  }
}

function toValue(value: GuildSettings[keyof GuildSettings]): string | number | null {
  if (typeof value === 'boolean') return value ? 1 : 0
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : value
}

function toSettings(row: Row): GuildSettings {
  return {
    ...row,
    stays: row.stays === 1,
    duplicates: row.duplicates === 1,
    fair: row.fair === 1,
    levelled: row.levelled === null ? null : row.levelled === 1,
    screenshots: row.screenshots === 1,
    autoplay: row.autoplay === 1,
    permissions: JSON.parse(row.permissions) as Record<string, string>,
    areasOff: JSON.parse(row.areasOff) as string[],
    sponsorBlock: knownCategories(JSON.parse(row.sponsorBlock) as unknown[]),
  }
}
