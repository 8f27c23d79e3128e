import { createHash, randomBytes } from 'node:crypto'
import type { Redis } from 'ioredis'
import { Fault } from '../../lib/errors.ts'
import type { Logger } from '../../lib/log.ts'
import type { Producer } from './bull-queue.ts'
import { createCompletionEvents } from './completion-events.ts'
import { JOB_TYPES, KEPT_MS, type JobPayload, type JobType } from './job.ts'
import { createReader, indexKey, reached, type JobReader } from './job-reader.ts'
import type { JobRecord } from './job-record.ts'
import { ADMIT } from './lua-scripts.ts'
import { createLongPoll, type WaitBounds } from './long-poll.ts'

/** The service's side of the queue: what is asked for, how far it is, and what became of it. */
export interface JobQueue extends Omit<JobReader, 'read'> {
  /**
   * The job of a request: a new one, or the one that the project already asked for, as long as that is pending or
   * younger than a minute.
   * @throws {Fault} `service_unavailable` when the queue is full or out of reach.
   */
  add(type: JobType, order: JobPayload): Promise<JobRecord>
  /**
   * The job as soon as it is over, or as it is when the time is.
   * @throws what `signal` aborts with; {Fault} `rate_limited` when too many of the project already wait.
   */
  wait(projectId: string, id: string, bounds: WaitBounds): Promise<JobRecord | null>
  /** Tells every job that ends, once as a rule, and again what ended in the last seconds before a restart. */
  onDone(listener: (job: JobRecord) => void): () => void
  close(): Promise<void>
}

export interface QueueOptions {
  /** For commands; fails what it cannot send at once. The queue closes neither of the two. */
  readonly redis: Redis
  /** For events; a connection of its own. */
  readonly subscriber: Redis
  /** Of all keys. */
  readonly prefix: string
  /** Names who hears of ends, from one start to the next. */
  readonly subscriberId: string
  /** Defaults to all. */
  readonly types?: readonly JobType[]
  readonly log: Logger
  readonly now: () => number
  /** How many may wait; those of one project may take half of what is free. */
  readonly capacity?: number
}

const CAPACITY = 2000
const FRESH_MS = 60_000
const MOST_LISTED = 1000
/** From its place in the queue to Bull a job takes two commands, each of which fails after less. */
const ADMITTED_MS = 10_000

export function createQueue(options: QueueOptions): JobQueue {
  const { redis, prefix, log, types = JOB_TYPES, capacity = CAPACITY } = options
  const producers = new Map<JobType, Promise<Producer>>()
  const producerOf = (type: JobType): Promise<Producer> => {
    const producer = producers.get(type) ?? loadProducer(redis, prefix, type)
    producers.set(type, producer)
    return producer
  }
  const reader = createReader({ ...options, types })
  const read = (ids: readonly string[]) => reader.read(ids)
  const endings = createCompletionEvents({ ...options, types, read })
  const waiting = createLongPoll({ endings, read, log })

  return {
    async add(type, order) {
      if (!types.includes(type)) throw new Error(`No renderer is declared for ${type}.`)
      const producer = await producerOf(type)
      const admitted = await reached(ADMIT(redis, ...admission(options, capacity, { type, order })))
      const [how, id, turn, atMs] = admitted as [string, string, string, string]
      if (how === 'full') throw full()
      // Also where it is the same: the first process may have died in between, and adding twice adds once.
      await reached(producer.add(id, order, { turn: Number(turn), nowMs: Number(atMs) }))
      // Fails only when Redis is away; its script drops stale entries.
      redis.zrem(admittedKey(prefix, type), id).catch(() => undefined)
      const [job] = await read([id])
      if (!job)
        throw new Fault('service_unavailable', 'The job was lost. Send the request again.', { retryAfterMs: 1000 })
      log.info({ jobId: id, type, projectId: order.projectId }, how === 'new' ? 'job queued' : 'job shared')
      return job
    },
    get: (projectId, id) => reader.get(projectId, id),
    list: (projectId, page) => reader.list(projectId, page),
    counts: () => reader.counts(),
    async wait(projectId, id, bounds) {
      const job = await reader.get(projectId, id)
      return job && waiting.wait(job, bounds)
    },
    onDone: (listener) => endings.subscribe(listener),
    async close() {
      waiting.close()
      await endings.close()
    },
  }
}

/** With the first job: Bull and what it brings along take 9 MiB of heap, which a service that only plays music keeps free. */
async function loadProducer(redis: Redis, prefix: string, type: JobType): Promise<Producer> {
  const { openProducer } = await import('./bull-queue.ts')
  return openProducer(redis, prefix, type)
}

/** Keys and arguments of the script. */
function admission(
  { prefix, now }: QueueOptions,
  capacity: number,
  { type, order }: { readonly type: JobType; readonly order: JobPayload },
): [string[], (string | number)[]] {
  const { projectId } = order
  const id = newId()
  const of = `${prefix}:${type}:`
  const digest = createHash('sha256')
    .update(JSON.stringify([order.label, order.request]))
    .digest('base64url')
  const keys = ['wait', 'delayed', 'priority', 'completed', 'failed', 'turns'].map((name) => of + name)
  keys.push(`${of}same:${projectId}:${digest}`, indexKey(prefix, projectId), of + id, admittedKey(prefix, type))
  return [keys, [id, projectId, now(), capacity, FRESH_MS, MOST_LISTED, KEPT_MS + FRESH_MS, ADMITTED_MS]]
}

function admittedKey(prefix: string, type: JobType): string {
  return `${prefix}:${type}:admitted`
}

const LETTERS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** 131 random bits, which cannot be guessed. */
function newId(): string {
  let left = BigInt(`0x${randomBytes(17).toString('hex')}`)
  let text = ''
  for (let i = 0; i < 22; i++) {
    text += LETTERS[Number(left % 62n)]
    left /= 62n
  }
  return `job_${text}`
}

function full(): Fault {
  const message = 'Too many jobs wait in the queue. Try again later.'
  return new Fault('service_unavailable', message, { retryAfterMs: 15_000 })
}
