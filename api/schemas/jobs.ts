import { z } from 'zod'

const time = z.iso.datetime().meta({ examples: ['2026-11-21T12:00:00.000Z'] })

/** A job as callers see it. */
export const Job = z
  .object({
    jobId: z.string().meta({ examples: ['job_3kTMd1aVw0Zr8yQx5nB2cP'] }),
    type: z.enum(['blockgame.render', 'tools.screenshot']),
    status: z.enum(['pending', 'processing', 'completed', 'failed']),
    name: z.string().optional().meta({ description: 'Of a render: the player or label it is filed under.' }),
    url: z.string().optional().meta({ description: 'Of a screenshot: the address as it was asked for.' }),
    place: z
      .int()
      .nullable()
      .meta({ description: 'Where in the queue it is, 1 for the next one; null when it is not in it.' }),
    stage: z
      .enum(['navigating', 'rendering', 'encoding'])
      .nullable()
      .meta({ description: 'What is being done; null unless it is processing.' }),
    createdAt: time,
    startedAt: time.nullable(),
    finishedAt: time.nullable(),
    expiresAt: time.nullable().meta({ description: 'When job and result are gone: 24 hours after the end.' }),
    result: z
      .object({
        url: z.string().meta({ description: 'Answers the picture itself, to keys of the same project.' }),
        contentType: z.string(),
        bytes: z.int(),
        width: z.int(),
        height: z.int(),
      })
      .nullable()
      .meta({ description: 'Of a completed job.' }),
    error: z
      .object({
        code: z
          .enum(['bad_request', 'not_found', 'upstream_failed', 'timed_out', 'service_unavailable', 'internal_error'])
          .meta({ description: 'Stable identifier; branch on this.' }),
        message: z.string(),
      })
      .nullable()
      .meta({ description: 'Why a failed job failed.' }),
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
  .meta({ description: '`processing` also when an equal request of the last minute is already done.' })

/** A job that is shared may be over already, for which an acknowledgement has no word. */
export function queuedStatus({ status }: { readonly status: string }): z.output<typeof QueuedStatus> {
  return status === 'pending' ? 'pending' : 'processing'
}
