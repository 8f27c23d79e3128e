/** Who wants the current track of a player to be skipped. */
export interface Votes {
  /** Counts a vote. @returns how many of those present have voted for it. */
  cast(player: string, userId: string, present: readonly string[]): number
  /** Another track plays. */
  forget(player: string): void
}

export function createVotes(): Votes {
  const votes = new Map<string, Set<string>>()
  return {
    cast(player, userId, present) {
      const mine = votes.get(player) ?? new Set()
      votes.set(player, mine.add(userId))
      return present.filter((id) => mine.has(id)).length
    },
    forget: (player) => void votes.delete(player),
  }
}

export function playerKey({ botId }: { readonly botId: string }, guildId: string): string {
  return `${botId} ${guildId}`
}
