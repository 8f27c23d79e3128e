import type { BotRecord, BotRecords } from '../../db/projects/bots.ts'
import { Fault } from '../../lib/errors.ts'
import type { Logger } from '../../lib/log.ts'
import type { Players } from '../player/player-registry.ts'
import type { Bot } from './bot.ts'
import type { RestoreProgress } from '../player/restore/restore-queue.ts'
import type { JoinPurpose } from './joins/join-turns.ts'
import type { ShardDirectory } from './shards/shard-directory.ts'
import type { GuildRef } from '../../db/music/play-history.ts'

/** A bot as the database wants it to run. */
interface BotToRun {
  readonly record: BotRecord
  readonly token: string
  /** Discord's REST interface, without the version. */
  readonly apiUrl: string
}

interface BotRegistryOptions {
  readonly records: Pick<BotRecords, 'listAll' | 'token'>
  readonly log: Logger
  /** Discord's REST interface for a bot, without the version; null when this service does not run the bot. */
  readonly apiUrlOf: (record: BotRecord) => string | null
  readonly start: (wanted: BotToRun) => Bot
}

/** The bots that run, kept in step with the database. */
export interface BotRegistry {
  readonly find: (botId: string) => Bot | undefined
  readonly all: () => readonly Bot[]
  /** Bots that should run and cannot, since their token was sealed with another key. */
  readonly unreadable: () => ReadonlySet<string>
  /** Bots that an operator or member has stopped. */
  readonly stopped: () => ReadonlySet<string>
  /**
   * Starts what is new, stops what is gone or stopped, and restarts what has another token; of calls while it looks the last
   * one has it look once more. A database that is away changes nothing.
   */
  readonly sync: () => Promise<void>
  close(): Promise<void>
}

interface Running extends BotToRun {
  readonly bot: Bot
}

export function createBotRegistry(options: BotRegistryOptions): BotRegistry {
  const { log } = options
  const running = new Map<string, Running>()
  /** Bots that are leaving; the same bot starts again only after that. */
  const stopping = new Map<string, Promise<void>>()
  let unreadable: ReadonlySet<string> = new Set()
  let stopped: ReadonlySet<string> = new Set()
  let isClosed = false
  const look = oneAtATime(compare)

  async function stop({ bot }: Running, reason: 'removed' | 'disconnected' | 'shutdown'): Promise<void> {
    try {
      await bot.stop(reason)
    } catch (err) {
      log.error({ err, botId: bot.id }, 'stopping bot failed')
    }
    running.delete(bot.id)
    stopping.delete(bot.id)
    void sync()
  }

  async function sync(): Promise<void> {
    try {
      await look()
    } catch (err) {
      log.error({ err }, 'reading bots from the database failed')
    }
  }

  async function compare(): Promise<void> {
    if (isClosed) return
    const { all, wanted, failed } = await wantedBots(options)
    if (isClosed) return
    for (const [botId, err] of failed) {
      if (!unreadable.has(botId)) log.error({ err, botId }, 'starting bot failed: its token cannot be decrypted')
    }
    const known = new Set(all.map(({ id }) => id))
    unreadable = new Set(failed.keys())
    stopped = new Set(all.filter((record) => record.stopped).map(({ id }) => id))
    for (const [id, it] of running) {
      const reason = stopping.has(id) ? null : reasonToStop(it, wanted.get(id), known)
      if (reason) stopping.set(id, stop(it, reason))
    }
    for (const [id, it] of wanted) if (!running.has(id)) running.set(id, { ...it, bot: options.start(it) })
  }

  return {
    find: (botId) => running.get(botId)?.bot,
    all: () => [...running.values()].map(({ bot }) => bot),
    unreadable: () => unreadable,
    stopped: () => stopped,
    sync,
    async close() {
      isClosed = true
      await Promise.all([...running].map(([id, it]) => stopping.get(id) ?? stop(it, 'shutdown')))
    },
  }
}

function reasonToStop(
  running: Running,
  wanted: BotToRun | undefined,
  /** Registered bots, even if they need not run. */
  known: ReadonlySet<string>,
): 'removed' | 'disconnected' | null {
  if (!wanted && known.has(running.record.id)) return 'disconnected'
  if (wanted?.record.projectId !== running.record.projectId) return 'removed'
  return wanted.token === running.token && wanted.apiUrl === running.apiUrl ? null : 'disconnected'
}

/** The bots that should run, and why the token of some cannot be read, which does not stop the others. */
async function wantedBots({ records, apiUrlOf }: BotRegistryOptions) {
  const wanted = new Map<string, BotToRun>()
  const failed = new Map<string, unknown>()
  const all = await records.listAll()
  for (const record of all) {
    const apiUrl = record.stopped ? null : apiUrlOf(record)
    if (apiUrl === null) continue
    try {
      wanted.set(record.id, { record, token: await records.token(record.projectId, record.id), apiUrl })
    } catch (err) {
      if (isAway(err)) throw err
      failed.set(record.id, err)
    }
  }
  return { all, wanted, failed }
}

/** The database, of which nothing follows for a token; a token that cannot be decrypted has no time to try again. */
function isAway(error: unknown): boolean {
  return error instanceof Fault && error.retryAfterMs !== undefined
}

/** Calls while it runs share one more run after it. */
function oneAtATime(run: () => Promise<void>): () => Promise<void> {
  let current: Promise<void> | null = null
  let next: Promise<void> | null = null
  const start = () => (current = run().finally(() => (current = null)))
  return () => {
    if (!current) return start()
    next ??= current
      .catch(() => undefined)
      .then(() => {
        next = null
        return start()
      })
    return next
  }
}

/** Why a bot is not connected, in words that say what helps. */
export function botAway(registry: BotRegistry, botId: string): Fault {
  const final = finalReason(registry, botId)
  if (final !== null) return new Fault('service_unavailable', final)
  const message = "The bot isn't connected to Discord. Try again in a moment."
  return new Fault('service_unavailable', message, { retryAfterMs: 5000 })
}

function finalReason({ find, unreadable, stopped }: BotRegistry, botId: string): string | null {
  if (find(botId)?.state === 'refused')
    return `Discord refuses the token of bot ${botId}. Waiting doesn't help, so add the bot again with a new token.`
  if (unreadable().has(botId))
    return `The token of bot ${botId} can't be decrypted. Restore TOKEN_KEY or token.key, or add the bot again.`
  return stopped().has(botId) ? `The bot ${botId} is stopped. Start it in the dashboard.` : null
}

export interface BotCounts {
  /** Bots that should run. */
  readonly bots: number
  readonly connectedBots: number
  /** Connected bots whose joins Discord does not answer. */
  readonly unansweredBots: number
  /** Bots whose token cannot be read. */
  readonly unreadableBots: number
  readonly players: number
  /** Saved players that wait for their turn to join, or join now. */
  readonly restoringPlayers: number
  /** Saved players that came back since the start. */
  readonly restoredPlayers: number
}

/** Gives players access to their bot, and to the bots of their project that other services run. */
export function connectionsOf(
  registry: () => BotRegistry,
  directory: Pick<ShardDirectory, 'whoRuns' | 'countElsewhere'>,
) {
  const find = (botId: string) => registry().find(botId)
  return {
    countElsewhere: (projectId: string) => directory.countElsewhere(projectId),
    runsElsewhere: (projectId: string, { botId, guildId }: GuildRef) =>
      find(botId)?.projectId === projectId && directory.whoRuns(botId, guildId) !== null,
    countListeners: (botId: string, guildId: string, channelId: string) =>
      find(botId)?.countListeners(guildId, channelId) ?? 0,
    isBotConnected: (botId: string) => find(botId)?.isConnected ?? false,
    joinTurn: async ({ botId, guildId }: GuildRef, purpose: JoinPurpose) => find(botId)?.joinTurn(guildId, purpose),
  }
}

export function countsOf(registry: BotRegistry, players: Players, progress: RestoreProgress): BotCounts {
  const bots = registry.all()
  const unreadable = registry.unreadable()
  return {
    bots: new Set([...bots.map(({ id }) => id), ...unreadable]).size,
    connectedBots: bots.filter(({ isConnected, isStandby }) => isConnected || isStandby).length,
    unansweredBots: bots.filter(({ isUnanswered }) => isUnanswered).length,
    unreadableBots: unreadable.size,
    players: players.count,
    restoringPlayers: progress.waiting,
    restoredPlayers: progress.restored,
  }
}
