import type { HealthCheck, Part, PartState } from '../api/site/health.ts'
import type { AudioNode } from '../bot/audio/node/protocol.ts'
import type { BotManager } from '../bot/discord/bot-manager.ts'
import type { WriteProblem } from '../db/engine/write-health.ts'
import type { WorkerHealth } from '../lib/workers/worker-health.ts'
import type { Repositories } from '../db/repositories.ts'
import type { Limits } from './limits.ts'

export interface Checked {
  readonly stores: Pick<Repositories, 'isAnswering' | 'storage'>
  readonly limits: Pick<Limits, 'isEnforced'>
  readonly bots: Pick<BotManager, 'counts'>
  readonly nodes: readonly Pick<AudioNode, 'isAlive'>[]
  readonly workers: () => readonly WorkerHealth[]
  readonly registration: { problem(): string | null }
  /** Null: the work is done elsewhere, or there is no Redis. */
  readonly renderer: { readonly isRunning: boolean } | null
}

/** The state of each part of the service, from what is known without asking anyone outside. */
export function healthOf({ stores, limits, bots, nodes, workers, renderer, registration }: Checked): HealthCheck {
  return () => {
    const alive = nodes.filter(({ isAlive }) => isAlive).length
    return [
      part('database', stores.isAnswering() ? 'ok' : 'down', 'No key can be looked up.'),
      storagePart(stores.storage.problem()),
      part('limits', limits.isEnforced() ? 'ok' : 'degraded', 'Redis is away: requests are not limited, jobs wait.'),
      part('audio', alive === nodes.length ? 'ok' : 'degraded', `${nodes.length - alive} audio threads are away.`),
      botsPart(bots.counts()),
      ...registrationPart(registration.problem()),
      ...workers().flatMap(workerPart),
      ...(renderer ? [part('renderer', renderer.isRunning ? 'ok' : 'degraded', 'It is being started again.')] : []),
    ]
  }
}

/** Music keeps playing while the disk is full; what is written to a folder that was moved away is lost. */
function storagePart(problem: WriteProblem | null): Part {
  return part('storage', problem ? (problem.reason === 'moved' ? 'down' : 'degraded') : 'ok', problem?.message ?? '')
}

function botsPart({ bots, connectedBots, unreadableBots }: ReturnType<BotManager['counts']>): Part {
  const unsealed = `The tokens of ${unreadableBots} cannot be read: TOKEN_KEY or token.key is not what sealed them.`
  const away = `${bots - connectedBots} of ${bots} bots are not connected.`
  const note = unreadableBots > 0 ? `${away} ${unsealed}` : away
  return part('bots', connectedBots === bots ? 'ok' : 'degraded', note)
}

/** Only while the bot of DISCORD_TOKEN is not registered, and the counts know nothing of it. */
function registrationPart(problem: string | null): readonly Part[] {
  return problem === null ? [] : [part('registration', 'degraded', `DISCORD_TOKEN: ${problem}`)]
}

/** Audio threads have a part of their own. */
function workerPart({ name, state, busy }: WorkerHealth): readonly Part[] {
  if (busy === null) return []
  return [part(name, state === 'hung' ? 'degraded' : 'ok', `It hangs with ${busy} tasks and is about to be replaced.`)]
}

function part(name: string, state: PartState, note: string): Part {
  return state === 'ok' ? { name, state } : { name, state, note }
}

interface Workers {
  readonly nodes: readonly Pick<AudioNode, 'id' | 'isAlive' | 'onRestarted'>[]
  /** Everything else that runs a thread or a child process. */
  readonly others: readonly { health(): WorkerHealth | readonly WorkerHealth[] }[]
}

/** The state of each thread and child process of the service, for `/readyz` and `/metrics`. */
export function watchWorkers({ nodes, others }: Workers): () => readonly WorkerHealth[] {
  const restarts = new Map<string, number>(nodes.map(({ id }) => [id, 0]))
  for (const node of nodes) node.onRestarted(() => restarts.set(node.id, (restarts.get(node.id) ?? 0) + 1))
  const audio = ({ id, isAlive }: Pick<AudioNode, 'id' | 'isAlive'>): WorkerHealth => ({
    name: id,
    state: isAlive ? 'running' : 'hung',
    busy: null,
    restarts: restarts.get(id) ?? 0,
    quarantined: 0,
  })
  return () => [...nodes.map(audio), ...others.flatMap((other) => other.health())]
}
