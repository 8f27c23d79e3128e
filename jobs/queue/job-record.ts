import { z } from 'zod'
import { KEPT_MS, type JobFailureCode, type JobPayload, type JobType, type Picture, type Stage } from './job.ts'

/** Location and properties of a job's picture. */
export interface StoredPicture extends Omit<Picture, 'bytes'> {
  /** Hash of the content, so that equal pictures are kept once: 64 hex digits. */
  readonly sha256: string
  readonly bytes: number
}

export interface JobError {
  readonly code: JobFailureCode | 'internal_error'
  readonly message: string
}

export type JobStatus = 'pending' | 'processing' | 'completed' | 'failed'

export const JOB_ID = /^job_[0-9A-Za-z]{22}$/

/** A job as it is at one moment. Times are milliseconds since 1970. */
export interface JobRecord {
  readonly id: string
  readonly projectId: string
  readonly type: JobType
  readonly label: string
  /** ID of the request that asked for it first. */
  readonly requestId: string | null
  readonly status: JobStatus
  /** Position in the queue, starting at 1. Null outside the queue. */
  readonly position: number | null
  /** Current step. Null unless processing. */
  readonly stage: Stage | null
  readonly createdAtMs: number
  readonly startedAtMs: number | null
  readonly finishedAtMs: number | null
  readonly expiresAtMs: number | null
  readonly result: StoredPicture | null
  readonly error: JobError | null
}

/** Progress that a running job stores at its entry. */
interface Progress {
  readonly stage: Stage | null
  /** Runs that failed for a reason that was not the job's. */
  readonly faults: number
}

const Failure = z.object({
  code: z.enum(['bad_request', 'not_found', 'upstream_failed', 'timed_out', 'service_unavailable', 'internal_error']),
  message: z.string(),
})

/** The text that a failed job keeps of its reason. */
export function failureText(error: JobError): string {
  return JSON.stringify(Failure.parse(error))
}

/** A job as Bull keeps it. */
interface KeptJob {
  readonly data: JobPayload
  readonly timestamp: number
  readonly processedOn?: number | undefined
  readonly finishedOn?: number | null | undefined
  readonly returnvalue: unknown
  readonly failedReason?: string | undefined
  progress(): unknown
}

/** Place of a job that has not ended. */
export interface JobPlace {
  readonly type: JobType
  readonly position: number | null
  readonly isRunning: boolean
}

export function toRecord(id: string, job: KeptJob, { type, position, isRunning }: JobPlace): JobRecord {
  const { projectId, label, requestId = null } = job.data
  const finishedAtMs = job.finishedOn ?? null
  const status = statusOf(job, isRunning)
  return {
    id,
    projectId,
    type,
    label,
    requestId,
    status,
    position: status === 'pending' ? position : null,
    stage: status === 'processing' ? readProgress(job.progress()).stage : null,
    createdAtMs: job.timestamp,
    startedAtMs: status === 'pending' ? null : (job.processedOn ?? null),
    finishedAtMs,
    expiresAtMs: finishedAtMs === null ? null : finishedAtMs + KEPT_MS,
    result: status === 'completed' ? (job.returnvalue as StoredPicture) : null,
    error: status === 'failed' ? readFailure(job.failedReason ?? null) : null,
  }
}

/** An earlier run leaves its reason with a job that was completed. */
function statusOf({ finishedOn, returnvalue }: KeptJob, isRunning: boolean): JobStatus {
  if (finishedOn) return returnvalue ? 'completed' : 'failed'
  return isRunning ? 'processing' : 'pending'
}

export function readProgress(given: unknown): Progress {
  return { stage: null, faults: 0, ...(typeof given === 'object' && given) }
}

/** Bull's other values are its own reasons: the job killed its workers. */
function readFailure(text: string | null): JobError {
  try {
    return Failure.parse(JSON.parse(text ?? ''))
  } catch {
    return { code: 'internal_error', message: 'The renderer crashed repeatedly during this job.' }
  }
}
