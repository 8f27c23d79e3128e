import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { job, JobFailure, type Job } from '../../jobs/queue/job.ts'
import { createLog } from '../../lib/log.ts'

export const silent = createLog('silent')

/** Parameters of a test job. */
export const EncodeJob = z.object({
  /** Tells one from another; it is in the picture too. */
  n: z.number(),
  ms: z.number().optional(),
  /** Fails for good, breaks down, never heeds its signal, or kills its whole process. */
  how: z.enum(['fail', 'break', 'break-once', 'hang', 'die']).optional(),
})

const broken = new Set<number>()

async function run({ n, ms = 0, how }: z.infer<typeof EncodeJob>, signal: AbortSignal) {
  if (how === 'die') process.kill(process.pid, 'SIGKILL')
  if (how === 'hang') await new Promise(() => undefined)
  await sleep(ms, undefined, { signal })
  if (how === 'fail') throw new JobFailure('upstream_failed', `There is no page ${n}.`)
  if (how === 'break' || (how === 'break-once' && !broken.has(n))) {
    broken.add(n)
    throw new Error('The browser died.')
  }
  return { bytes: Buffer.from(`picture ${n}`), contentType: 'image/png', width: process.pid, height: 1 }
}

/** Two types of jobs that need no browser to be run. */
export const errands: readonly Job[] = [
  job({
    type: 'blockgame.render',
    data: EncodeJob,
    timeoutMs: 1000,
    attempts: 2,
    run: (errand, { signal, progress }) => {
      progress('rendering')
      // Something of it that still moves when it has broken down, as a page does that no one told to stop.
      if (errand.how === 'break') setTimeout(() => progress('rendering'), 200)
      return run(errand, signal)
    },
  }),
  job({
    type: 'tools.screenshot',
    data: EncodeJob,
    timeoutMs: 2000,
    attempts: 2,
    run: (errand, { signal }) => run(errand, signal),
  }),
]
