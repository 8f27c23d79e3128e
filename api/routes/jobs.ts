import { z } from 'zod'
import { Fault } from '../../lib/errors.ts'
import type { JobRecord } from '../../jobs/queue/job-record.ts'
import { FileResponse } from '../http/body/download.ts'
import * as envelopes from '../http/envelopes.ts'
import { route } from '../http/route.ts'
import { wholeNumber } from '../../lib/validation/inputs.ts'
import { EXAMPLE_JOB, Job } from '../schemas/jobs.ts'
import { Page, pageOf, readCursor, writeCursor } from '../schemas/pages.ts'

const jobs = { tag: 'Jobs', class: 'cheap', envelope: envelopes.data } as const
const path = z.object({ id: z.string().describe('ID of the job, from the response that created it.') })
const example = { path: { id: EXAMPLE_JOB.jobId }, data: EXAMPLE_JOB }

export const listJobs = route('listJobs', 'GET /v1/jobs', {
  ...jobs,
  summary: "List the project's recent jobs",
  description: 'Returns up to 1,000 jobs of the last 24 hours, newest first.',
  faults: ['service_unavailable'],
  query: z.object(pageOf(100, 25)),
  isPaged: true,
  data: z.array(Job),
  example: { query: { limit: '10' }, data: [EXAMPLE_JOB] },
  async handle({ query: { limit, cursor }, caller }, { jobs, baseUrl }) {
    const before = cursor === undefined ? null : readCursor('listJobs', cursor, z.string())
    const page = await jobs.list(caller.projectId, { before, limit })
    const next = page.next === null ? null : writeCursor('listJobs', page.next)
    return new Page(
      page.jobs.map((job) => show(job, baseUrl)),
      next,
    )
  },
})

export const getJob = route('getJob', 'GET /v1/jobs/{id}', {
  ...jobs,
  summary: 'Get a job',
  faults: ['not_found', 'service_unavailable'],
  path,
  data: Job,
  example,
  async handle({ path, caller }, { jobs, baseUrl }) {
    return show(known(await jobs.get(caller.projectId, path.id)), baseUrl)
  },
})

export const waitForJob = route('waitForJob', 'GET /v1/jobs/{id}/wait', {
  ...jobs,
  summary: 'Wait for a job',
  description:
    'Returns when the job completes or fails, or 504 after the timeout; the job continues. ' +
    'A project can have 200 waiting requests.',
  faults: ['not_found', 'service_unavailable', 'timed_out'],
  path,
  query: z.object({ timeout: wholeNumber(1, 60).default(30).describe('Timeout in seconds.') }),
  data: Job,
  example: { ...example, query: { timeout: '10' } },
  async handle({ path, query, caller, signal }, { jobs, baseUrl }) {
    const bounds = { timeoutMs: query.timeout * 1000, signal }
    const job = known(await jobs.wait(caller.projectId, path.id, bounds))
    if (job.finishedAtMs === null) throw new Fault('timed_out', "The job hasn't finished yet. Wait again.")
    return show(job, baseUrl)
  },
})

export const getJobResult = route('getJobResult', 'GET /v1/jobs/{id}/result', {
  ...jobs,
  summary: "Download a job's result",
  description: 'Available for 24 hours. 409 while the job runs, 404 after it failed or expired. Supports `Range`.',
  faults: ['not_found', 'conflict', 'service_unavailable'],
  path,
  file: ['image/png', 'image/jpeg', 'image/webp', 'image/avif', 'application/pdf'],
  data: z.null(),
  example: { path: example.path, data: null },
  async handle({ path, caller }, app) {
    const job = known(await app.jobs.get(caller.projectId, path.id))
    if (job.finishedAtMs === null) throw new Fault('conflict', "The job hasn't finished yet. Use /wait.")
    const { result, error } = job
    if (!result) throw new Fault('not_found', `The job failed without a result: ${error?.message ?? 'unknown reason'}`)
    return new FileResponse({
      contentType: result.contentType,
      sizeBytes: result.bytes,
      tag: result.sha256,
      maxAgeMs: (job.expiresAtMs ?? 0) - app.now(),
      fileName: `${job.id}.${ENDINGS[result.contentType] ?? 'png'}`,
      async open(part) {
        const stream = await app.jobs.open(result, part)
        if (!stream) throw new Fault('not_found', 'The result has expired. Send the original request again.')
        return stream
      },
    })
  },
})

/** File extensions by type. */
const ENDINGS: Readonly<Record<string, string>> = {
  'image/jpeg': 'jpg',
  'image/webp': 'webp',
  'image/avif': 'avif',
  'application/pdf': 'pdf',
}

function known(job: JobRecord | null): JobRecord {
  if (!job) throw new Fault('not_found', "The job doesn't exist or has expired.")
  return job
}

function show(job: JobRecord, baseUrl: string): z.input<typeof Job> {
  const { id, type, status, label, position: place, stage, error, result } = job
  const { sha256: _, ...picture } = result ?? { sha256: '' }
  return {
    jobId: id,
    type,
    status,
    ...(type === 'tools.screenshot' ? { url: label } : { name: label }),
    place,
    stage,
    createdAt: iso(job.createdAtMs),
    startedAt: iso(job.startedAtMs),
    finishedAt: iso(job.finishedAtMs),
    expiresAt: iso(job.expiresAtMs),
    result: result && { url: `${baseUrl}/v1/jobs/${id}/result`, ...(picture as Omit<typeof result, 'sha256'>) },
    error,
  }
}

function iso(atMs: number): string
function iso(atMs: number | null): string | null
function iso(atMs: number | null): string | null {
  return atMs === null ? null : new Date(atMs).toISOString()
}
