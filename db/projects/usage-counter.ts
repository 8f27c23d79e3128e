import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from '../../lib/log.ts'
import { createOutage } from '../../lib/outage.ts'
import type { Use } from '../../lib/usage.ts'
import { createTally } from './usage-tally.ts'
import type { UsageCount } from './usage-counts.ts'
import type { Usage } from './usage.ts'

export type UsageCounter = ReturnType<typeof createUsageCounter>

interface UsageCounterOptions {
  readonly usage: Usage
  readonly log: Logger
  readonly now?: () => number
  readonly everyMs?: number
}

/** On SQLite, a write of four takes about half a millisecond of the main thread, of twelve more than one: all requests wait. */
const MIN_PER_WRITE = 4
const MAX_PER_WRITE = 12
/** Each write takes as few as lead to no more writes than this. */
const WRITES_AT_EASE = 20
/** Between two writes: a request takes a few turns, and would wait for a write in each. */
const PAUSE_MS = 20
/** While the database cannot be written, counts gather up to here (some 30 MB); then the oldest are given up. */
const MAX_WAITING = 50_000
const PRUNE_EVERY_MS = 60_000
/** Much more than can grow old in a minute. */
const PRUNED_AT_ONCE = 5000

/** Counts in memory, off the request's path, and writes once a second. A killed service loses that second. */
export function createUsageCounter({ usage, log, now = Date.now, everyMs = 1000 }: UsageCounterOptions) {
  const tally = createTally(now)
  let waiting: readonly UsageCount[] = []
  const outage = createOutage(log, { failing: 'saving usage counts failed', recovered: 'usage counts recovered' })
  let isClosing = false
  const prune = createPruner({ usage, log, now })
  /** One write at a time, however slow the database is. */
  let working: Promise<void> | null = null

  async function write(size: number): Promise<void> {
    const batch = waiting.slice(0, size)
    waiting = waiting.slice(batch.length)
    try {
      await usage.add(batch)
      outage.worked()
    } catch (err) {
      waiting = [...batch, ...waiting]
      outage.failed({ err })
    }
  }

  function aggregate(): void {
    waiting = [...waiting, ...tally.take()]
    const tooMany = waiting.length - MAX_WAITING
    if (tooMany <= 0) return
    waiting = waiting.slice(tooMany)
    log.error({ rows: tooMany }, 'usage counts dropped')
  }

  /** A slice at a time, until all is written or one fails. */
  async function writeAll(): Promise<void> {
    for (const size = batchSize(waiting.length); waiting.length > 0;) {
      await write(size)
      if (outage.isOn) return
      await pause(isClosing ? 0 : pauseMs(waiting.length / size, everyMs))
    }
  }

  async function work(): Promise<void> {
    await writeAll()
    if (!outage.isOn) await prune()
  }

  const timer = setInterval(() => {
    aggregate()
    working ??= work().finally(() => (working = null))
  }, everyMs)
  return {
    /** Costs about a third of a microsecond and writes nothing. */
    count: (use: Use): void => tally.count(use),
    /** Writes the rest and stops. The database must still be open. */
    async close() {
      isClosing = true
      clearInterval(timer)
      await working
      aggregate()
      await writeAll()
    },
  }
}

function batchSize(waiting: number): number {
  return Math.min(MAX_PER_WRITE, Math.max(MIN_PER_WRITE, Math.ceil(waiting / WRITES_AT_EASE)))
}

/** Such that the writes that wait are spread over half of the time until more come. */
function pauseMs(writes: number, everyMs: number): number {
  return Math.min(PAUSE_MS, Math.floor(everyMs / 2 / Math.ceil(writes)))
}

function pause(ms: number): Promise<unknown> {
  return ms > 0 ? sleep(ms) : nextTurn()
}

/** Removes what is too old to keep, at most once a minute. */
function createPruner({ usage, log, now }: Required<Pick<UsageCounterOptions, 'usage' | 'log' | 'now'>>) {
  let prunedAtMs = -Infinity
  return async (): Promise<void> => {
    if (now() - prunedAtMs < PRUNE_EVERY_MS) return
    prunedAtMs = now()
    try {
      await usage.prune(PRUNED_AT_ONCE)
    } catch (err) {
      log.warn({ err }, 'removing old usage counts failed')
    }
  }
}
