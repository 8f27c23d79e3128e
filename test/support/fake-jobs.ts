import { Readable } from 'node:stream'
import type { Jobs } from '../../jobs/queue/job-service.ts'
import type { JobRecord } from '../../jobs/queue/job-record.ts'
import { projects } from './projects.ts'

const AT_MS = Date.UTC(2026, 10, 21, 12)

export const FAKE_JOB: JobRecord = {
  id: 'job_3kTMd1aVw0Zr8yQx5nB2cP',
  projectId: projects.one,
  type: 'tools.screenshot',
  label: 'https://example.com/',
  requestId: 'job-was-asked-for',
  status: 'completed',
  position: null,
  stage: null,
  createdAtMs: AT_MS,
  startedAtMs: AT_MS + 40,
  finishedAtMs: AT_MS + 1310,
  expiresAtMs: AT_MS + 24 * 60 * 60_000,
  result: { sha256: 'ab'.repeat(32), contentType: 'image/png', bytes: 26, width: 1280, height: 800 },
  error: null,
}

const LETTERS = Buffer.from('abcdefghijklmnopqrstuvwxyz')

/** Every project has one job, whose picture is the alphabet. */
export function createFakeJobs(job: JobRecord = FAKE_JOB): Jobs {
  return {
    screenshot: async () => job,
    figure: async () => job,
    get: async () => job,
    wait: async () => job,
    list: async () => ({ jobs: [job], next: null }),
    open: async (_, range) => Readable.from([range ? LETTERS.subarray(range.start, range.end + 1) : LETTERS]),
  }
}
