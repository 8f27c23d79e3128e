import type { PlayerRef } from './audio/node/protocol.ts'

/** The key by which maps hold what belongs to one bot in one guild. */
export function guildKey({ botId, guildId }: PlayerRef): string {
  return `${botId} ${guildId}`
}
