import type { Logger } from '../../lib/log.ts'
import { createTally, type Use } from './usage-tally.ts'
import type { UsageCount } from './usage-counts.ts'
import type { Usage } from './usage.ts'

export interface UsageCounter {
  /** Costs about a third of a microsecond and writes nothing. */
  count(use: Use): void
  /** Writes the rest and stops. The database must still be open. */
  close(): void
}

export interface UsageCounterOptions {
  readonly usage: Usage
  readonly log: Logger
  readonly now?: () => number
  readonly everyMs?: number
}

/** A write of so many takes little more than a millisecond; more wait for the next turn, so that no request waits longer. */
const MAX_PER_WRITE = 12
/** While the database cannot be written, counts gather up to here (some 30 MB); then the oldest are given up. */
const MAX_WAITING = 50_000
const PRUNE_EVERY_MS = 60_000
/** Much more than can grow old in a minute. */
const PRUNED_AT_ONCE = 5000

/** Counts in memory, off the request's path, and writes once a second. A killed service loses that second. */
export function createUsageCounter({ usage, log, now = Date.now, everyMs = 1000 }: UsageCounterOptions): UsageCounter {
  const tally = createTally(now)
  let waiting: readonly UsageCount[] = []
  let isFailing = false
  let prunedAtMs = -Infinity

  function write(): void {
    const batch = waiting.slice(0, MAX_PER_WRITE)
    try {
      usage.add(batch)
      waiting = waiting.slice(batch.length)
      if (isFailing) log.info('usage counts recovered')
      isFailing = false
    } catch (err) {
      if (!isFailing) log.warn({ err }, 'saving usage counts failed')
      isFailing = true
    }
  }

  function aggregate(): void {
    waiting = [...waiting, ...tally.take()]
    const tooMany = waiting.length - MAX_WAITING
    if (tooMany <= 0) return
    waiting = waiting.slice(tooMany)
    log.error({ rows: tooMany }, 'usage counts dropped')
  }

  /** A slice in each turn, until all is written or one fails. */
  function writeOn(): void {
    if (waiting.length === 0) return
    write()
    if (!isFailing) setImmediate(writeOn)
  }

  function prune(): void {
    if (isFailing || now() - prunedAtMs < PRUNE_EVERY_MS) return
    prunedAtMs = now()
    try {
      usage.prune(PRUNED_AT_ONCE)
    } catch (err) {
      log.warn({ err }, 'removing old usage counts failed')
    }
  }

  const timer = setInterval(() => {
    aggregate()
    writeOn()
    prune()
  }, everyMs)
  return {
    count: (use) => tally.count(use),
    close() {
      clearInterval(timer)
      aggregate()
      isFailing = false
      while (waiting.length > 0 && !isFailing) write()
    },
  }
}
