import { Counter, type Registry } from 'prom-client'
import { collectMetrics, type Reading } from './scrape-metrics.ts'

/** Open sessions and players of the Lavalink node's clients. */
interface LavalinkCounts {
  readonly sessions: number
  /** Sessions that wait for their client to come back. */
  readonly waiting: number
  readonly players: number
  readonly playingPlayers: number
}

/** Registers what is read from the Lavalink node at each collection. */
export function collectLavalink(registry: Registry, lavalink: { counts(): LavalinkCounts }): void {
  collectMetrics(registry, () => lavalink.counts(), LAVALINK)
}

const LAVALINK: readonly Reading<LavalinkCounts>[] = [
  { name: 'lavalink_sessions', help: 'Sessions of Lavalink clients.', of: ({ sessions }) => sessions },
  {
    name: 'lavalink_sessions_waiting',
    help: 'Sessions of Lavalink clients that lost their socket and can be resumed.',
    of: ({ waiting }) => waiting,
  },
  { name: 'lavalink_players', help: 'Players of Lavalink clients.', of: ({ players }) => players },
  {
    name: 'lavalink_players_playing',
    help: 'Players of Lavalink clients that are playing.',
    of: ({ playingPlayers }) => playingPlayers,
  },
]

interface TrackLoader {
  load(...request: never[]): Promise<{ readonly loadType: string }>
}

/** The same tracks, whose loads are counted by what came of them. */
export function countLoads<Tracks extends TrackLoader>(registry: Registry, tracks: Tracks): Tracks {
  const loads = new Counter({
    name: 'bandstand_lavalink_loads_total',
    help: 'Searches and links of Lavalink clients, by result.',
    labelNames: ['type'],
    registers: [registry],
  })
  return {
    ...tracks,
    async load(...request: never[]) {
      const result = await tracks.load(...request)
      loads.inc({ type: result.loadType })
      return result
    },
  }
}
