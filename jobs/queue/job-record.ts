import { z } from 'zod'
import { KEPT_MS, type JobFailureCode, type JobPayload, type JobType, type Picture, type Stage } from './job.ts'

/** Where a job's picture is and what it is like. */
export interface StoredPicture extends Omit<Picture, 'bytes'> {
  /** Of the content, so that equal pictures are kept once: 64 hex digits. */
  readonly sha256: string
  readonly bytes: number
}

export interface JobError {
  readonly code: JobFailureCode | 'internal_error'
  readonly message: string
}

export type JobStatus = 'pending' | 'processing' | 'completed' | 'failed'

/** A job as it is at one moment. Times are milliseconds since 1970. */
export interface JobRecord {
  readonly id: string
  readonly projectId: string
  readonly type: JobType
  readonly label: string
  /** Of the request that asked for it first. */
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

/** What a running job leaves at its entry. */
export interface Progress {
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

type Text = string | null

/** One answer of the script `READ`. */
export type RawRecord = readonly [JobType, JobStatus, number | null, string, Text, Text, Text, Text, Text, Text]

export function toRecord(id: string, raw: RawRecord): JobRecord {
  const [type, status, position, data, timestamp, processedOn, finishedOn, progress, returned, failed] = raw
  const { projectId, label, requestId = null } = JSON.parse(data) as JobPayload
  const isOver = status === 'completed' || status === 'failed'
  const finishedAtMs = isOver ? whole(finishedOn) : null
  return {
    id,
    projectId,
    type,
    label,
    requestId,
    status,
    position,
    stage: status === 'processing' ? readProgress(progress).stage : null,
    createdAtMs: whole(timestamp) ?? 0,
    startedAtMs: status === 'pending' ? null : whole(processedOn),
    finishedAtMs,
    expiresAtMs: finishedAtMs === null ? null : finishedAtMs + KEPT_MS,
    result: status === 'completed' && returned !== null ? (JSON.parse(returned) as StoredPicture) : null,
    error: status === 'failed' ? readFailure(failed) : null,
  }
}

export function readProgress(text: unknown): Progress {
  const given: unknown = typeof text === 'string' ? JSON.parse(text) : text
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

function whole(text: string | null): number | null {
  return text === null ? null : Number(text)
}
