import { join } from 'node:path'
import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import type { Redis } from 'ioredis'
import type { z } from 'zod'
import { createQueue, type JobQueue, type QueueOptions } from '../../jobs/queue/queue.ts'
import { connectRedis, untilReady } from '../../jobs/redis/redis-client.ts'
import { startRedis, type RedisAddress, type RedisServer } from '../../jobs/redis/redis.ts'
import { openResults } from '../../jobs/results/open-results.ts'
import type { Results } from '../../jobs/results/results.ts'
import { startWorker, type Worker, type WorkerOptions } from '../../jobs/worker/job-consumer.ts'
import { createEgress } from '../../upstream/egress/egress-guard.ts'
import { bareTools } from './bare-tools.ts'
import { temporaryFolder } from './database.ts'
import { errands, silent, type EncodeJob } from './encode-queue.ts'

export interface JobBench {
  readonly address: RedisAddress
  readonly redisPidFile: string
  readonly results: Results
  readonly resultsFolder: string
  readonly prefix: string
  redis(): Promise<Redis>
  queue(options?: Partial<QueueOptions>): Promise<JobQueue>
  worker(options?: Partial<WorkerOptions>): Worker
  /** A worker in a process of its own; anyone who kills it does so with -9. */
  runner(): Promise<ChildProcess>
  add(queue: JobQueue, projectId: string, errand: z.infer<typeof EncodeJob>): Promise<string>
  close(): Promise<void>
}

/** Short, so that a test need not wait until a dead worker is given up. */
const LOCK_MS = 1500

/** Redis of its own, and everything that is opened over it, closed in reverse. */
export async function openJobBench(): Promise<JobBench> {
  const folder = temporaryFolder()
  const server: RedisServer = await startRedis({ dataDir: folder.path, url: null, log: silent })
  if (!server.address) throw new Error('Redis is not installed.')
  const { address } = server
  const resultsFolder = join(folder.path, 'results')
  const results = await openResults({ folder: resultsFolder, maxBytes: 1e9, s3: null })
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
    resultsFolder,
    redisPidFile: join(folder.path, 'redis', 'redis.pid'),
    redis,
    async queue(options) {
      const [commands, subscriber] = [await redis(), await redis()]
      const queue = createQueue({
        redis: commands,
        subscriber,
        prefix,
        subscriberId: 'test',
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
        ...bareTools,
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
    async runner() {
      const settings = { address, prefix, resultsFolder, lockMs: LOCK_MS }
      const child = fork(join(import.meta.dirname, 'job-runner.ts'), [JSON.stringify(settings)])
      opened.push(() => {
        child.kill('SIGKILL')
      })
      await once(child, 'message')
      return child
    },
    async add(queue, projectId, errand) {
      return (await queue.add('blockgame.render', { projectId, label: `errand ${errand.n}`, request: errand })).id
    },
    async close() {
      for (const close of opened.toReversed()) await close()
    },
  }
}
