import { z } from 'zod'
import type { JobRecord } from '../../../jobs/queue/job-record.ts'
import * as envelopes from '../../http/envelopes.ts'
import { route } from '../../http/route.ts'
import { queuedStatus, QueuedStatus } from '../../schemas/jobs.ts'
import { optionsOf, ownOf, ScreenshotBody, ScreenshotQuery } from '../../schemas/screenshots.ts'

const Queued = z
  .object({
    jobId: z.string(),
    status: QueuedStatus,
    url: z.string().describe('URL of the job.'),
  })
  .meta({ id: 'ScreenshotJob' })

const common = {
  tag: 'Tools',
  class: 'browser',
  envelope: envelopes.successWithId,
  faults: ['service_unavailable'],
  data: Queued,
} as const

const EXAMPLE_QUEUED = {
  jobId: 'job_3kTMd1aVw0Zr8yQx5nB2cP',
  status: 'pending',
  url: 'http://127.0.0.1:8080/v1/jobs/job_3kTMd1aVw0Zr8yQx5nB2cP',
} as const

const AFTERWARDS =
  'Returns a job immediately. Its `url` returns the state, `/wait` waits for the end, and `/result` returns the file.'

export const screenshot = route('takeScreenshot', 'GET /v1/tools/screenshot', {
  ...common,
  summary: 'Queue a screenshot of a website',
  description: `${AFTERWARDS} Equal requests within one minute share a job. Only public addresses work.`,
  query: ScreenshotQuery,
  example: { query: { url: 'https://example.com/', device: 'mobile' }, data: EXAMPLE_QUEUED },
  async handle({ query, caller }, { jobs, baseUrl }) {
    return queued(await jobs.screenshot(caller.projectId, optionsOf(query)), baseUrl)
  },
})

export const screenshotSignedIn = route('takeScreenshotWithHeaders', 'POST /v1/tools/screenshot', {
  ...common,
  summary: 'Queue a screenshot of a website that needs headers or cookies',
  description:
    `Like \`GET\`, with the options in a body, and with headers and cookies for your own site. ${AFTERWARDS} ` +
    'A job with headers or cookies is never shared.',
  body: ScreenshotBody,
  example: {
    body: { url: 'https://example.com/account', format: 'webp', headers: { authorization: 'Bearer YOUR_TOKEN' } },
    data: EXAMPLE_QUEUED,
  },
  async handle({ body, caller }, { jobs, baseUrl }) {
    const { headers, cookies, ...asked } = body
    const own = ownOf({ headers, cookies })
    return queued(await jobs.screenshot(caller.projectId, optionsOf(asked), own), baseUrl)
  },
})

function queued(job: JobRecord, baseUrl: string): z.input<typeof Queued> {
  return { jobId: job.id, status: queuedStatus(job), url: `${baseUrl}/v1/jobs/${job.id}` }
}
