import { createLru } from '../../lib/sharing/lru.ts'
import { type GuildSettings, type GuildSettingsRecords, DEFAULT_SETTINGS } from './guild-settings.ts'

/** Guild settings in memory: commands and players read them all the time. */
export interface KnownGuildSettings extends GuildSettingsRecords {
  /** The settings as last read, for callers that cannot wait; the defaults if `get` has not read them. */
  known(botId: string, guildId: string): GuildSettings
}

interface Known {
  readonly settings: GuildSettings
  isCurrent: boolean
}

/** Some 20 MB where each of them is set. */
const MOST_GUILDS = 20_000

/** @param subscribe calls when another process has changed the settings of a guild; null: perhaps those of any. */
export function createKnownGuildSettings(
  records: GuildSettingsRecords,
  subscribe: (listener: (guildId: string | null) => void) => void,
): KnownGuildSettings {
  const memory = new GuildSettingsMemory(records)
  subscribe((guildId) => memory.outdate(guildId))
  return {
    get: (botId, guildId) => memory.get(botId, guildId),
    known: (botId, guildId) => memory.known(botId, guildId),
    async change(botId, guildId, change) {
      const settings = await records.change(botId, guildId, change)
      await memory.readAgain(guildId, botId)
      return settings
    },
    async reset(botId, guildId) {
      await records.reset(botId, guildId)
      await memory.readAgain(guildId, botId)
    },
  }
}

class GuildSettingsMemory {
  readonly #records: Pick<GuildSettingsRecords, 'get'>
  /** Guild → bot → settings. */
  readonly #guilds = createLru<string, Map<string, Known>>(MOST_GUILDS)
  readonly #reading = new Map<string, Promise<GuildSettings>>()
  #changes = 0

  constructor(records: Pick<GuildSettingsRecords, 'get'>) {
    this.#records = records
  }

  async get(botId: string, guildId: string): Promise<GuildSettings> {
    const known = this.#guilds.get(guildId)?.get(botId)
    return known?.isCurrent ? known.settings : this.#readOnce(botId, guildId)
  }

  known(botId: string, guildId: string): GuildSettings {
    const known = this.#guilds.get(guildId)?.get(botId)
    // The next look at them sees what another process has set.
    if (known && !known.isCurrent) this.#readInBackground(botId, guildId)
    return known?.settings ?? DEFAULT_SETTINGS
  }

  /** Another process may have changed them: those of one guild, or with null of any. */
  outdate(guildId: string | null): void {
    this.#changes += 1
    const outdated = guildId === null ? [...this.#guilds.values()] : [this.#guilds.get(guildId)]
    for (const bots of outdated) for (const known of bots?.values() ?? []) known.isCurrent = false
    if (guildId === null) return
    for (const botId of this.#guilds.get(guildId)?.keys() ?? []) this.#readInBackground(botId, guildId)
  }

  /** Bots of a project share what is set. */
  async readAgain(guildId: string, changedBy: string): Promise<void> {
    this.#changes += 1
    const botIds = new Set([changedBy, ...(this.#guilds.get(guildId)?.keys() ?? [])])
    await Promise.all([...botIds].map((botId) => this.#read(botId, guildId)))
  }

  #readInBackground(botId: string, guildId: string): void {
    // If the database does not answer, the known settings stay.
    this.#readOnce(botId, guildId).catch(() => undefined)
  }

  #readOnce(botId: string, guildId: string): Promise<GuildSettings> {
    const key = `${botId} ${guildId}`
    const underway = this.#reading.get(key) ?? this.#read(botId, guildId).finally(() => this.#reading.delete(key))
    this.#reading.set(key, underway)
    return underway
  }

  async #read(botId: string, guildId: string): Promise<GuildSettings> {
    const before = this.#changes
    const settings = await this.#records.get(botId, guildId)
    const bots = this.#guilds.get(guildId) ?? new Map<string, Known>()
    bots.set(botId, { settings, isCurrent: this.#changes === before })
    this.#guilds.set(guildId, bots)
    return settings
  }
}
