import { Fault } from '../lib/errors.ts'
import type { Release } from '../lib/sharing/fair-share.ts'

/** Counts the players of projects against their plan's limit. */
export type PlayerCeiling = ReturnType<typeof createPlayerCeiling>

interface Counted {
  /** Players of all our own bots. */
  readonly ownPlayers: () => Iterable<{ readonly projectId: string }>
  /** Number of players that other services run. */
  readonly countElsewhere: (projectId: string) => number
}

export function createPlayerCeiling({ ownPlayers, countElsewhere }: Counted) {
  const reserved = new Map<string, number>()

  /** The same of this service, by project; without those that have none. */
  function countHere(): ReadonlyMap<string, number> {
    const counts = new Map(reserved)
    for (const { projectId } of ownPlayers()) counts.set(projectId, (counts.get(projectId) ?? 0) + 1)
    return counts
  }

  /** The same count for this service alone, by project, without projects that have no player. */
  function count(projectId: string): number {
    return (countHere().get(projectId) ?? 0) + countElsewhere(projectId)
  }

  /** @throws {Fault} `player_limit` when the project has no room for one more. */
  function assertRoom(projectId: string, ceiling: number): void {
    const running = count(projectId)
    if (running < ceiling) return
    throw new Fault(
      'player_limit',
      `Player limit reached (${ceiling.toLocaleString('en')}). Close a player, or change the project's plan.`,
    )
  }

  function release(projectId: string): void {
    const left = (reserved.get(projectId) ?? 0) - 1
    if (left > 0) reserved.set(projectId, left)
    else reserved.delete(projectId)
  }

  return {
    assertRoom,
    /**
     * Counts a player of a bot that runs elsewhere until it is released.
     * @throws {Fault} `player_limit`
     */
    reserve(projectId: string, ceiling: number): Release {
      assertRoom(projectId, ceiling)
      reserved.set(projectId, (reserved.get(projectId) ?? 0) + 1)
      let isHeld = true
      return () => {
        if (isHeld) release(projectId)
        isHeld = false
      }
    },
    count,
    countHere,
  }
}
