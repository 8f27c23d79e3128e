import { setTimeout as sleep } from 'node:timers/promises'
import type { Redis } from 'ioredis'
import type { Logger } from '../../lib/log.ts'
import type { JobType } from './job.ts'
import { ADMITTED_MS, createPlaces, endedKey, LONGEST_CATCH_UP_MS, placeKeys } from './job-places.ts'
import { JOB_ID, type JobRecord } from './job-record.ts'

/** Hears of every job that ends, wherever it was run. */
export type CompletionEvents = ReturnType<typeof createCompletionEvents>

/** How the queue is reached, and by whom. */
export interface QueueAccess {
  /** Connection for commands; fails those that it cannot send immediately. The queue closes neither connection. */
  readonly redis: Redis
  /** Separate connection for events. */
  readonly subscriber: Redis
  /** Prefix of all keys. */
  readonly prefix: string
  /** Names this process, from one start to the next; each of several services has heard of ends of its own. */
  readonly subscriberId: string
  readonly log: Logger
  readonly now: () => number
}

interface CompletionEventsOptions extends QueueAccess {
  readonly types: readonly JobType[]
  readonly read: (ids: readonly string[]) => Promise<readonly (JobRecord | null)[]>
}

/** Machines whose clocks differ by less miss nothing. */
const OVERLAP_MS = 5000
const MAX_REMEMBERED = 20_000
const MAX_BATCH = 100
/** Interval of the search for ends that a worker did not report before it died. */
const LOOK_EVERY_MS = 10_000
/** Waiting jobs to check: only the first may have been run. */
const MOST_QUEUED = 20

/**
 * Workers tell of ends by messages, which are not stored: what ended while this process or Redis was away is looked up when the
 * connection is back, from the time of the last end that was reported.
 */
export function createCompletionEvents(options: CompletionEventsOptions) {
  const { subscriber, prefix, log } = options
  const listeners = new Set<(job: JobRecord) => void>()
  const notify = (job: JobRecord): void => {
    for (const listener of listeners) {
      try {
        listener(job)
      } catch (err) {
        log.error({ err, jobId: job.id }, 'job listener failed')
      }
    }
  }
  const announcer = createAnnouncer(options, notify)

  const listen = async () => {
    await subscriber.subscribe(endedKey(prefix))
    announcer.announce(await endedMeanwhile(options))
  }
  const onReady = () => {
    // The other connection comes back at the same time, so the first look may still be too early.
    void retry(listen, announcer).catch((err: unknown) => {
      if (!announcer.isClosed) log.warn({ err }, 'reading completed jobs failed')
    })
  }
  const onMessage = (channel: string, message: string) => {
    if (JOB_ID.test(message)) announcer.announce([message])
    else log.warn({ channel }, 'malformed message from Redis dropped')
  }
  subscriber.on('message', onMessage)
  subscriber.on('ready', onReady)
  if (subscriber.status === 'ready') onReady()
  const looking = setInterval(() => {
    endUntold(options).catch((err: unknown) => log.debug({ err }, 'looking for ended jobs failed'))
  }, LOOK_EVERY_MS).unref()

  return {
    /** @returns a function that ends the subscription. */
    subscribe(listener: (job: JobRecord) => void): () => void {
      // A function of its own: the same listener may subscribe twice.
      const own = (job: JobRecord) => listener(job)
      listeners.add(own)
      return () => void listeners.delete(own)
    },
    async close() {
      clearInterval(looking)
      subscriber.off('message', onMessage)
      subscriber.off('ready', onReady)
      await announcer.close()
    },
  }
}

/** Ends, in their places, jobs that Bull has ended or never had: who had them died before it could, or is of a former version. */
async function endUntold({ redis, prefix, types, read, now }: CompletionEventsOptions): Promise<void> {
  for (const type of types) {
    const { queued, running, admitted } = placeKeys(prefix, type)
    const [overdue, first, taken] = await Promise.all([
      redis.zrangebyscore(admitted, '-inf', now() - ADMITTED_MS),
      redis.zrange(queued, 0, String(MOST_QUEUED - 1)),
      redis.zrange(running, 0, '-1'),
    ])
    const begun = [...taken, ...overdue]
    const jobs = await read([...first, ...begun])
    const places = createPlaces(redis, prefix, type)
    for (const [i, id] of [...first, ...begun].entries()) {
      // Bull may be about to get one that waits.
      const isOver = jobs[i] ? jobs[i].finishedAtMs !== null : i >= first.length
      if (isOver) await places.end(id, now())
    }
  }
}

type Announcer = ReturnType<typeof createAnnouncer>

/** Reports each job once, in the order of their ends; those that end meanwhile form the next batch. */
function createAnnouncer(options: CompletionEventsOptions, notify: (job: JobRecord) => void) {
  const { redis, read, log } = options
  const notified = new Set<string>()
  const ended = new Set<string>()
  const closing = new AbortController()
  let announcing: Promise<void> | null = null

  function remember(id: string): void {
    notified.add(id)
    if (notified.size > MAX_REMEMBERED)
      for (const oldest of [...notified].slice(0, MAX_REMEMBERED / 2)) notified.delete(oldest)
  }
  async function announceAll(): Promise<void> {
    while (ended.size > 0 && !closing.signal.aborted) {
      const ids = [...ended].slice(0, MAX_BATCH)
      const over = (await read(ids)).filter((job) => job !== null && job.finishedAtMs !== null) as JobRecord[]
      for (const id of ids) ended.delete(id)
      for (const job of over.toSorted((a, b) => (a.finishedAtMs ?? 0) - (b.finishedAtMs ?? 0))) {
        remember(job.id)
        notify(job)
      }
      const latestMs = Math.max(...over.map(({ finishedAtMs }) => finishedAtMs ?? 0))
      if (over.length > 0) await redis.set(announcedKey(options), latestMs, 'PX', LONGEST_CATCH_UP_MS)
    }
  }

  return {
    get isClosed(): boolean {
      return closing.signal.aborted
    },
    /** Reports jobs that may have ended. */
    announce(ids: readonly string[]) {
      for (const id of ids) if (!notified.has(id)) ended.add(id)
      announcing ??= announceAll()
        // Redis went away; what is missed is looked up when it is back.
        .catch((err: unknown) => log.warn({ err }, 'announcing completed jobs failed'))
        .finally(() => (announcing = null))
    },
    async close() {
      closing.abort()
      await announcing
    },
  }
}

function announcedKey({ prefix, subscriberId }: Pick<CompletionEventsOptions, 'prefix' | 'subscriberId'>): string {
  return `${prefix}:told:${subscriberId}`
}

async function endedMeanwhile(options: CompletionEventsOptions): Promise<string[]> {
  const { redis, prefix, now } = options
  const sinceMs = Number((await redis.get(announcedKey(options))) ?? now()) - OVERLAP_MS
  return redis.zrangebyscore(endedKey(prefix), sinceMs, '+inf')
}

async function retry(work: () => Promise<void>, subscriber: Pick<Announcer, 'isClosed'>): Promise<void> {
  for (let left = 5; ; left--) {
    try {
      await work()
      return
    } catch (error) {
      if (left === 0 || subscriber.isClosed) throw error
      await sleep(500)
    }
  }
}
