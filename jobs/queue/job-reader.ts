import type { Redis } from 'ioredis'
import { Fault } from '../../lib/errors.ts'
import type { JobType } from './job.ts'
import type { Producer } from './bull-queue.ts'
import { placeKeys } from './job-places.ts'
import { JOB_ID, toRecord, type JobPlace, type JobRecord } from './job-record.ts'

interface PageBounds {
  readonly before: string | null
  readonly limit: number
}

interface JobPage {
  readonly jobs: readonly JobRecord[]
  /** Value of `before` for the next page; null on the last one. */
  readonly next: string | null
}

export interface QueueCounts {
  readonly type: JobType
  readonly pending: number
  readonly processing: number
}

interface ReaderOptions {
  readonly redis: Redis
  readonly prefix: string
  readonly types: readonly JobType[]
  readonly now: () => number
  readonly producerOf: (type: JobType) => Promise<Producer>
}

/** Key of the ids of a project's jobs, sorted by the time of their request. */
export function indexKey(prefix: string, projectId: string): string {
  return `${prefix}:of:${projectId}`
}

/** Possible places of each id. */
async function placesOf(
  { redis, prefix, types }: ReaderOptions,
  ids: readonly string[],
): Promise<readonly (readonly JobPlace[])[]> {
  const multi = redis.multi()
  for (const id of ids) {
    for (const type of types) {
      const { queued, running } = placeKeys(prefix, type)
      multi.zrank(queued, id).zscore(running, id)
    }
  }
  const answers = ((await multi.exec()) ?? []).map(([, value]) => value as number | string | null)
  return ids.map((_, at) =>
    types.map((type, nth) => {
      const [rank = null, score = null] = answers.slice(2 * (at * types.length + nth))
      return { type, position: rank === null ? null : Number(rank) + 1, isRunning: score !== null }
    }),
  )
}

export function createReader(options: ReaderOptions) {
  const { redis, prefix, types, now, producerOf } = options

  /** The place is read before the job, so that one that ends meanwhile is seen as ended. */
  async function readOne(id: string, places: readonly JobPlace[]): Promise<JobRecord | null> {
    const known = places.find(({ position, isRunning }) => position !== null || isRunning)
    for (const place of known ? [known] : places) {
      const job = await (await producerOf(place.type)).find(id)
      if (job) return toRecord(id, job, place)
    }
    return null
  }

  /** Reads jobs of any project in the order of the ids; null for an unknown job. */
  async function read(ids: readonly string[]): Promise<readonly (JobRecord | null)[]> {
    if (ids.length === 0) return []
    const places = await reached(placesOf(options, ids))
    return reached(Promise.all(ids.map((id, i) => readOne(id, places[i] ?? []))))
  }
  const isShown = (job: JobRecord, projectId: string) =>
    job.projectId === projectId && (job.expiresAtMs === null || job.expiresAtMs > now())

  return {
    read,
    /** Null: there is none of that id, it has expired, or it is another project's. */
    async get(projectId: string, id: string): Promise<JobRecord | null> {
      if (!JOB_ID.test(id)) return null
      const [job] = await read([id])
      return job && isShown(job, projectId) ? job : null
    },
    /** The newest first, those before the job `before` where it is given. */
    async list(projectId: string, { before, limit }: PageBounds): Promise<JobPage> {
      const index = indexKey(prefix, projectId)
      const rank = before === null ? -1 : await reached(redis.zrevrank(index, before))
      if (rank === null) return { jobs: [], next: null }
      const ids = await reached(redis.zrevrange(index, rank + 1, rank + 1 + limit))
      const jobs = (await read(ids.slice(0, limit))).filter((job) => job !== null)
      const next = ids.length > limit ? (ids[limit - 1] ?? null) : null
      return { jobs: jobs.filter((job) => isShown(job, projectId)), next }
    },
    /** Jobs by type and state. */
    async counts(): Promise<readonly QueueCounts[]> {
      const multi = redis.multi()
      for (const type of types) {
        const { queued, running } = placeKeys(prefix, type)
        multi.zcard(queued).zcard(running)
      }
      const answers = ((await reached(multi.exec())) ?? []).map(([, value]) => Number(value))
      return types.map((type, i) => {
        const [pending = 0, processing = 0] = answers.slice(2 * i)
        return { type, pending, processing }
      })
    },
  }
}

/** @throws {Fault} in words for the caller where Redis does not answer. */
export async function reached<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer
  } catch (cause) {
    const message = 'The job queue is unreachable. Try again in a moment.'
    throw new Fault('service_unavailable', message, { retryAfterMs: 2000, cause })
  }
}
