import { setTimeout as sleep } from 'node:timers/promises'
import { hostname } from 'node:os'
import type { Logger } from '../../lib/log.ts'
import { settleWithin } from '../../lib/deadline.ts'
import {
  FinalError,
  openConsumer,
  PostponedError,
  StoppedError,
  type TakenJob,
  type ConsumerQueue,
} from '../queue/bull-queue.ts'
import { createStalledIsolation, type StalledIsolation } from './stalled-isolation.ts'
import { BROWSER_JOB_TYPES, JOB_TYPES, type Job, type JobType } from '../queue/job.ts'
import { createPlaces, type JobPlaces } from '../queue/job-places.ts'
import { announce, PRESENCE_EVERY_MS, repeat, withdraw, type Heartbeat } from '../queue/heartbeat.ts'
import { failureText } from '../queue/job-record.ts'
import type { RedisAddress } from '../redis/redis.ts'
import { type RunTools, runJob } from './run-job.ts'

/** Takes jobs and does them. */
export type Worker = ReturnType<typeof startWorker>

export interface WorkerOptions extends RunTools {
  readonly address: RedisAddress
  readonly prefix: string
  readonly jobs: readonly Job[]
  /** Number of jobs of each type that run at a time. */
  readonly concurrency: number
  /** Calls `onIdle` once no job has run for `afterMs`. */
  readonly idle?: { readonly afterMs: number; onIdle(): void } | null
  /** Time that an unresponsive worker keeps its jobs; only tests set a short one. */
  readonly lockMs?: number
}

export function startWorker(options: WorkerOptions) {
  const { address, prefix, browser, concurrency, log } = options
  assertOneEach(options.jobs)
  const jobs = options.jobs.filter(({ type }) => browser !== null || !BROWSER_JOB_TYPES.has(type))
  const stopping = new AbortController()
  const running = new Set<Promise<unknown>>()
  const isolation = createStalledIsolation()
  const idle = createIdleTimer(options.idle ?? null)

  const queues = jobs.map((job) => {
    const queue = openConsumer(address, prefix, job.type, options.lockMs)
    reportTrouble(queue, log)
    const places = createPlaces(queue.client, prefix, job.type)
    reportEnds(queue, places, log)
    const work = (taken: TakenJob) => {
      const run = runIsolated({ isolation, places }, taken, () => perform(job, taken, options, stopping.signal))
      running.add(run)
      idle.stop()
      return run.finally(() => {
        running.delete(run)
        if (running.size === 0) idle.start()
      })
    }
    queue.process(concurrency, work as never).catch((err: unknown) => {
      if (!stopping.signal.aborted) log.error({ err, type: job.type }, 'worker exited')
    })
    return queue
  })
  const types = jobs.map(({ type }) => type)
  const presence = () => presenceOf(options, types, running.size)
  const announcing = repeat(PRESENCE_EVERY_MS, async () => {
    const [queue] = queues
    if (queue) await announce(queue.client, prefix, presence())
  })
  idle.start()

  return {
    /** Number of jobs that it runs. */
    get running(): number {
      return running.size
    },
    /** Takes no more jobs, gives the running ones `graceMs` to end, and leaves the rest to other workers. */
    async close(graceMs: number) {
      announcing.stop()
      idle.stop()
      const [queue] = queues
      // Without Redis it cannot be announced, and must not hold up the shutdown.
      if (queue) await settleWithin(1000, withdraw(queue.client, prefix, presence().id))
      const closed = Promise.all(queues.map((each) => each.close()))
      await settleWithin(graceMs, Promise.allSettled(running))
      stopping.abort(new StoppedError('The worker is stopping.'))
      await settleWithin(5000, closed)
    },
  }
}

function presenceOf({ browser, concurrency }: WorkerOptions, types: readonly JobType[], running: number): Heartbeat {
  const id = `${hostname()}-${process.pid}`
  return {
    id,
    host: hostname(),
    pid: process.pid,
    types,
    hasBrowser: browser !== null,
    concurrency,
    running,
    isAsleep: false,
  }
}

/** @throws {Error} unless every type of job has exactly one declaration, and so exactly one that runs it. */
export function assertOneEach(jobs: readonly Job[]): void {
  for (const type of JOB_TYPES) {
    const count = jobs.filter((job) => job.type === type).length
    if (count !== 1) throw new Error(`${type} is declared ${count} times; it must be once.`)
  }
}

/** Long enough for a few jobs to be handed back to Redis. */
const SETTLE_MS = 500

/** Runs it beside others or alone, depending on whether a worker has died while it was run. */
async function runIsolated({ isolation, places }: Running, taken: TakenJob, run: () => Promise<unknown>) {
  const id = String(taken.id)
  const isSuspect = await places.begin(id, taken.opts.priority ?? 0)
  const leave = await isolation.enter(isSuspect)
  try {
    if (!leave) throw new PostponedError('Another job has the renderer to itself.')
    // Jobs taken in the same moment first go back to the queue, where a crash of this one does not affect them.
    if (isSuspect) await sleep(SETTLE_MS)
    return await run()
  } catch (error) {
    // Before Bull hands it to the next worker.
    if (!(error instanceof FinalError)) await places.requeue(id)
    throw error
  } finally {
    leave?.()
  }
}

interface Running {
  readonly isolation: StalledIsolation
  readonly places: JobPlaces
}

/** Bull emits `failed` for each run; a job that is run again has no end. */
function reportEnds(queue: ConsumerQueue, places: JobPlaces, log: Logger): void {
  const end = (job: TakenJob | null) => {
    if (!job?.finishedOn) return
    places
      .end(String(job.id), job.finishedOn)
      .catch((err: unknown) => log.warn({ err }, 'telling the end of a job failed'))
  }
  queue.on('completed', end)
  queue.on('failed', end)
}

/** One run of a job, in the queue's terms: what is thrown decides whether there is another. */
async function perform(job: Job, taken: TakenJob, options: WorkerOptions, stopping: AbortSignal): Promise<unknown> {
  const { log } = options
  const jobId = String(taken.id)
  const outcome = await runJob(job, taken, options, stopping)
  switch (outcome.kind) {
    case 'done':
      log.info({ jobId, type: job.type, durationMs: outcome.durationMs }, 'job completed')
      return outcome.stored
    case 'failed':
      log.info({ jobId, type: job.type, durationMs: outcome.durationMs, error: outcome.error }, 'job failed')
      throw new FinalError(failureText(outcome.error))
    case 'broken':
      log.warn({ jobId, type: job.type, faults: outcome.faults, err: outcome.cause }, 'job failed, retrying')
      throw new Error('The renderer crashed.', { cause: outcome.cause })
    case 'stopped':
      log.info({ jobId, type: job.type }, 'job handed to another worker')
      throw new StoppedError('The worker is stopping.')
  }
}

/** Redis says so at every attempt; the first and the last are of interest. */
function reportTrouble(queue: ConsumerQueue, log: Logger): void {
  let isTroubled = false
  queue.on('error', (err) => {
    if (!isTroubled) log.warn({ err }, 'job queue unreachable')
    isTroubled = true
  })
  queue.on('active', () => {
    if (isTroubled) log.info('job queue reconnected')
    isTroubled = false
  })
  queue.on('stalled', (job) => log.warn({ jobId: job.id, type: queue.name }, 'job of a dead worker requeued'))
  queue.on('lock-extension-failed' as 'error', (err) => log.warn({ err }, 'renewing job lock failed'))
}

function createIdleTimer(idle: (WorkerOptions['idle'] & {}) | null): { start(): void; stop(): void } {
  let timer: NodeJS.Timeout | undefined
  return {
    start() {
      clearTimeout(timer)
      if (idle) timer = setTimeout(() => idle.onIdle(), idle.afterMs).unref()
    },
    stop: () => clearTimeout(timer),
  }
}
