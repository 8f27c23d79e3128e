import type { BotGroup, OccupiedBot } from './bot-selection.ts'
import type { BotGuild } from './discord/bot-status.ts'
import type { GuildPlayer } from './player/player-info.ts'

/** Reads bots whose shards other services run. */
export interface PeerReads {
  /** @throws {Fault} `service_unavailable` if a shard has no owner, or its owner does not answer. */
  playersOf(group: Pick<BotGroup, 'projectId' | 'botIds'>): Promise<readonly GuildPlayer[]>
  /** Guilds known now, the first ones by name if there are very many. Never rejects. */
  guildsOf(botId: string): Promise<{ readonly count: number; readonly guilds: readonly BotGuild[] }>
  /** The bots that play in a guild, or are about to join a channel of it. Throws as `playersOf`. */
  occupied(group: Pick<BotGroup, 'projectId' | 'botIds'>, guildId: string): Promise<readonly OccupiedBot[]>
}

/** There are no others. */
export const noPeers: PeerReads = {
  playersOf: async () => [],
  guildsOf: async () => ({ count: 0, guilds: [] }),
  occupied: async () => [],
}
