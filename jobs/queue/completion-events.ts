import { setTimeout as sleep } from 'node:timers/promises'
import type { Redis } from 'ioredis'
import type { Logger } from '../../lib/log.ts'
import type { JobType } from './job.ts'
import type { JobRecord } from './job-record.ts'

/** Hears of every job that ends, wherever it was run. */
export interface CompletionEvents {
  /** @returns a function that ends the subscription. */
  subscribe(listener: (job: JobRecord) => void): () => void
  close(): Promise<void>
}

export interface CompletionEventsOptions {
  readonly redis: Redis
  readonly subscriber: Redis
  readonly prefix: string
  /** Names this process, from one start to the next; each of several services has heard of ends of its own. */
  readonly hearer: string
  readonly types: readonly JobType[]
  readonly read: (ids: readonly string[]) => Promise<readonly (JobRecord | null)[]>
  readonly log: Logger
  readonly now: () => number
}

/** Who was away for longer has forgotten what waited for it. */
const LONGEST_CATCH_UP_MS = 60 * 60_000
/** Machines whose clocks differ by less miss nothing. */
const OVERLAP_MS = 5000
const MOST_REMEMBERED = 20_000
const MOST_AT_ONCE = 100

/**
 * Redis tells of ends by messages, which nobody keeps: what ended while this process or Redis was away is looked up
 * when the connection is back, from the time on that the last end was told.
 */
export function createCompletionEvents(options: CompletionEventsOptions): CompletionEvents {
  const { subscriber, prefix, types, log } = options
  const listeners = new Set<{ readonly hear: (job: JobRecord) => void }>()
  const tell = (job: JobRecord): void => {
    for (const { hear } of listeners) {
      try {
        hear(job)
      } catch (err) {
        log.error({ err, jobId: job.id }, 'job listener failed')
      }
    }
  }
  const herald = createHerald(options, tell)

  const channels = types.flatMap((type) => [`${prefix}:${type}:completed`, `${prefix}:${type}:failed`])
  const listen = async () => {
    if (channels.length > 0) await subscriber.subscribe(...channels)
    herald.hearOf(await endedMeanwhile(options))
  }
  const onReady = () => {
    // The other connection comes back at the same time, so the first look may still be too early.
    void retry(listen, herald).catch((err: unknown) => {
      if (!herald.isClosed) log.warn({ err }, 'ends of jobs not looked up')
    })
  }
  const onMessage = (_channel: string, message: string) => {
    herald.hearOf([(JSON.parse(message) as { jobId: string }).jobId])
  }
  subscriber.on('message', onMessage)
  subscriber.on('ready', onReady)
  if (subscriber.status === 'ready') onReady()

  return {
    subscribe(hear) {
      const listener = { hear }
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    async close() {
      subscriber.off('message', onMessage)
      subscriber.off('ready', onReady)
      await herald.close()
    },
  }
}

interface Herald {
  readonly isClosed: boolean
  /** These may have ended. */
  hearOf(ids: readonly string[]): void
  close(): Promise<void>
}

/** Tells each job once, in the order of their ends, as many at a time as have gathered while others were told. */
function createHerald(options: CompletionEventsOptions, tell: (job: JobRecord) => void): Herald {
  const { redis, read, log } = options
  const told = new Set<string>()
  const ended = new Set<string>()
  const closing = new AbortController()
  let telling: Promise<void> | null = null

  function remember(id: string): void {
    told.add(id)
    if (told.size > MOST_REMEMBERED) for (const oldest of [...told].slice(0, MOST_REMEMBERED / 2)) told.delete(oldest)
  }
  async function tellAll(): Promise<void> {
    while (ended.size > 0 && !closing.signal.aborted) {
      const ids = [...ended].slice(0, MOST_AT_ONCE)
      const over = (await read(ids)).filter((job) => job !== null && job.finishedAtMs !== null) as JobRecord[]
      for (const id of ids) ended.delete(id)
      for (const job of over.toSorted((a, b) => (a.finishedAtMs ?? 0) - (b.finishedAtMs ?? 0))) {
        remember(job.id)
        tell(job)
      }
      const latestMs = Math.max(...over.map(({ finishedAtMs }) => finishedAtMs ?? 0))
      if (over.length > 0) await redis.set(toldKey(options), latestMs, 'PX', LONGEST_CATCH_UP_MS)
    }
  }

  return {
    get isClosed() {
      return closing.signal.aborted
    },
    hearOf(ids) {
      for (const id of ids) if (!told.has(id)) ended.add(id)
      telling ??= tellAll()
        // Redis went away; what is missed is looked up when it is back.
        .catch((err: unknown) => log.warn({ err }, 'ends of jobs not told'))
        .finally(() => (telling = null))
    },
    async close() {
      closing.abort()
      await telling
    },
  }
}

function toldKey({ prefix, hearer }: Pick<CompletionEventsOptions, 'prefix' | 'hearer'>): string {
  return `${prefix}:told:${hearer}`
}

async function endedMeanwhile(options: CompletionEventsOptions): Promise<string[]> {
  const { redis, prefix, types, now } = options
  const sinceMs = Number((await redis.get(toldKey(options))) ?? now()) - OVERLAP_MS
  const keys = types.flatMap((type) => [`${prefix}:${type}:completed`, `${prefix}:${type}:failed`])
  return (await Promise.all(keys.map((key) => redis.zrangebyscore(key, sinceMs, '+inf')))).flat()
}

async function retry(work: () => Promise<void>, herald: Pick<Herald, 'isClosed'>): Promise<void> {
  for (let left = 5; ; left--) {
    try {
      await work()
      return
    } catch (error) {
      if (left === 0 || herald.isClosed) throw error
      await sleep(500)
    }
  }
}
