import Bull from 'bull'
import type { Redis } from 'ioredis'
import { KEPT_MS, type JobPayload, type JobType } from './job.ts'
import type { RedisAddress } from '../redis/redis.ts'

/** A worker that died is noticed after this and two thirds of it; an event loop that hangs for this long is dead. */
const LOCK_MS = 15_000

const SETTINGS = {
  // A job that kills its worker three times is at fault itself.
  maxStalledCount: 2,
  drainDelay: 5,
  guardInterval: 5000,
  retryProcessDelay: 1000,
  backoffStrategies: { ours: (attemptsMade: number, error: Error) => backoffMs(attemptsMade, error) },
} satisfies Bull.AdvancedSettings

/** The worker decides when a job has failed for good, by a `FinalError`; this only bounds how often it is handed on. */
const MOST_RUNS = 10_000
const POSTPONED_MS = 500
const MOST_KEPT = 20_000
/** An hour longer than promised to callers, so that no caller meets a job that is being deleted. */
const KEEP = { age: KEPT_MS / 1000 + 3600, count: MOST_KEPT }

/** The job has failed; its message is what a record keeps of that. */
export class FinalError extends Error {
  override readonly name = 'FinalError'
}

/** The worker stops; the job is for another one, at once. */
export class StoppedError extends Error {
  override readonly name = 'StoppedError'
}

/** Another job must run alone now; this one comes back in a moment. */
export class PostponedError extends Error {
  override readonly name = 'PostponedError'
}

/** −1 ends the retries. */
function backoffMs(attemptsMade: number, error: Error): number {
  if (error instanceof FinalError) return -1
  if (error instanceof StoppedError) return 1
  if (error instanceof PostponedError) return POSTPONED_MS
  return Math.min(500 * 2 ** (attemptsMade - 1), 10_000)
}

/** Puts jobs into the queue of one type and looks at them, over a connection of the caller's. */
export type Producer = ReturnType<typeof openProducer>

export function openProducer(redis: Redis, prefix: string, type: JobType) {
  const queue = new Bull<JobPayload>(type, {
    prefix,
    settings: SETTINGS,
    // Only commands go over it: this side takes no jobs and subscribes to their ends elsewhere. Bull's types are those of
    // the ioredis that it brings along.
    createClient: () => redis as never,
  })
  return {
    /** Does nothing where there is a job of that id. Jobs of the lowest turn are run first. */
    async add(id: string, order: JobPayload, { turn, nowMs }: { readonly turn: number; readonly nowMs: number }) {
      const options: Bull.JobOptions & { readonly timestamp: number } = {
        jobId: id,
        priority: turn,
        timestamp: nowMs,
        attempts: MOST_RUNS,
        backoff: { type: 'ours' },
        removeOnComplete: KEEP,
        removeOnFail: KEEP,
        stackTraceLimit: 3,
      }
      await queue.add(order, options)
    },
    /** All that have not ended. */
    listOpen: (): Promise<readonly TakenJob[]> => queue.getJobs(['waiting', 'delayed', 'active']),
    /** Null: there is none of that id, or none that a service of ours wrote. */
    async find(id: string): Promise<TakenJob | null> {
      try {
        return await queue.getJob(id)
      } catch (error) {
        if (error instanceof SyntaxError) return null
        throw error
      }
    },
  }
}

export type TakenJob = Bull.Job<JobPayload>
export type ConsumerQueue = Bull.Queue<JobPayload>

/** A queue to take jobs from, with connections of its own that wait for Redis however long it is away. */
export function openConsumer(address: RedisAddress, prefix: string, type: JobType, lockMs = LOCK_MS): ConsumerQueue {
  return new Bull<JobPayload>(type, {
    prefix,
    settings: { ...SETTINGS, lockDuration: lockMs, lockRenewTime: lockMs / 3, stalledInterval: lockMs / 3 },
    redis: { ...connectionOf(address), ...PATIENT },
  })
}

const PATIENT = {
  // A command that finds no connection waits for one: a lock whose renewal fails once is never renewed again.
  maxRetriesPerRequest: null,
  enableReadyCheck: false,
  retryStrategy: (attempt: number) => Math.min(50 * attempt, 1000),
} as const

/** Bull reads URLs itself, but not those with TLS. */
function connectionOf(address: RedisAddress) {
  if ('path' in address) return { path: address.path }
  const url = new URL(address.url)
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port || 6379),
    db: Number(url.pathname.slice(1) || 0),
    ...(url.username && { username: decodeURIComponent(url.username) }),
    ...(url.password && { password: decodeURIComponent(url.password) }),
    ...(url.protocol === 'rediss:' && { tls: {} }),
  }
}
