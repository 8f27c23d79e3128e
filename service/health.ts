import { audioPart, part, workerParts, type HealthCheck, type ServicePart } from '../api/site/health.ts'
import type { AudioNode } from '../bot/audio/node/protocol.ts'
import type { Renderer, RendererState } from '../jobs/worker/renderer-process.ts'
import type { BotManager } from '../bot/discord/bot-manager.ts'
import type { OpenPeerLink } from './cluster/forwarding/peer-link.ts'
import type { WriteProblem } from '../db/engine/write-health.ts'
import type { WorkerHealth } from '../lib/workers/worker-health.ts'
import type { Repositories } from '../db/repositories.ts'
import type { Departure } from './cluster/departure.ts'
import type { Limits } from './limits.ts'
import { counted } from '../lib/text.ts'

interface Checked {
  readonly stores: Pick<Repositories, 'isAnswering' | 'storage'>
  readonly limits: Pick<Limits, 'isEnforced'>
  readonly bots: Pick<BotManager, 'counts'>
  readonly nodes: readonly Pick<AudioNode, 'isAlive' | 'isAsleep'>[]
  readonly workers: () => readonly WorkerHealth[]
  readonly registration: { problem(): string | null }
  /** Null: there are no other services. */
  readonly peers: Pick<OpenPeerLink, 'problem'> | null
  readonly departure: Pick<Departure, 'isLeaving'>
  /** Null without Redis, or if other processes run the jobs. */
  readonly renderer: Pick<Renderer, 'state'> | null
}

/** The state of each part of the service, from what is known without asking anyone outside. */
export function healthOf({
  stores,
  limits,
  bots,
  nodes,
  workers,
  renderer,
  registration,
  departure,
  peers,
}: Checked): HealthCheck {
  return () => [
    ...(departure.isLeaving() ? [part('service', 'down', 'It is handing its bots over to the other services.')] : []),
    part('database', stores.isAnswering() ? 'ok' : 'down', "The database doesn't respond, so no key works."),
    storagePart(stores.storage.problem()),
    part(
      'limits',
      limits.isEnforced() ? 'ok' : 'degraded',
      'Redis is down, so there are no rate limits, and jobs wait.',
    ),
    ...(peers ? [part('services', peers.problem() === null ? 'ok' : 'degraded', peers.problem() ?? '')] : []),
    audioPart(nodes),
    botsPart(bots.counts()),
    ...registrationPart(registration.problem()),
    ...workerParts(workers()),
    ...(renderer ? [rendererPart(renderer.state())] : []),
  ]
}

function rendererPart(state: RendererState): ServicePart {
  if (state === 'asleep') return { name: 'renderer', state, note: 'It starts with the next job.' }
  return part('renderer', state === 'restarting' ? 'degraded' : 'ok', 'The renderer crashed and is restarting.')
}

/** Music keeps playing while the disk is full; what is written to a folder that was moved away is lost. */
function storagePart(problem: WriteProblem | null): ServicePart {
  return part('storage', problem ? (problem.reason === 'moved' ? 'down' : 'degraded') : 'ok', problem?.message ?? '')
}

function botsPart(counts: ReturnType<BotManager['counts']>): ServicePart {
  const { bots, connectedBots, unansweredBots, unreadableBots, restoringPlayers, restoredPlayers } = counts
  const unsealed = `Tokens that can't be decrypted: ${unreadableBots}. Restore their TOKEN_KEY or token.key.`
  const away = `${bots - connectedBots} of ${counted(bots, 'bot')} offline.`
  const note = unreadableBots > 0 ? `${away} ${unsealed}` : away
  if (connectedBots < bots) return part('bots', 'degraded', note)
  if (unansweredBots > 0)
    return part('bots', 'degraded', `Discord doesn't respond to ${unansweredBots} of ${counted(bots, 'bot')}.`)
  if (restoringPlayers === 0) return part('bots', 'ok', '')
  const of = restoringPlayers + restoredPlayers
  return { name: 'bots', state: 'ok', note: `${restoredPlayers} of ${counted(of, 'player')} restored since the start.` }
}

/** Only while the bot of DISCORD_TOKEN is not registered, and the counts know nothing of it. */
function registrationPart(problem: string | null): readonly ServicePart[] {
  return problem === null ? [] : [part('registration', 'degraded', `DISCORD_TOKEN: ${problem}`)]
}
