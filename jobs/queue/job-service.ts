import type { Readable } from 'node:stream'
import type { z } from 'zod'
import { Fault } from '../../lib/errors.ts'
import type { Logger } from '../../lib/log.ts'
import { currentContext } from '../../lib/request-context.ts'
import type { Egress } from '../../upstream/egress/egress-guard.ts'
import type { JobType } from './job.ts'
import { ensureStoreId, prefixOf } from './store-id.ts'
import type { Heartbeat } from './heartbeat.ts'
import type { QueueCounts } from './job-reader.ts'
import { createQueue, type JobQueue } from './queue.ts'
import { connectRedis, untilReady } from '../redis/redis-client.ts'
import type { RedisAddress } from '../redis/redis.ts'
import { FigureRequest } from '../figures/figure-request.ts'
import { ScreenshotRequest, type OwnHeaders, type ScreenshotOptions } from '../screenshots/page-requests.ts'
import type { JobSecrets } from '../screenshots/job-secrets.ts'
import { openResults } from '../results/open-results.ts'
import type { ByteRange, Results, Swept } from '../results/results.ts'
import type { StoredPicture } from './job-record.ts'
import { standbyTypes, startStandby, type StandbyOptions } from '../worker/standby.ts'
import { createWorkerRegistry, type WorkerRegistry } from './worker-registry.ts'
import type { JobSettings } from '../worker/settings.ts'
import { startResultGc } from './result-gc.ts'

/** Jobs that a caller may queue, and queries about them. */
export interface Jobs extends Pick<JobQueue, 'get' | 'list' | 'wait'> {
  /** @throws {Fault} `address_refused` when it leads nowhere public; `service_unavailable` when no worker can render it. */
  screenshot(projectId: string, request: ScreenshotOptions, own?: OwnHeaders): Promise<QueuedJob>
  /** @throws {Fault} `bad_request` naming a URL of `named` that leads nowhere public; and as above. */
  figure(projectId: string, order: FigureOrder): Promise<QueuedJob>
  /** Null: it is no longer kept. The caller reads it to the end or destroys it. */
  open(picture: StoredPicture, range: ByteRange | null): Promise<Readable | null>
}

/** A figure, what it is filed under, and those of its URLs that the caller named, by what the caller calls them. */
export interface FigureOrder {
  readonly name: string
  readonly request: z.output<typeof FigureRequest>
  readonly named: Readonly<Record<string, string>>
}

type QueuedJob = Awaited<ReturnType<JobQueue['add']>>

/** The jobs and what they hold open. */
export interface OpenJobs extends Pick<JobQueue, 'onDone'> {
  readonly jobs: Jobs
  /** Null if there are no jobs, for want of Redis. */
  counts(): Promise<JobSnapshot | null>
  /** Has the service's own renderer announced while it sleeps, and woken for jobs; until the queue is closed. */
  standBy(own: OwnRenderer): void
  close(): Promise<void>
}

/** State of the jobs of all services. */
export interface JobSnapshot {
  readonly queues: readonly QueueCounts[]
  readonly workers: readonly Heartbeat[]
  readonly results: Swept | null
}

type OwnRenderer = Pick<StandbyOptions, 'renderer' | 'concurrency' | 'hasBrowser'>

interface JobsOptions {
  /** Null: there is no Redis, and every call says so. */
  readonly address: RedisAddress | null
  readonly settings: JobSettings
  readonly egress: Egress
  readonly secrets: Pick<JobSecrets, 'seal'>
  readonly log: Logger
  readonly now: () => number
  /** Hears of what was asked for, also where it is an earlier job. */
  readonly onQueued: (jobId: string) => void
}

const REDIS_PATIENCE_MS = 2000
/** A request does not wait for a Redis that hangs. */
const COMMAND_MS = 2000

export async function openJobs(options: JobsOptions): Promise<OpenJobs> {
  const { address, settings, egress, secrets, log, now, onQueued } = options
  if (!address) return withoutRedis()
  await using opening = new AsyncDisposableStack()
  const results = opening.adopt(await openResults(settings.results), (it) => it.close())
  const prefix = prefixOf(settings.redisPrefix, results)
  const connect = (how = {}) => {
    const client = connectRedis(address, log, how)
    opening.defer(() => client.disconnect())
    return client
  }
  const [redis, subscriber] = [connect({ commandMs: COMMAND_MS }), connect()]
  await untilReady(redis, REDIS_PATIENCE_MS)
  const { queueMax: capacity, dataDir } = settings
  const queueOptions = { redis, subscriber, prefix, log, now, capacity, subscriberId: ensureStoreId(dataDir) }
  const queue = opening.adopt(createQueue(queueOptions), (it) => it.close())
  let standby: OwnRenderer | null = null
  const ownTypes = () => (standby ? standbyTypes(standby) : [])
  const hasOwn = settings.concurrency !== 0
  const registry = opening.adopt(createWorkerRegistry({ redis, prefix, hasOwn, ownTypes }), (it) => it.close())
  const sweeping = opening.adopt(startResultGc(results, log, now), (it) => it.close())
  const opened = opening.move()
  return {
    jobs: jobsOver({ queue, registry, results, egress, secrets, onQueued }),
    async counts() {
      const [queues, workers] = await Promise.all([queue.counts(), registry.present()])
      return { queues, workers, results: sweeping.last }
    },
    standBy(own) {
      standby = own
      const options = { ...own, redis, prefix, counts: () => queue.counts() }
      opened.adopt(startStandby(options), (it) => it.close())
    },
    onDone: (listener) => queue.onDone(listener),
    close: () => opened.disposeAsync(),
  }
}

interface Parts {
  readonly queue: JobQueue
  readonly registry: WorkerRegistry
  readonly results: Results
  readonly egress: Egress
  readonly secrets: Pick<JobSecrets, 'seal'>
  readonly onQueued: JobsOptions['onQueued']
}

function jobsOver({ queue, registry, results, egress, secrets, onQueued }: Parts): Jobs {
  const add = async (type: JobType, order: { projectId: string; label: string; request: unknown }) => {
    await registry.assertServed(type)
    const job = await queue.add(type, { ...order, requestId: currentContext()?.fields['requestId'] })
    onQueued(job.id)
    return job
  }
  return {
    async screenshot(projectId, asked, own) {
      const sealed = own ? secrets.seal(own) : null
      const request = ScreenshotRequest.parse({ ...asked, sealed })
      await egress.check(request.url)
      return add('tools.screenshot', { projectId, label: request.url, request })
    },
    async figure(projectId, { name, request, named }) {
      for (const [input, url] of Object.entries(named)) {
        await egress.check(url).catch((error: unknown) => Promise.reject(asBadRequest(error, input)))
      }
      return add('blockgame.render', { projectId, label: name, request: FigureRequest.parse(request) })
    },
    get: (projectId, id) => queue.get(projectId, id),
    list: (projectId, page) => queue.list(projectId, page),
    wait: (projectId, id, bounds) => queue.wait(projectId, id, bounds),
    open: (picture, range) => results.open(picture, range),
  }
}

/** The block game's routes say 400 where others say 422. */
function asBadRequest(error: unknown, input: string): unknown {
  if (!(error instanceof Fault) || error.code !== 'validation_error') return error
  return new Fault('bad_request', error.message, { reason: error.reason, input, cause: error })
}

function refuse(): Promise<never> {
  const message = 'Jobs need Redis. The operator can install redis-server or set REDIS_URL.'
  return Promise.reject(new Fault('service_unavailable', message))
}

function withoutRedis(): OpenJobs {
  return {
    jobs: { screenshot: refuse, figure: refuse, get: refuse, list: refuse, wait: refuse, open: refuse },
    counts: () => Promise.resolve(null),
    standBy: () => undefined,
    onDone: () => () => undefined,
    close: () => Promise.resolve(),
  }
}
