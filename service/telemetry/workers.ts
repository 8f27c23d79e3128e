import type { AudioNode } from '../../bot/audio/node/protocol.ts'
import type { WorkerHealth } from '../../lib/workers/worker-health.ts'

interface Workers {
  readonly nodes: readonly Pick<AudioNode, 'id' | 'isAlive' | 'isAsleep' | 'onRestarted'>[]
  /** Everything else that runs a thread or a child process. */
  readonly others: readonly { health(): WorkerHealth | readonly WorkerHealth[] }[]
}

/** The state of each thread and child process of this process, for `/readyz` and `/metrics`. */
export function watchWorkers({ nodes, others }: Workers): () => readonly WorkerHealth[] {
  const restarts = new Map<string, number>(nodes.map(({ id }) => [id, 0]))
  for (const node of nodes) node.onRestarted(() => restarts.set(node.id, (restarts.get(node.id) ?? 0) + 1))
  const audio = ({ id, isAlive, isAsleep }: Pick<AudioNode, 'id' | 'isAlive' | 'isAsleep'>): WorkerHealth => ({
    name: id,
    state: isAsleep ? 'idle' : isAlive ? 'running' : 'hung',
    busy: null,
    restarts: restarts.get(id) ?? 0,
    quarantined: 0,
  })
  return () => [...nodes.map(audio), ...others.flatMap((other) => other.health())]
}
