import type { Logger } from '../../lib/log.ts'
import type { Attached, Interactions } from '../commands/interactions/interactions.ts'
import type { BotStopReason, EventBus } from '../events.ts'
import type { Player } from '../player/player.ts'
import type { Players } from '../player/player-registry.ts'
import type { SessionRestore } from '../player/restore/session-restore.ts'
import type { Clock } from '../player/timers.ts'
import type { Gateway } from './gateway.ts'
import type { Reconciler } from './reconciler.ts'
import type { BotShards } from './shards/bot-shards.ts'
import type { ShardDirectory } from './shards/shard-directory.ts'

export interface BotOptions {
  readonly id: string
  readonly projectId: string
  readonly token: string
  /** Base URL of Discord's REST interface, without the version. */
  readonly apiUrl: string
  /** Base URL of its pictures. Defaults to Discord's CDN. */
  readonly cdnUrl: string | null
  readonly players: Players
  readonly directory: Pick<ShardDirectory, 'join' | 'isShared'>
  /** Writes what waits to be saved of players. Never rejects. */
  flushSaves(): Promise<void>
  readonly sessionRestore: SessionRestore
  readonly interactions: Interactions
  readonly events: EventBus
  readonly clock: Clock
  readonly log: Logger
  /** Drops the bot's voice connections on all nodes, since its gateway is gone for good. */
  dropVoice(): void
}

const CONNECT_PATIENCE_MS = 3000

export interface Session {
  readonly options: BotOptions
  readonly shards: BotShards
  /** Other services run all of its shards. */
  isStandby: boolean
  /** Shards whose guilds were all known once, and those that are being handed over. */
  readonly seenShards: Set<number>
  readonly leavingShards: Set<number>
  /** Shards whose saved players are being restored, with the number of restores under way. */
  readonly restoringShards: Map<number, number>
  /** The number of shards has changed: it logs in again. */
  recount: PromiseWithResolvers<void>
  gateway: Gateway | null
  /** Interactions of members with the bot in the present session. */
  attached: Attached | null
  reconciler: Reconciler | null
  /** Whether the present gateway has been connected once. */
  isEstablished: boolean
  /** Whether `botStopped` was the last event of the bot. */
  isStopReported: boolean
  /** Discord said that the token is void. */
  isRefused: boolean
  /** Discord rejected a login with the Message Content intent. */
  isIntentRefused: boolean
  /** Logins that failed since the last one that did not. */
  failures: number
  readonly stop: PromiseWithResolvers<void>
  isStopping: boolean
  cancelOutage: () => void
  /** Called whenever the bot is connected again. */
  readonly waiting: Set<() => void>
}

export function isUp({ gateway, isStopping }: Session): boolean {
  return !isStopping && (gateway?.isConnected ?? false)
}

/** One of its connections works: as a rule the only one. While another is away the bot is not said to be back. */
export function connected(session: Session): void {
  if (!session.gateway?.isConnected) return
  session.cancelOutage()
  session.isStopReported = false
  for (const resolve of session.waiting) resolve()
}

export async function waitConnected(session: Session): Promise<boolean> {
  // After a failed login the next one may be a minute away: do not wait for it.
  if (isUp(session) || session.failures > 0 || session.isStopping || session.isRefused) return isUp(session)
  const up = Promise.withResolvers<void>()
  session.waiting.add(up.resolve)
  const cancel = session.options.clock.after(CONNECT_PATIENCE_MS, up.resolve)
  await up.promise
  cancel()
  session.waiting.delete(up.resolve)
  return isUp(session)
}

/** Whether this service speaks for the bot as a whole: one of the services that run its shards does. */
export function speaksForBot({ options, shards }: Session): boolean {
  return !options.directory.isShared || shards.has(0)
}

export function reportStopped(session: Session, reason: BotStopReason): void {
  const { id, projectId, directory, events, log } = session.options
  session.isStopReported = true
  log.info({ reason }, 'bot stopped')
  // Other services go on with it.
  if (!speaksForBot(session) || (reason === 'shutdown' && directory.isShared)) return
  events.emit({ projectId, event: { type: 'botStopped', botId: id, reason } })
}

/** Players in guilds that belong to a shard. */
export function playersOn({ gateway, options }: Session, shardId: number): readonly Player[] {
  return options.players.ofBot(options.id).filter(({ ref }) => gateway?.shardOf(ref.guildId) === shardId)
}
