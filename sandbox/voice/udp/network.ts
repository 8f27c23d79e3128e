import { createFaultyPath, type FaultyPath, type UdpFaults } from './faults.ts'

type Direction = 'in' | 'out'

/** The faults of all guilds. Where no one set any, a packet costs one comparison. */
export interface Network {
  pass(guildId: string, direction: Direction, deliver: () => void): void
  /** Replaces the faults of one guild, or with null those of all guilds that have none of their own. */
  set(guildId: string | null, faults: UdpFaults): void
  /** The faults that were set for a guild itself. */
  get(guildId: string): UdpFaults
  close(): void
}

const EVERYWHERE = '*'

export function createNetwork(random: () => number): Network {
  const paths = new Map<string, FaultyPath>()
  const given = new Map<string, UdpFaults>()

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
    pass(guildId, direction, deliver) {
      const path = paths.size === 0 ? undefined : find(guildId, direction)
      if (path) path.pass(deliver)
      else deliver()
    },
    get: (guildId) => given.get(guildId) ?? {},
    set(guildId, faults) {
      if (guildId !== null) given.set(guildId, faults)
      setOne(guildId ?? EVERYWHERE, 'in', faults)
      setOne(guildId ?? EVERYWHERE, 'out', faults)
    },
    close() {
      for (const path of paths.values()) path.close()
      paths.clear()
    },
  }
}
