import type { Redis } from 'ioredis'
import type { Producer } from './bull-queue.ts'
import type { JobType } from './job.ts'
import { placeKeys, PLACES_A_TURN } from './job-places.ts'

interface FormerJobs {
  readonly redis: Redis
  readonly prefix: string
  readonly types: readonly JobType[]
  readonly producerOf: (type: JobType) => Promise<Producer>
}

/** Gives jobs that versions before 2026-11-28 left in the queue their places; those versions numbered no jobs of a turn. */
export async function placeFormerJobs({ redis, prefix, types, producerOf }: FormerJobs): Promise<void> {
  for (const type of types) {
    const { queued, turns } = placeKeys(prefix, type)
    const isFormer = (await redis.exists(turns)) === 1 && (await redis.hsetnx(turns, '#', 0)) === 1
    const jobs = isFormer ? await (await producerOf(type)).listOpen() : []
    const inOrder = jobs.toSorted((a, b) => a.timestamp - b.timestamp)
    for (const [i, { id, opts }] of inOrder.entries()) {
      await redis.zadd(queued, 'NX', (opts.priority ?? 0) * PLACES_A_TURN + i, String(id))
    }
  }
}
