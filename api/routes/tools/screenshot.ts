import { z } from 'zod'
import * as envelopes from '../../http/envelopes.ts'
import { route } from '../../http/route.ts'
import { flag, webAddress, wholeNumber } from '../../schemas/common.ts'
import { queuedStatus, QueuedStatus } from '../../schemas/jobs.ts'

const clip = z
  .string()
  .regex(/^\d{1,5}(?:,\d{1,5}){3}$/, 'Give `x,y,width,height` in whole CSS pixels.')
  .transform((value) => value.split(',').map(Number) as [number, number, number, number])
  .refine(([, , width, height]) => width > 0 && height > 0, 'The width and the height must be 1 at least.')
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
    'Answers at once with a job; `url` is where to ask how far it is, and its `/wait` and `/result` wait for the PNG ' +
    'and collect it. The same request within a minute is the same job. Only public addresses are reached.',
  faults: ['service_unavailable'],
  query: z.object({
    url: webAddress('The page.'),
    device: z
      .enum(['desktop', 'mobile'], { error: 'Give `desktop` or `mobile`.' })
      .default('desktop')
      .meta({ description: 'A window of 1280×800, or a current phone.' }),
    fullpage: flag.default(false).meta({ description: 'The whole page, up to a bound, with what loads by scrolling.' }),
    dark: flag.default(false).meta({ description: 'Tell the page that dark colours are preferred.' }),
    delay: wholeNumber(0, 10_000)
      .default(0)
      .meta({ description: 'Wait for so many milliseconds more once the page has settled.' }),
    selector: z
      .string()
      .min(1)
      .max(500, 'A selector may have 500 characters at most.')
      .optional()
      .meta({ description: 'CSS selector: only the first element that it finds.' }),
    clip: clip.optional().meta({ description: 'Only this part: `x,y,width,height` in CSS pixels.' }),
  }),
  data: z
    .object({
      jobId: z.string(),
      status: QueuedStatus,
      url: z.string().meta({ description: 'The address of the job.' }),
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
