import type { Here, Message } from './messages.ts'

/** Another service of this installation, as it last told of itself. */
interface Peer {
  here: Pick<Here, 'baseUrl' | 'players' | 'botsByProject'> & {
    readonly bots: ReadonlySet<string>
  }
  heardAtMs: number
  /** Of its last message: a repeated one was sent by a third party. */
  seq: number
}

/** The other services that are there now. */
export interface ClusterRegistry {
  readonly size: number
  /** @returns whether the message is a new one. */
  merge(message: Message): boolean
  /** The address of the service that runs a bot; null if none is known to. */
  runs(botId: string): string | null
  botsOf(projectId: string): readonly string[]
  players(projectId: string): number
  /** Forgets those that are silent. */
  prune(): void
}

/** Who was silent for this long is gone: three times what passes between two words. */
const SILENT_MS = 10_000
/** More than an installation has; others with the signing key must not fill the memory. */
const MOST = 200

const NOTHING: Peer['here'] = { baseUrl: '', players: {}, botsByProject: {}, bots: new Set() }

/** @param now a monotonic clock. */
export function createClusterRegistry(now: () => number = () => performance.now()): ClusterRegistry {
  const peers = new Map<string, Peer>()

  return {
    get size() {
      return [...peers.values()].filter(({ here }) => here !== NOTHING).length
    },
    merge(message) {
      const { from, seq } = message
      const peer = peers.get(from) ?? { here: NOTHING, heardAtMs: 0, seq: 0 }
      if (seq <= peer.seq || (!peers.has(from) && peers.size >= MOST)) return false
      peer.seq = seq
      peer.heardAtMs = now()
      // One that left is kept until it is forgotten, so that nothing of it is announced again.
      if (message.type === 'gone') peer.here = NOTHING
      if (message.type === 'here') {
        const { baseUrl, players, botsByProject, bots } = message
        peer.here = { baseUrl, players, botsByProject, bots: new Set(bots) }
      }
      peers.set(from, peer)
      return true
    },
    runs: (botId) => [...peers.values()].find(({ here }) => here.bots.has(botId))?.here.baseUrl ?? null,
    botsOf: (projectId) => [...peers.values()].flatMap(({ here }) => here.botsByProject[projectId] ?? []),
    players: (projectId) => [...peers.values()].reduce((sum, { here }) => sum + (here.players[projectId] ?? 0), 0),
    prune() {
      const bound = now() - SILENT_MS
      for (const [id, { heardAtMs }] of peers) if (heardAtMs < bound) peers.delete(id)
    },
  }
}
