import type { Redis } from 'ioredis'
import { Fault } from '../../lib/errors.ts'
import type { JobType } from './job.ts'
import { toRecord, type JobRecord, type RawRecord } from './job-record.ts'
import { READ } from './lua-scripts.ts'

/** Looks at jobs. */
export interface JobReader {
  /** In the order of the ids, whosever they are; null for an unknown job. */
  read(ids: readonly string[]): Promise<readonly (JobRecord | null)[]>
  /** Null: there is none of that id, it has expired, or it is another project's. */
  get(projectId: string, id: string): Promise<JobRecord | null>
  /** The newest first, those before the job `before` where it is given. */
  list(projectId: string, page: PageBounds): Promise<JobPage>
  /** Jobs by type and state. */
  counts(): Promise<readonly QueueCounts[]>
}

export interface PageBounds {
  readonly before: string | null
  readonly limit: number
}

export interface JobPage {
  readonly jobs: readonly JobRecord[]
  /** What to give as `before` for the next page; null on the last one. */
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
}

const ID = /^job_[0-9A-Za-z]{22}$/

/** Where the ids of a project's jobs are, by the time when they were asked for. */
export function indexKey(prefix: string, projectId: string): string {
  return `${prefix}:of:${projectId}`
}

export function createReader({ redis, prefix, types, now }: ReaderOptions): JobReader {
  async function read(ids: readonly string[]): Promise<readonly (JobRecord | null)[]> {
    if (ids.length === 0) return []
    const raw = (await reached(READ(redis, [], [prefix, ...types, '', ...ids]))) as (RawRecord | null)[]
    return ids.map((id, i) => (raw[i] ? readRecord(id, raw[i]) : null))
  }
  const isShown = (job: JobRecord, projectId: string) =>
    job.projectId === projectId && (job.expiresAtMs === null || job.expiresAtMs > now())

  return {
    read,
    async get(projectId, id) {
      if (!ID.test(id)) return null
      const [job] = await read([id])
      return job && isShown(job, projectId) ? job : null
    },
    async list(projectId, { before, limit }) {
      const index = indexKey(prefix, projectId)
      const rank = before === null ? -1 : await reached(redis.zrevrank(index, before))
      if (rank === null) return { jobs: [], next: null }
      const ids = await reached(redis.zrevrange(index, rank + 1, rank + 1 + limit))
      const jobs = (await read(ids.slice(0, limit))).filter((job) => job !== null)
      const next = ids.length > limit ? (ids[limit - 1] ?? null) : null
      return { jobs: jobs.filter((job) => isShown(job, projectId)), next }
    },
    async counts() {
      const multi = redis.multi()
      for (const type of types) {
        const key = `${prefix}:${type}:`
        multi.llen(`${key}wait`).zcard(`${key}delayed`).llen(`${key}active`)
      }
      const answers = ((await reached(multi.exec())) ?? []).map(([, value]) => Number(value))
      return types.map((type, i) => {
        const [wait = 0, delayed = 0, active = 0] = answers.slice(3 * i)
        return { type, pending: wait + delayed, processing: active }
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

/** Null for one that none of our services wrote: the others are read all the same. */
function readRecord(id: string, raw: RawRecord): JobRecord | null {
  try {
    return toRecord(id, raw)
  } catch {
    return null
  }
}
