import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Redis } from 'ioredis'
import { z } from 'zod'
import { job, JobFailure, type Job } from '../../jobs/job.ts'
import { createQueue, type JobQueue, type QueueOptions } from '../../jobs/queue.ts'
import { connectRedis, untilReady } from '../../jobs/redis-client.ts'
import { startRedis, type RedisAddress, type RedisServer } from '../../jobs/redis.ts'
import { openResults } from '../../jobs/results/open-results.ts'
import type { Results } from '../../jobs/results/results.ts'
import { startWorker, type Worker, type WorkerOptions } from '../../jobs/worker.ts'
import { createLog } from '../../log.ts'
import { createEgress } from '../../upstream/egress.ts'
import { temporaryFolder } from './database.ts'

export const silent = createLog('silent')

/** What a job of the tests is told to do. */
export const Errand = z.object({
  /** Tells one from another; it is in the picture too. */
  n: z.number(),
  ms: z.number().optional(),
  /** Fails for good, breaks down, never heeds its signal, or kills its whole process. */
  how: z.enum(['fail', 'break', 'break-once', 'hang', 'die']).optional(),
})

const broken = new Set<number>()

async function run({ n, ms = 0, how }: z.infer<typeof Errand>, signal: AbortSignal) {
  if (how === 'die') process.kill(process.pid, 'SIGKILL')
  if (how === 'hang') await new Promise(() => undefined)
  await sleep(ms, undefined, { signal })
  if (how === 'fail') throw new JobFailure('upstream_failed', `There is no page ${n}.`)
  if (how === 'break' || (how === 'break-once' && !broken.has(n))) {
    broken.add(n)
    throw new Error('The browser died.')
  }
  return { bytes: Buffer.from(`picture ${n}`), contentType: 'image/png', width: 1, height: 1 }
}

/** Two types of jobs that need no browser to be run. */
export const errands: readonly Job[] = [
  job({
    type: 'blockgame.render',
    data: Errand,
    timeoutMs: 1000,
    attempts: 2,
    needsBrowser: false,
    run: (errand, { signal, progress }) => {
      progress('rendering')
      return run(errand, signal)
    },
  }),
  job({
    type: 'tools.screenshot',
    data: Errand,
    timeoutMs: 2000,
    attempts: 2,
    needsBrowser: true,
    run: (errand, { signal }) => run(errand, signal),
  }),
]

export interface JobBench {
  readonly address: RedisAddress
  readonly redisPidFile: string
  readonly results: Results
  readonly prefix: string
  redis(): Promise<Redis>
  queue(options?: Partial<QueueOptions>): Promise<JobQueue>
  worker(options?: Partial<WorkerOptions>): Worker
  add(queue: JobQueue, projectId: string, errand: z.infer<typeof Errand>): Promise<string>
  close(): Promise<void>
}

/** Redis of its own, and everything that is opened over it, closed in reverse. */
export async function openJobBench(): Promise<JobBench> {
  const folder = temporaryFolder()
  const server: RedisServer = await startRedis({ dataDir: folder.path, url: null, log: silent })
  if (!server.address) throw new Error('Redis is not installed.')
  const { address } = server
  const results = await openResults({ folder: join(folder.path, 'results'), maxBytes: 1e9, s3: null })
  const egress = createEgress({ allowHosts: [] })
  const opened: (() => unknown)[] = [() => folder.remove(), () => server.close(), () => egress.close()]
  const redis = async () => {
    const client = connectRedis(address, silent)
    opened.push(() => client.disconnect())
    await untilReady(client, 5000)
    return client
  }
  const prefix = 'test'
  return {
    address,
    prefix,
    results,
    redisPidFile: join(folder.path, 'redis', 'redis.pid'),
    redis,
    async queue(options) {
      const [commands, subscriber] = [await redis(), await redis()]
      const queue = createQueue({
        redis: commands,
        subscriber,
        prefix,
        jobs: errands,
        log: silent,
        now: Date.now,
        ...options,
      })
      opened.push(() => queue.close())
      return queue
    },
    worker(options) {
      const worker = startWorker({
        address,
        prefix,
        jobs: errands,
        results,
        browser: null,
        egress,
        concurrency: 1,
        log: silent,
        onStuck: () => undefined,
        ...options,
      })
      opened.push(() => worker.close(0))
      return worker
    },
    async add(queue, projectId, errand) {
      return (await queue.add('blockgame.render', { projectId, label: `errand ${errand.n}`, request: errand })).id
    },
    async close() {
      for (const close of opened.toReversed()) await close()
    },
  }
}
