import type { Client } from 'discord.js'

/** Where a bot stands with Discord: `refused` is final, until it is added again with another token. */
export type BotState = 'connected' | 'connecting' | 'refused' | 'stopped'

/** A guild that a bot is in. */
export interface BotGuild {
  readonly id: string
  readonly name: string
  readonly members: number
}

export function guildsOf(client: Client | undefined): readonly BotGuild[] {
  const guilds = [...(client?.guilds.cache.values() ?? [])].filter(({ available }) => available)
  return guilds
    .map(({ id, name, memberCount }) => ({ id, name, members: memberCount }))
    .toSorted((a, b) => a.name.localeCompare(b.name))
}
