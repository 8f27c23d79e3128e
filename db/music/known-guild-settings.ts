import { LRUCache } from 'lru-cache'
import type { GuildSettings, GuildSettingsRecords } from './guild-settings.ts'
import { DEFAULT_SETTINGS } from './guild-settings.ts'

/** Guild settings in memory: commands and players read them all the time. */
export interface KnownGuildSettings extends GuildSettingsRecords {
  /** As they were read last, for those who cannot wait; the defaults if `get` has not read them. */
  known(botId: string, guildId: string): GuildSettings
}

interface Known {
  readonly settings: GuildSettings
  isCurrent: boolean
}

/** Some 20 MB where each of them is set. */
const MOST_GUILDS = 20_000

export interface KnownGuildSettingsOptions {
  readonly records: GuildSettingsRecords
  /** Calls when another process has changed the settings of a guild; null: perhaps those of any. */
  readonly subscribe: (listener: (guildId: string | null) => void) => void
}

export function createKnownGuildSettings({ records, subscribe }: KnownGuildSettingsOptions): KnownGuildSettings {
  /** By guild, then by bot. */
  const guilds = new LRUCache<string, Map<string, Known>>({ max: MOST_GUILDS })
  const reading = new Map<string, Promise<GuildSettings>>()
  let changes = 0

  function remember(botId: string, guildId: string, known: Known): GuildSettings {
    const bots = guilds.get(guildId) ?? new Map<string, Known>()
    bots.set(botId, known)
    guilds.set(guildId, bots)
    return known.settings
  }

  async function read(botId: string, guildId: string): Promise<GuildSettings> {
    const before = changes
    const settings = await records.get(botId, guildId)
    return remember(botId, guildId, { settings, isCurrent: changes === before })
  }

  function readOnce(botId: string, guildId: string): Promise<GuildSettings> {
    const key = `${botId} ${guildId}`
    const underway = reading.get(key) ?? read(botId, guildId).finally(() => reading.delete(key))
    reading.set(key, underway)
    return underway
  }

  function outdate(guildId: string | null): void {
    changes += 1
    const outdated = guildId === null ? [...guilds.values()] : [guilds.get(guildId) ?? new Map<string, Known>()]
    for (const bots of outdated) for (const known of bots.values()) known.isCurrent = false
  }

  /** Bots of a project share what is set. */
  async function readAgain(guildId: string, changedBy: string): Promise<void> {
    outdate(guildId)
    const botIds = new Set([changedBy, ...(guilds.get(guildId)?.keys() ?? [])])
    await Promise.all([...botIds].map((botId) => read(botId, guildId)))
  }

  subscribe(outdate)
  return {
    async get(botId, guildId) {
      const known = guilds.get(guildId)?.get(botId)
      return known?.isCurrent ? known.settings : readOnce(botId, guildId)
    },
    known: (botId, guildId) => guilds.get(guildId)?.get(botId)?.settings ?? DEFAULT_SETTINGS,
    async change(botId, guildId, change) {
      const settings = await records.change(botId, guildId, change)
      await readAgain(guildId, botId)
      return settings
    },
    async reset(botId, guildId) {
      await records.reset(botId, guildId)
      await readAgain(guildId, botId)
    },
  }
}
