import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Redis } from 'ioredis'
import type { Logger } from '../../lib/log.ts'
import { createBuckets, createMemoryMeter, type Bucket, type Buckets, type RateLimiter } from './limiter.ts'

/** A meter whose budgets outlive the process. */
export interface KeptMeter extends RateLimiter {
  /** Writes the rest. Redis must still be open. */
  close(): Promise<void>
}

export interface KeptMeterOptions {
  /** That of this process alone. The meter does not close it. */
  readonly redis: Redis
  readonly log: Logger
  /** Whole milliseconds since 1970, so that they mean the same after a restart. */
  readonly now?: () => number
  readonly everyMs?: number
}

const EVERY_MS = 1000
/** What was charged before the last two of these is drained. */
const WINDOW_MS = 60_000
const KEPT_SECONDS = 3 * (WINDOW_MS / 1000)
/** One command of so many holds this thread for a fraction of a millisecond. */
const MAX_PER_WRITE = 500

/**
 * Charges in memory, and writes what changed to Redis once a second: for a Redis that no other process charges in. A request
 * waits for no one, and limits hold while Redis is away. A process that is killed forgets the charges of its last second.
 */
export async function openKeptMeter(options: KeptMeterOptions): Promise<KeptMeter> {
  const { redis, log, now = Date.now, everyMs = EVERY_MS } = options
  const buckets = createBuckets()
  await readAll(redis, now(), buckets).catch((err: unknown) =>
    log.warn({ err }, 'reading rate limits failed: they start full'),
  )
  const changed = new Set<string>()
  const meter = createMemoryMeter(now, {
    get: (key) => buckets.get(key),
    set(key, bucket) {
      buckets.set(key, bucket)
      changed.add(key)
    },
  })
  const writeAll = createWriter({ redis, log, now, buckets, changed })

  let working: Promise<void> | null = null
  const timer = setInterval(() => {
    working ??= writeAll().finally(() => (working = null))
  }, everyMs)
  return {
    charge: (ask) => meter.charge(ask),
    async close() {
      clearInterval(timer)
      await working
      await writeAll()
    },
  }
}

interface WriterOptions extends Required<Pick<KeptMeterOptions, 'redis' | 'log' | 'now'>> {
  readonly buckets: Buckets
  readonly changed: Set<string>
}

/** Never rejects. What could not be written is written when its budget changes the next time. */
function createWriter({ redis, log, now, buckets, changed }: WriterOptions): () => Promise<void> {
  let isFailing = false

  async function write(): Promise<void> {
    const keys = [...changed].slice(0, MAX_PER_WRITE)
    for (const key of keys) changed.delete(key)
    const fields = keys.flatMap((key) => {
      const bucket = buckets.get(key)
      return bucket ? [key, `${bucket.level}:${bucket.atMs}`] : []
    })
    if (fields.length === 0) return
    const name = nameOf(now())
    await redis
      .multi()
      .hset(name, ...fields)
      .expire(name, KEPT_SECONDS)
      .exec()
  }

  return async () => {
    try {
      while (changed.size > 0) {
        await write()
        await nextTurn()
      }
      isFailing = false
    } catch (err) {
      changed.clear()
      if (!isFailing) log.warn({ err }, 'saving rate limits failed')
      isFailing = true
    }
  }
}

/** Budgets that change in the same minute share a hash, which expires as a whole. */
function nameOf(atMs: number): string {
  return `meter:kept:${Math.floor(atMs / WINDOW_MS)}`
}

async function readAll(redis: Redis, nowMs: number, buckets: Buckets): Promise<void> {
  // The later one last: it has the last word on a budget.
  for (const name of [nameOf(nowMs - WINDOW_MS), nameOf(nowMs)]) {
    let cursor = '0'
    do {
      const [next, fields] = await redis.hscan(name, cursor, 'COUNT', MAX_PER_WRITE)
      restore(fields, buckets)
      cursor = next
    } while (cursor !== '0')
  }
}

/** @param fields names and values in turns. */
function restore(fields: readonly string[], buckets: Buckets): void {
  for (let i = 0; i < fields.length; i += 2) {
    const bucket = parse(fields[i + 1] ?? '')
    if (bucket) buckets.set(fields[i] ?? '', bucket)
  }
}

function parse(value: string): Bucket | null {
  const [level, atMs] = value.split(':').map(Number)
  return Number.isSafeInteger(level) && Number.isSafeInteger(atMs) ? { level: level!, atMs: atMs! } : null
}
