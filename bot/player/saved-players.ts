import type { SavedPlayer, PlayerStates } from '../../db/music/players.ts'
import type { Logger } from '../../lib/log.ts'

/**
 * What is saved of players. One that could not be removed, since the database was locked, is gone all the same for
 * every listing, and is removed as soon as that works.
 */
export interface SavedPlayers extends PlayerStates {
  /** Never throws. @returns whether that is saved. */
  remove(projectId: string, botId: string, guildId: string): boolean
  /** Removes what could not be removed before. */
  removeMissed(): void
}

type PlayerKey = Pick<SavedPlayer, 'projectId' | 'botId' | 'guildId'>

export function createSavedPlayers(states: PlayerStates, log: Logger): SavedPlayers {
  const missed = new Map<string, PlayerKey>()

  function remove(place: PlayerKey): boolean {
    const { projectId, botId, guildId } = place
    const key = keyOf(place)
    try {
      states.remove(projectId, botId, guildId)
      missed.delete(key)
      return true
    } catch (err) {
      if (!missed.has(key)) log.error({ err, botId, guildId }, 'saved player not removed')
      missed.set(key, { projectId, botId, guildId })
      return false
    }
  }

  return {
    assertWritable: () => states.assertWritable(),
    save(state) {
      states.save(state)
      missed.delete(keyOf(state))
    },
    savePositions: (positions) => states.savePositions(positions),
    list: (projectId, botId) => states.list(projectId, botId).filter((state) => !missed.has(keyOf(state))),
    remove: (projectId, botId, guildId) => remove({ projectId, botId, guildId }),
    removeMissed() {
      for (const place of missed.values()) remove(place)
    },
  }
}

function keyOf({ botId, guildId }: PlayerKey): string {
  return `${botId} ${guildId}`
}
