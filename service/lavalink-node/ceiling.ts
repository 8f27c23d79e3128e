import { Fault } from '../../lib/errors.ts'
import { PLANS } from '../../lib/plans.ts'
import type { NodeCaller } from '../../api/lavalink/http/node-keys.ts'
import type { PlayerCeiling } from '../../api/lavalink/players/player-ceiling.ts'
import { tenantOf } from './named-keys.ts'
import type { LavalinkSettings } from '../../api/lavalink/settings.ts'

/** Each key of the settings has a number of its own; the plan of its project bounds a key of a service. */
export function createNodeCeiling({
  keys,
  playersPerKey,
}: Pick<LavalinkSettings, 'keys' | 'playersPerKey'>): PlayerCeiling {
  const ceilings = new Map(keys.map((key) => [tenantOf(key), key.players ?? playersPerKey]))
  const counts = new Map<string, number>()

  return {
    acquire({ projectId, plan }: NodeCaller) {
      const ceiling = ceilings.get(projectId) ?? PLANS[plan].players
      const running = counts.get(projectId) ?? 0
      if (running >= ceiling) {
        throw new Fault('player_limit', `Player limit reached (${ceiling.toLocaleString('en')}).`)
      }
      counts.set(projectId, running + 1)
      let isHeld = true
      return () => {
        if (!isHeld) return
        isHeld = false
        const left = (counts.get(projectId) ?? 1) - 1
        if (left > 0) counts.set(projectId, left)
        else counts.delete(projectId)
      }
    },
  }
}
