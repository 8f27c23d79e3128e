import type { JobType } from './job.ts'
import type { Heartbeat } from './heartbeat.ts'
import type { JobQueue } from './queue.ts'
import type { QueueCounts } from './job-reader.ts'
import type { JobRecord } from './job-record.ts'
import type { Swept } from '../results/results.ts'
import type { WorkerRegistry } from './worker-registry.ts'
import type { ResultGc } from './result-gc.ts'

/** What became of the jobs of one type, since this service started. */
export interface Tally {
  readonly type: JobType
  readonly outcome: 'completed' | 'failed'
  jobs: number
  /** From the start of the last run to its end. */
  runMs: number
  /** Before it. */
  waitMs: number
}

export interface JobSnapshot {
  readonly queues: readonly QueueCounts[]
  readonly tallies: readonly Tally[]
  readonly workers: readonly Heartbeat[]
  readonly results: Swept | null
}

export interface JobCounts {
  /** Null where there are no jobs, for want of Redis. */
  snapshot(): Promise<JobSnapshot | null>
}

interface Counted {
  readonly queue: Pick<JobQueue, 'onDone' | 'counts'>
  readonly roster: Pick<WorkerRegistry, 'present'>
  readonly sweeping: Pick<ResultGc, 'last'>
}

export function createJobCounts({ queue, roster, sweeping }: Counted): JobCounts {
  const tallies = new Map<string, Tally>()

  queue.onDone((job: JobRecord) => {
    const { type, createdAtMs, startedAtMs, finishedAtMs } = job
    const outcome = job.status === 'failed' ? 'failed' : 'completed'
    const tally = tallies.get(`${type} ${outcome}`) ?? { type, outcome, jobs: 0, runMs: 0, waitMs: 0 }
    tallies.set(`${type} ${outcome}`, tally)
    tally.jobs++
    tally.waitMs += Math.max(0, (startedAtMs ?? createdAtMs) - createdAtMs)
    tally.runMs += Math.max(0, (finishedAtMs ?? 0) - (startedAtMs ?? finishedAtMs ?? 0))
  })

  return {
    async snapshot() {
      const [queues, workers] = await Promise.all([queue.counts(), roster.present()])
      return { queues, workers, tallies: [...tallies.values()], results: sweeping.last }
    },
  }
}
