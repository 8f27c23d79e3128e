import { createFaultyPath, type FaultyPath, type UdpFaults } from './faults.ts'

type Direction = 'in' | 'out'

/** The faults of all guilds. Where no one set any, a packet costs one comparison. */
export type Network = ReturnType<typeof createNetwork>

const EVERYWHERE = '*'

export function createNetwork(random: () => number) {
  const paths = new Map<string, FaultyPath>()

  function setOne(place: string, direction: Direction, faults: UdpFaults): void {
    const key = `${direction}:${place}`
    const path = paths.get(key) ?? createFaultyPath(random)
    paths.set(key, path)
    const applies = (faults.direction ?? 'both') === 'both' || faults.direction === direction
    path.set(applies ? faults : {})
  }

  function find(guildId: string, direction: Direction): FaultyPath | undefined {
    const own = paths.get(`${direction}:${guildId}`)
    return own?.isTroubled ? own : paths.get(`${direction}:${EVERYWHERE}`)
  }

  return {
    pass(guildId: string, direction: Direction, deliver: () => void) {
      const path = paths.size === 0 ? undefined : find(guildId, direction)
      if (path) path.pass(deliver)
      else deliver()
    },
    /** Replaces the faults of one guild, or with null those of all guilds that have none of their own. */
    set(guildId: string | null, faults: UdpFaults) {
      setOne(guildId ?? EVERYWHERE, 'in', faults)
      setOne(guildId ?? EVERYWHERE, 'out', faults)
    },
    close() {
      for (const path of paths.values()) path.close()
      paths.clear()
    },
  }
}
