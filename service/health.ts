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
  /** Null: the work is done elsewhere, or there is no Redis. */
  readonly renderer: { readonly isRunning: boolean } | null
}

/** The state of each part of the service, from what is known without asking anyone outside. */
export function healthOf({ stores, limits, bots, nodes, workers, renderer }: Checked): HealthCheck {
  return () => {
    const alive = nodes.filter(({ isAlive }) => isAlive).length
    return [
      part('database', stores.isAnswering() ? 'ok' : 'down', 'No key can be looked up.'),
      storagePart(stores.storage.problem()),
      part('limits', limits.isEnforced() ? 'ok' : 'degraded', 'Redis is away: requests are not limited, jobs wait.'),
      part('audio', alive === nodes.length ? 'ok' : 'degraded', `${nodes.length - alive} audio threads are away.`),
      botsPart(bots.counts()),
      ...workers().flatMap(workerPart),
      ...(renderer ? [part('renderer', renderer.isRunning ? 'ok' : 'degraded', 'It is being started again.')] : []),
    ]
  }
}

/** Music goes on while the disk is full; what is written to a folder that was moved away is lost. */
function storagePart(problem: WriteProblem | null): Part {
  return part('storage', problem ? (problem.reason === 'moved' ? 'down' : 'degraded') : 'ok', problem?.message ?? '')
}

function botsPart({ bots, connectedBots, unreadableBots }: ReturnType<BotManager['counts']>): Part {
  const unsealed = `The tokens of ${unreadableBots} cannot be read: TOKEN_KEY or token.key is not what sealed them.`
  const away = `${bots - connectedBots} of ${bots} bots are not connected.`
  const note = unreadableBots > 0 ? `${away} ${unsealed}` : away
  return part('bots', connectedBots === bots ? 'ok' : 'degraded', note)
}

/** Audio threads have a part of their own. */
function workerPart({ name, state, busy }: WorkerHealth): readonly Part[] {
  if (busy === null) return []
  return [part(name, state === 'hung' ? 'degraded' : 'ok', `It hangs with ${busy} tasks and is about to be replaced.`)]
}

function part(name: string, state: PartState, note: string): Part {
  return state === 'ok' ? { name, state } : { name, state, note }
}
