import { startWorker } from '../../jobs/worker/job-consumer.ts'
import { openResults } from '../../jobs/results/open-results.ts'
import type { RedisAddress } from '../../jobs/redis/redis.ts'
import { createEgress } from '../../upstream/egress/egress-guard.ts'
import { bareTools } from './bare-tools.ts'
import { errands, silent } from './encode-queue.ts'

/** A worker in a process of its own, which does errands until it is killed or its parent is gone. */
export interface RunnerSettings {
  readonly address: RedisAddress
  readonly prefix: string
  readonly resultsFolder: string
  readonly lockMs: number
}

const { address, prefix, resultsFolder, lockMs }: RunnerSettings = JSON.parse(process.argv[2] ?? '{}')
const results = await openResults({ folder: resultsFolder, maxBytes: 1e9, s3: null })
const worker = startWorker({
  address,
  prefix,
  results,
  lockMs,
  ...bareTools,
  jobs: errands,
  browser: null,
  egress: createEgress({ allowHosts: [] }),
  concurrency: 2,
  log: silent,
  onStuck: () => undefined,
})
process.send?.('ready')
process.on('disconnect', () => process.exit())
process.on('SIGTERM', () => void worker.close(1000).then(() => process.exit()))
