import type { Results } from '../results/results.ts'
import type { TakenJob } from '../queue/bull-queue.ts'
import { JobFailure, MAX_PICTURE_BYTES, type Job, type JobTools, type Picture, type Stage } from '../queue/job.ts'
import { readProgress, type JobError, type StoredPicture } from '../queue/job-record.ts'

/** Outcome of one run of a job. */
export type RunOutcome =
  | { readonly kind: 'done'; readonly stored: StoredPicture; readonly durationMs: number }
  | { readonly kind: 'failed'; readonly error: JobError; readonly durationMs: number }
  /** The run failed for a reason that was not its own; the job may be run again. */
  | { readonly kind: 'broken'; readonly faults: number; readonly cause: unknown }
  | { readonly kind: 'stopped' }

/** Dependencies of a run beside its job. */
export interface RunTools extends Omit<JobTools, 'signal' | 'progress'> {
  readonly results: Results
  /** Time after its abort until a job counts as stuck. */
  readonly stuckMs?: number
  /** An aborted job keeps running; only the end of the process ends it. */
  readonly onStuck: () => void
}

/** A shorter stage is not seen by callers. Each report is three commands to Redis, and most stages of a quick job are shorter. */
const SHOWN_MS = 100
/** Time that an aborted job has to clean up. */
const TIDY_MS = 2000
/** A job that has not ended by then never will. */
const STUCK_MS = 10_000

/** Runs a job once, within its time limit. Never throws. */
export async function runJob(job: Job, taken: TakenJob, tools: RunTools, stopping: AbortSignal): Promise<RunOutcome> {
  if (stopping.aborted) return { kind: 'stopped' }
  const startedMs = performance.now()
  const durationMs = () => Math.round(performance.now() - startedMs)
  const { faults } = readProgress(taken.progress())
  const report = (progress: { stage: Stage | null; faults: number }) => {
    // Only for who looks; a job does not fail by it.
    taken.progress(progress).catch(() => undefined)
  }
  const limit = AbortSignal.timeout(job.timeoutMs)
  const signal = AbortSignal.any([limit, stopping])
  const failed = ({ code, message }: JobError): RunOutcome => {
    return { kind: 'failed', error: { code, message }, durationMs: durationMs() }
  }
  const brokeDown = (cause: unknown): RunOutcome => {
    if (stopping.aborted) return { kind: 'stopped' }
    if (faults + 1 >= job.attempts) {
      tools.log.error({ err: cause, jobId: taken.id, type: job.type }, 'job abandoned')
      return failed({ code: 'internal_error', message: `The renderer crashed ${faults + 1} times during this job.` })
    }
    report({ stage: null, faults: faults + 1 })
    return { kind: 'broken', faults: faults + 1, cause }
  }

  const stages = createStages((stage) => report({ stage, faults }))
  let picture: Picture
  try {
    const data = job.data.parse(taken.data.request)
    const log = tools.log.child({ jobId: taken.id })
    const running = job.run(data, { ...tools, log, signal, progress: stages.enter })
    picture = bounded(await letGo(running, signal, tools))
  } catch (cause) {
    // Late progress of a run that was given up must not undo the count of its faults.
    stages.close()
    if (cause instanceof JobFailure) return failed(cause)
    if (!limit.aborted) return brokeDown(cause)
    return failed({ code: 'timed_out', message: `The job took longer than ${job.timeoutMs / 1000} s.` })
  }
  try {
    // The time limit is the job's, not the store's.
    const stored = await tools.results.put(picture, stopping)
    return { kind: 'done', stored, durationMs: durationMs() }
  } catch (cause) {
    return brokeDown(cause)
  } finally {
    stages.close()
  }
}

/** Tells the stage that a job is in once it has lasted for a moment. */
function createStages(tell: (stage: Stage) => void) {
  let timer: NodeJS.Timeout | undefined
  let isClosed = false
  const enter = (stage: Stage): void => {
    clearTimeout(timer)
    if (!isClosed) timer = setTimeout(() => tell(stage), SHOWN_MS)
  }
  const close = (): void => {
    isClosed = true
    clearTimeout(timer)
  }
  return { enter, close }
}

/** The picture, or the end of patience with a job that does not heed its signal. */
async function letGo(run: Promise<Picture>, signal: AbortSignal, tools: RunTools): Promise<Picture> {
  const patience = Promise.withResolvers<never>()
  const timers: NodeJS.Timeout[] = []
  const onAbort = () => {
    timers.push(setTimeout(() => patience.reject(signal.reason as Error), TIDY_MS))
    timers.push(setTimeout(tools.onStuck, tools.stuckMs ?? STUCK_MS))
  }
  const settled = () => timers.forEach(clearTimeout)
  signal.addEventListener('abort', onAbort, { once: true })
  // Even after its caller has left, its end clears the alarm.
  run.then(settled, settled)
  try {
    return await Promise.race([run, patience.promise])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}

function bounded(picture: Picture): Picture {
  if (picture.bytes.length <= MAX_PICTURE_BYTES) return picture
  const message = `The image is larger than ${MAX_PICTURE_BYTES / 1024 / 1024} MiB. Request a smaller part.`
  throw new JobFailure('bad_request', message)
}
