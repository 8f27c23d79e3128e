import type { Logger } from '../../../lib/log.ts'
import type { Clock } from '../timers.ts'

/** Handshakes at once; how many joins Discord takes a minute is decided where each takes its turn. */
const JOINS_AT_ONCE = 5
/** Interval of logging the progress of a bot's restored players. */
const REPORT_EVERY_MS = 10_000

/** Progress of restoring this service's players after a restart. */
export interface RestoreProgress {
  /** Waiting for their turn, or joining. */
  readonly waiting: number
  readonly restored: number
  readonly failed: number
}

interface RestoreQueue<T> {
  /** Restores all of them, those with most listeners first: Discord takes so few joins a minute that the last ones wait. */
  add(botId: string, players: readonly T[]): Promise<void>
  /** @param botId defaults to all bots. */
  progress(botId?: string): RestoreProgress
}

interface RestoreQueueOptions<T> {
  /** Whether it came back. Never rejects. */
  readonly restore: (player: T) => Promise<boolean>
  readonly clock: Pick<Clock, 'after'>
  readonly log: Logger
}

export function createRestoreQueue<T extends { readonly listeners: number }>(
  options: RestoreQueueOptions<T>,
): RestoreQueue<T> {
  const { restore, clock, log } = options
  const bots = new Map<string, Counts>()
  return {
    async add(botId, players) {
      if (players.length === 0) return
      const waiting = players.toSorted((one, other) => other.listeners - one.listeners)
      const done = { restored: 0, failed: 0 }
      const total = bots.get(botId) ?? { waiting: 0, restored: 0, failed: 0 }
      bots.set(botId, total)
      total.waiting += waiting.length
      const restoreInTurn = async (): Promise<void> => {
        for (let next = waiting.shift(); next; next = waiting.shift()) {
          const outcome = (await restore(next)) ? 'restored' : 'failed'
          done[outcome]++
          total[outcome]++
          total.waiting--
        }
      }
      log.info({ botId, players: players.length }, 'restoring players')
      let cancel = clock.after(REPORT_EVERY_MS, report)
      function report(): void {
        log.info({ botId, players: players.length, ...done }, 'players being restored')
        cancel = clock.after(REPORT_EVERY_MS, report)
      }
      await Promise.all(Array.from({ length: JOINS_AT_ONCE }, restoreInTurn))
      cancel()
      log.info({ botId, players: players.length, ...done }, 'restored all players')
    },
    progress(botId) {
      const counted = botId === undefined ? [...bots.values()] : [bots.get(botId) ?? NOTHING]
      return counted.reduce(add, NOTHING)
    },
  }
}

type Counts = { -readonly [Name in keyof RestoreProgress]: number }

const NOTHING: RestoreProgress = { waiting: 0, restored: 0, failed: 0 }

function add(one: RestoreProgress, other: RestoreProgress): RestoreProgress {
  return {
    waiting: one.waiting + other.waiting,
    restored: one.restored + other.restored,
    failed: one.failed + other.failed,
  }
}
