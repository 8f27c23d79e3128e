import { z } from 'zod'

const time = z.iso.datetime().meta({ examples: ['2026-11-21T12:00:00.000Z'] })

/** A job as callers see it. */
export const Job = z
  .object({
    jobId: z.string().meta({ examples: ['job_3kTMd1aVw0Zr8yQx5nB2cP'] }),
    type: z.enum(['blockgame.render', 'tools.screenshot']),
    status: z.enum(['pending', 'processing', 'completed', 'failed']),
    name: z.string().optional().describe('The player or label of a render.'),
    url: z.string().optional().describe('The requested URL of a screenshot.'),
    place: z.int().nullable().describe('Position in the queue, starting at 1. Null outside the queue.'),
    stage: z.enum(['navigating', 'rendering', 'encoding']).nullable().describe('Current step. Null unless processing.'),
    createdAt: time,
    startedAt: time.nullable(),
    finishedAt: time.nullable(),
    expiresAt: time.nullable().describe('When the job and its result expire: 24 hours after the end.'),
    result: z
      .object({
        url: z.string().describe('URL of the image, for keys of the same project.'),
        contentType: z.string(),
        bytes: z.int(),
        width: z.int(),
        height: z.int(),
        fullSize: z
          .object({ width: z.int(), height: z.int() })
          .optional()
          .describe(
            'The full size of an image that was cut. Absent otherwise. For a PDF of more than 100 sheets, the size of all ' +
              'its sheets (up to 1,000), one below the other.',
          ),
      })
      .nullable()
      .describe('Present for a completed job.'),
    error: z
      .object({
        code: z
          .enum(['bad_request', 'not_found', 'upstream_failed', 'timed_out', 'service_unavailable', 'internal_error'])
          .describe('Stable identifier. Branch on this value.'),
        message: z.string(),
      })
      .nullable()
      .describe('Present for a failed job.'),
  })
  .meta({ id: 'Job' })

export const EXAMPLE_JOB = {
  jobId: 'job_3kTMd1aVw0Zr8yQx5nB2cP',
  type: 'tools.screenshot',
  status: 'completed',
  url: 'https://example.com/',
  place: null,
  stage: null,
  createdAt: '2026-11-21T12:00:00.000Z',
  startedAt: '2026-11-21T12:00:00.040Z',
  finishedAt: '2026-11-21T12:00:01.310Z',
  expiresAt: '2026-11-22T12:00:01.310Z',
  result: {
    url: 'http://127.0.0.1:8080/v1/jobs/job_3kTMd1aVw0Zr8yQx5nB2cP/result',
    contentType: 'image/png',
    bytes: 48_213,
    width: 1280,
    height: 800,
  },
  error: null,
} as const

/** The status as an acknowledgement gives it. */
export const QueuedStatus = z
  .enum(['pending', 'processing'])
  .describe('`processing` also if an equal request of the last minute has already completed.')

/** A job that is shared may be over already, for which an acknowledgement has no word. */
export function queuedStatus({ status }: { readonly status: string }): z.output<typeof QueuedStatus> {
  return status === 'pending' ? 'pending' : 'processing'
}
