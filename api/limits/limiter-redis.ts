import type { Redis } from 'ioredis'
import type { Logger } from '../../lib/log.ts'
import type { RateLimitRequest, RateLimitResult, RateLimiter } from './limiter.ts'
import { createBreaker } from '../../lib/sharing/breaker.ts'
import { createOutage } from '../../lib/outage.ts'
import { chargeEach, CLASS_SLOTS } from './limiter-script.ts'

/** A meter that several processes share. */
export interface RedisRateLimiter extends RateLimiter {
  /** Requests that went through unmetered because Redis was away or slow. */
  failOpenCount(): number
}

interface RedisRateLimiterOptions {
  /** Must fail a command at once that it cannot send. The meter does not close it. */
  readonly redis: Redis
  readonly log: Logger
  /** Milliseconds; only tests hand one in. Otherwise Redis's own clock counts, on which all processes agree. */
  readonly now?: () => number
  readonly deadlineMs?: number
}

const DEADLINE_MS = 50
/** One slow answer may be a hiccup; after so many in a row, requests skip Redis until a probe succeeds. */
const FAILURES_TO_OPEN = 3
const OPEN_MS = 1000
/** More asks than this in one tick go in several calls, so that none holds Redis for more than about 2 ms. */
const MAX_BATCH = 64

interface Waiting {
  readonly ask: RateLimitRequest
  readonly answer: (charge: RateLimitResult) => void
}

/**
 * Asks of the same turn of the event loop share one call: under load that makes a charge several times cheaper than a
 * round trip of its own. Where Redis is away, or slower than 50 ms, requests go through. The script is our own: rate limit
 * libraries charge one budget a call, this one the class and the total together or neither.
 */
export function createRedisRateLimiter({
  redis,
  log,
  now,
  deadlineMs = DEADLINE_MS,
}: RedisRateLimiterOptions): RedisRateLimiter {
  const gate = createGate(redis, log)
  let queue: Waiting[] = []
  let failOpenCount = 0

  function pass({ ask, answer }: Waiting): void {
    failOpenCount++
    // Same answer as that of a fresh budget.
    answer({ allowed: true, remaining: ask.limit - 1 })
  }

  function flush(): void {
    const asked = queue
    queue = []
    for (let i = 0; i < asked.length; i += MAX_BATCH) void chargeAll(asked.slice(i, i + MAX_BATCH))
  }

  /** Never rejects. An answer after the deadline has charged, but its request has gone on without it. */
  async function chargeAll(batch: readonly Waiting[]): Promise<void> {
    if (!gate.mayCall()) return batch.forEach(pass)
    try {
      const answers = await inTime(run(redis, batch, now?.()), deadlineMs)
      gate.worked()
      batch.forEach(({ answer }, i) => answer(toCharge(answers[i] as number)))
    } catch (error) {
      gate.failed(error)
      batch.forEach(pass)
    }
  }

  return {
    charge(ask) {
      return new Promise((answer) => {
        if (queue.push({ ask, answer }) === 1) setImmediate(flush)
      })
    },
    failOpenCount: () => failOpenCount,
  }
}

async function run(redis: Redis, batch: readonly Waiting[], nowMs?: number): Promise<readonly number[]> {
  const keys: string[] = []
  const limits: number[] = []
  for (const { ask } of batch) {
    keys.push(`meter:${ask.projectId}`)
    limits.push(ask.limit, ask.aggregate, CLASS_SLOTS[ask.routeClass])
  }
  return (await chargeEach(redis, keys, [nowMs ?? '', ...limits])) as number[]
}

function inTime<T>(work: Promise<T>, deadlineMs: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const late = () => reject(new Error(`Redis didn't respond within ${deadlineMs} ms`))
    // When our own loop was busy the answer may be here, unread: the loop reads before it comes to setImmediate.
    const timer = setTimeout(() => setImmediate(late), deadlineMs)
    work.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}

/** Decides whether Redis is worth a call, and says once when limits begin and cease to be enforced. */
function createGate(redis: Redis, log: Logger) {
  const breaker = createBreaker({ now: () => performance.now(), failures: FAILURES_TO_OPEN, openMs: OPEN_MS })
  const outage = createOutage(log, {
    failing: 'rate limits off: Redis unavailable',
    recovered: 'rate limits on again',
  })
  return {
    mayCall(): boolean {
      if (redis.status === 'ready') return breaker.admits()
      outage.failed({ redis: redis.status })
      return false
    },
    failed(err: unknown): void {
      breaker.failed()
      outage.failed({ err })
    },
    worked(): void {
      breaker.succeeded()
      outage.worked()
    },
  }
}

function toCharge(answer: number): RateLimitResult {
  if (answer >= 0) return { allowed: true, remaining: answer }
  return { allowed: false, spent: answer % 2 === 0 ? 'class' : 'aggregate', waitMs: Math.floor(-answer / 2) }
}
