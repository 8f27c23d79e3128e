import type { SavedPlayer, PlayerStates } from '../../db/music/players.ts'
import type { Logger } from '../../lib/log.ts'
import { guildKey } from '../guild-key.ts'

/**
 * What is saved of players. One that could not be removed, since the database was locked, is gone all the same for
 * every listing, and is removed as soon as that works.
 */
export interface SavedPlayers extends PlayerStates {
  /** Never throws. @returns whether that is saved. */
  remove(projectId: string, botId: string, guildId: string): boolean
  /**
   * Calls with each player that is saved or removed: nearly all that changes of one is saved.
   * @returns a function that ends the subscription.
   */
  subscribe(listener: (player: SavedPlayerRef) => void): () => void
  /** Removes what could not be removed before. */
  removeMissed(): void
}

type SavedPlayerRef = Pick<SavedPlayer, 'botId' | 'guildId'>
type PlayerKey = Pick<SavedPlayer, 'projectId' | 'botId' | 'guildId'>

export function createSavedPlayers(states: PlayerStates, log: Logger): SavedPlayers {
  const missed = new Map<string, PlayerKey>()
  const listeners = new Set<(player: SavedPlayerRef) => void>()
  const onChange = (player: SavedPlayerRef) => listeners.forEach((listener) => listener(player))

  function remove(place: PlayerKey): boolean {
    const { projectId, botId, guildId } = place
    const key = guildKey(place)
    try {
      states.remove(projectId, botId, guildId)
      missed.delete(key)
      return true
    } catch (err) {
      if (!missed.has(key)) log.error({ err, botId, guildId }, 'removing saved player failed')
      missed.set(key, { projectId, botId, guildId })
      return false
    }
  }

  return {
    assertWritable: () => states.assertWritable(),
    save(state) {
      onChange(state)
      states.save(state)
      missed.delete(guildKey(state))
    },
    savePositions: (positions) => states.savePositions(positions),
    list: (projectId, botId) => states.list(projectId, botId).filter((state) => !missed.has(guildKey(state))),
    remove(projectId, botId, guildId) {
      onChange({ botId, guildId })
      return remove({ projectId, botId, guildId })
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    removeMissed() {
      for (const place of missed.values()) remove(place)
    },
  }
}
