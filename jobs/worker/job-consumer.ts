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
import { BROWSER_JOB_TYPES, JOB_TYPES, type Job } from '../queue/job.ts'
import { announce, PRESENCE_EVERY_MS, repeat, withdraw, type Heartbeat } from '../queue/heartbeat.ts'
import { failureText } from '../queue/job-record.ts'
import type { RedisAddress } from '../redis/redis.ts'
import { type RunTools, runJob } from './run-job.ts'

/** Takes jobs and does them. */
export interface Worker {
  /** How many it is at. */
  readonly running: number
  /** Takes no more, gives what it is at `graceMs` to end, and leaves the rest to other workers. */
  close(graceMs: number): Promise<void>
}

export interface WorkerOptions extends RunTools {
  readonly address: RedisAddress
  readonly prefix: string
  readonly jobs: readonly Job[]
  /** How many jobs of each type at once. */
  readonly concurrency: number
  /** What to do once no job has run for so long. */
  readonly idle?: { readonly afterMs: number; onIdle(): void } | null
  /** How long a worker that is silent keeps its jobs; only tests are impatient. */
  readonly lockMs?: number
}

export function startWorker(options: WorkerOptions): Worker {
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
    const work = (taken: TakenJob) => {
      const run = runIsolated(isolation, taken, () => perform(job, taken, options, stopping.signal))
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

  const presence = (): Heartbeat => ({
    id: `${hostname()}-${process.pid}`,
    host: hostname(),
    pid: process.pid,
    types: jobs.map(({ type }) => type),
    hasBrowser: browser !== null,
    concurrency,
    running: running.size,
    isAsleep: false,
  })
  const announcing = repeat(PRESENCE_EVERY_MS, async () => {
    const [queue] = queues
    if (queue) await announce(queue.client, prefix, presence())
  })
  idle.start()

  return {
    get running() {
      return running.size
    },
    async close(graceMs) {
      announcing.stop()
      idle.stop()
      const [queue] = queues
      // Without Redis it cannot be announced, and must not hold up the shutdown.
      if (queue) await settleWithin(1000, withdraw(queue.client, prefix, presence().id))
      const closed = Promise.all(queues.map((each) => each.close()))
      await settleWithin(graceMs, Promise.allSettled(running))
      stopping.abort(new StoppedError('The worker stops.'))
      await settleWithin(5000, closed)
    },
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
async function runIsolated(
  isolation: StalledIsolation,
  taken: TakenJob,
  run: () => Promise<unknown>,
): Promise<unknown> {
  const { client } = taken.queue
  const stalls = await client.hget(taken.queue.toKey(String(taken.id)), 'stalledCounter')
  const isSuspect = Number(stalls ?? 0) > 0
  const leave = await isolation.enter(isSuspect)
  if (!leave) throw new PostponedError('Another job has the renderer to itself.')
  try {
    // Those that were taken in the same moment go back to the queue first, where this one cannot take them with it.
    if (isSuspect) await sleep(SETTLE_MS)
    return await run()
  } finally {
    leave()
  }
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
      throw new StoppedError('The worker stops.')
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
