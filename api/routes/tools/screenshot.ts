import { z } from 'zod'
import * as envelopes from '../../http/envelopes.ts'
import { route } from '../../http/route.ts'
import { flag, webAddress, wholeNumber } from '../../schemas/common.ts'
import { queuedStatus, QueuedStatus } from '../../schemas/jobs.ts'

const clip = z
  .string()
  .regex(/^\d{1,5}(?:,\d{1,5}){3}$/, 'Must be `x,y,width,height` in whole CSS pixels.')
  .transform((value) => value.split(',').map(Number) as [number, number, number, number])
  .refine(([, , width, height]) => width > 0 && height > 0, 'Width and height must be at least 1.')
  .transform(([x, y, width, height]) => ({ x, y, width, height }))
  .meta({ override: ({ jsonSchema }) => void Object.assign(jsonSchema, { type: 'string' }) })

export const screenshot = route({
  id: 'takeScreenshot',
  method: 'GET',
  url: '/v1/tools/screenshot',
  tag: 'Tools',
  class: 'browser',
  envelope: envelopes.successWithId,
  summary: 'Queue a screenshot of a website',
  description:
    'Returns a job at once. Its `url` returns the state, `/wait` waits for the end, and `/result` returns the ' +
    'PNG. Equal requests within one minute share a job. Only public addresses work.',
  faults: ['service_unavailable'],
  query: z.object({
    url: webAddress('URL of the page.'),
    device: z
      .enum(['desktop', 'mobile'], { error: 'Must be `desktop` or `mobile`.' })
      .default('desktop')
      .meta({ description: 'A window of 1280×800, or a phone.' }),
    fullpage: flag
      .default(false)
      .meta({ description: 'Captures the whole page up to a limit, including content that loads on scroll.' }),
    dark: flag.default(false).meta({ description: 'Requests the dark colour scheme of the page.' }),
    delay: wholeNumber(0, 10_000).default(0).meta({ description: 'Milliseconds to wait after the page has loaded.' }),
    selector: z
      .string()
      .min(1)
      .max(500, 'Must have at most 500 characters.')
      .optional()
      .meta({ description: 'CSS selector. Captures only the first match.' }),
    clip: clip.optional().meta({ description: 'Captures only this area: `x,y,width,height` in CSS pixels.' }),
  }),
  data: z
    .object({
      jobId: z.string(),
      status: QueuedStatus,
      url: z.string().meta({ description: 'URL of the job.' }),
    })
    .meta({ id: 'ScreenshotJob' }),
  example: {
    query: { url: 'https://example.com/', device: 'mobile' },
    data: {
      jobId: 'job_3kTMd1aVw0Zr8yQx5nB2cP',
      status: 'pending',
      url: 'http://127.0.0.1:8080/v1/jobs/job_3kTMd1aVw0Zr8yQx5nB2cP',
    },
  },
  async handle({ query, caller }, { jobs, baseUrl }) {
    const { url, device, fullpage, dark, delay: delayMs, selector = null, clip = null } = query
    const request = { url, device, fullpage, dark, delayMs, selector, clip }
    const job = await jobs.screenshot(caller.projectId, request)
    return { jobId: job.id, status: queuedStatus(job), url: `${baseUrl}/v1/jobs/${job.id}` }
  },
})
