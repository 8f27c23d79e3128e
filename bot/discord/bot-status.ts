import type { Client, Guild } from 'discord.js'

/**
 * The state of a bot at Discord: `refused` is final, until it is added again with another token. `unreadable`: its token
 * was sealed with another key than the service has.
 */
export type BotState = 'connected' | 'connecting' | 'refused' | 'unreadable' | 'stopped'

export interface BotGuild {
  readonly id: string
  readonly name: string
  readonly members: number
  /** The guild's voice channels, stages too, in Discord's order. */
  readonly channels: readonly { readonly id: string; readonly name: string }[]
}

export function guildsOf(client: Client | undefined): readonly BotGuild[] {
  const guilds = [...(client?.guilds.cache.values() ?? [])].filter(({ available }) => available)
  return guilds
    .map((guild) => ({ id: guild.id, name: guild.name, members: guild.memberCount, channels: voiceChannels(guild) }))
    .toSorted((a, b) => a.name.localeCompare(b.name))
}

function voiceChannels(guild: Guild): BotGuild['channels'] {
  const all = [...guild.channels.cache.values()].filter((channel) => channel.isVoiceBased())
  return all.toSorted((a, b) => a.rawPosition - b.rawPosition).map(({ id, name }) => ({ id, name }))
}
