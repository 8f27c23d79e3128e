import type { Redis } from 'ioredis'
import { Fault } from '../../lib/errors.ts'
import { createAdmission } from './admission.ts'
import type { Producer } from './bull-queue.ts'
import { createCompletionEvents, type QueueAccess } from './completion-events.ts'
import { placeFormerJobs } from './former-jobs.ts'
import { JOB_TYPES, type JobPayload, type JobType } from './job.ts'
import { createReader, reached } from './job-reader.ts'
import type { JobRecord } from './job-record.ts'
import { placeKeys } from './job-places.ts'
import { createLongPoll, type WaitBounds } from './long-poll.ts'

/** The service's side of the queue: what is asked for, how far it is, and what became of it. */
export type JobQueue = ReturnType<typeof createQueue>

export interface QueueOptions extends QueueAccess {
  /** Defaults to all. */
  readonly types?: readonly JobType[]
  /** Number of jobs that may wait; those of one project may take half of the free room. */
  readonly capacity?: number
}

const CAPACITY = 2000
export function createQueue(options: QueueOptions) {
  const { redis, prefix, log, types = JOB_TYPES, capacity = CAPACITY } = options
  const producers = new Map<JobType, Promise<Producer>>()
  const producerOf = (type: JobType): Promise<Producer> => {
    const producer = producers.get(type) ?? loadProducer(redis, prefix, type)
    producers.set(type, producer)
    return producer
  }
  const { read, ...reader } = createReader({ ...options, types, producerOf })
  const endings = createCompletionEvents({ ...options, types, read })
  const waiting = createLongPoll({ endings, read, log })
  const admit = createAdmission({ ...options, capacity, read })
  placeFormerJobs({ redis, prefix, types, producerOf }).catch((err: unknown) => {
    log.warn({ err }, 'reading jobs of the former version failed')
  })

  return {
    ...reader,
    /**
     * The job of a request: a new one, or the one that the project already asked for, as long as that is pending or
     * younger than a minute.
     * @throws {Fault} `service_unavailable` when the queue is full or out of reach.
     */
    async add(type: JobType, order: JobPayload) {
      if (!types.includes(type)) throw new Error(`No renderer is declared for ${type}.`)
      const producer = await producerOf(type)
      const { id, isNew, ...entry } = await admit(type, order)
      // Also where it is the same: the first process may have died in between, and adding twice adds once.
      await reached(producer.add(id, order, entry))
      // Fails only when Redis is away; a job that Bull has stays in its place without this.
      redis.zrem(placeKeys(prefix, type).admitted, id).catch(() => undefined)
      const [job] = await read([id])
      if (!job)
        throw new Fault('service_unavailable', 'The job was lost. Send the request again.', { retryAfterMs: 1000 })
      log.info({ jobId: id, type, projectId: order.projectId }, isNew ? 'job queued' : 'job shared')
      return job
    },
    /**
     * The job as soon as it is over, or as it is when the time is.
     * @throws what `signal` aborts with; {Fault} `rate_limited` when too many of the project already wait.
     */
    async wait(projectId: string, id: string, bounds: WaitBounds): Promise<JobRecord | null> {
      const job = await reader.get(projectId, id)
      return job && waiting.wait(job, bounds)
    },
    /** Tells every job that ends, once as a rule, and again what ended in the last seconds before a restart. */
    onDone: (listener: (job: JobRecord) => void) => endings.subscribe(listener),
    async close() {
      waiting.close()
      await endings.close()
    },
  }
}

/** Loads Bull with the first job: it takes 9 MiB of heap, which a service that only plays music keeps free. */
async function loadProducer(redis: Redis, prefix: string, type: JobType): Promise<Producer> {
  const { openProducer } = await import('./bull-queue.ts')
  return openProducer(redis, prefix, type)
}
