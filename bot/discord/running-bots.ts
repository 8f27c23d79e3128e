import type { BotRecord, BotRecords } from '../../db/projects/bots.ts'
import type { Logger } from '../../lib/log.ts'
import type { Bot } from './bot.ts'

/** A bot as the database wants it to run. */
export interface Wanted {
  readonly record: BotRecord
  readonly token: string
  /** Discord's REST interface, without the version. */
  readonly apiUrl: string
}

export interface BotRegistryOptions {
  readonly records: Pick<BotRecords, 'listAll' | 'token'>
  readonly log: Logger
  /** Discord's REST interface for a bot, without the version; null when this service does not run the bot. */
  readonly apiUrlOf: (record: BotRecord) => string | null
  readonly start: (wanted: Wanted) => Bot
}

/** The bots that run, kept in step with the database. */
export interface BotRegistry {
  readonly find: (botId: string) => Bot | undefined
  readonly all: () => readonly Bot[]
  /** Those that should run and cannot, since their token was sealed with another key. */
  readonly unreadable: () => ReadonlySet<string>
  /** Starts what is new, stops what is gone or stopped, and restarts what has another token. */
  readonly sync: () => void
  close(): Promise<void>
}

interface Running extends Wanted {
  readonly bot: Bot
}

export function createBotRegistry(options: BotRegistryOptions): BotRegistry {
  const { log } = options
  const running = new Map<string, Running>()
  /** Those that are just leaving; the same bot starts again only after. */
  const stopping = new Map<string, Promise<void>>()
  let unreadable: ReadonlySet<string> = new Set()
  let isClosed = false

  /** Whether the bot is still registered, though it need not run. */
  const isKnown = (id: string) => options.records.listAll().some((record) => record.id === id)

  async function stop({ bot }: Running, reason: 'removed' | 'disconnected' | 'shutdown'): Promise<void> {
    try {
      await bot.stop(reason)
    } catch (err) {
      log.error({ err, botId: bot.id }, 'stopping bot failed')
    }
    running.delete(bot.id)
    stopping.delete(bot.id)
    sync()
  }

  function sync(): void {
    if (isClosed) return
    const { wanted, failed } = wantedBots(options)
    for (const [botId, err] of failed) {
      if (!unreadable.has(botId)) log.error({ err, botId }, 'starting bot failed: its token cannot be decrypted')
    }
    unreadable = new Set(failed.keys())
    for (const [id, it] of running) {
      const reason = stopping.has(id) ? null : reasonToStop(it, wanted.get(id), isKnown)
      if (reason) stopping.set(id, stop(it, reason))
    }
    for (const [id, it] of wanted) if (!running.has(id)) running.set(id, { ...it, bot: options.start(it) })
  }

  return {
    find: (botId) => running.get(botId)?.bot,
    all: () => [...running.values()].map(({ bot }) => bot),
    unreadable: () => unreadable,
    sync,
    async close() {
      isClosed = true
      await Promise.all([...running].map(([id, it]) => stopping.get(id) ?? stop(it, 'shutdown')))
    },
  }
}

function reasonToStop(
  running: Running,
  wanted: Wanted | undefined,
  isKnown: (id: string) => boolean,
): 'removed' | 'disconnected' | null {
  if (!wanted && isKnown(running.record.id)) return 'disconnected'
  if (wanted?.record.projectId !== running.record.projectId) return 'removed'
  return wanted.token === running.token && wanted.apiUrl === running.apiUrl ? null : 'disconnected'
}

/** The bots that should run, and why the token of some cannot be read, which does not stop the others. */
function wantedBots({ records, apiUrlOf }: BotRegistryOptions) {
  const wanted = new Map<string, Wanted>()
  const failed = new Map<string, unknown>()
  for (const record of records.listAll()) {
    const apiUrl = record.stopped ? null : apiUrlOf(record)
    if (apiUrl === null) continue
    try {
      wanted.set(record.id, { record, token: records.token(record.projectId, record.id), apiUrl })
    } catch (err) {
      failed.set(record.id, err)
    }
  }
  return { wanted, failed }
}
