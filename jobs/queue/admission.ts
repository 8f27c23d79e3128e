import { createHash, randomBytes } from 'node:crypto'
import type { Redis } from 'ioredis'
import { Fault } from '../../lib/errors.ts'
import { KEPT_MS, type JobPayload, type JobType } from './job.ts'
import { ADMIT, placeKeys } from './job-places.ts'
import { indexKey, reached } from './job-reader.ts'
import type { JobRecord } from './job-record.ts'

const FRESH_MS = 60_000
const MOST_LISTED = 1000

interface AdmissionOptions {
  readonly redis: Redis
  readonly prefix: string
  readonly now: () => number
  /** Maximum number of waiting jobs. */
  readonly capacity: number
  readonly read: (ids: readonly string[]) => Promise<readonly (JobRecord | null)[]>
}

/** A job with its place in the queue. */
interface Admitted {
  readonly id: string
  readonly turn: number
  readonly nowMs: number
  readonly isNew: boolean
}

/** @returns a function that gives a request a place, or that of the job which it shares; throws where the queue is full. */
export function createAdmission(options: AdmissionOptions) {
  const { redis, now, read } = options

  /** Whether an earlier job of the same request, which may not be with Bull yet, is the one to share. */
  async function isShared(id: string, atMs: number): Promise<boolean> {
    const [job] = await read([id])
    if (job && job.finishedAtMs === null) return true
    return now() - atMs < FRESH_MS && job?.status !== 'failed'
  }

  return async (type: JobType, order: JobPayload): Promise<Admitted> => {
    const { keys, values } = admission(options, type, order)
    for (let stale = ''; ;) {
      const [how, id = '', turn, atMs] = (await reached(ADMIT(redis, keys, [...values, stale]))) as string[]
      if (how === 'full') throw full()
      const admitted = { id, turn: Number(turn), nowMs: Number(atMs), isNew: how === 'new' }
      if (admitted.isNew || (await isShared(id, admitted.nowMs))) return admitted
      stale = [id, turn, atMs].join(' ')
    }
  }
}

/** Keys and arguments of the script. */
function admission({ prefix, now, capacity }: AdmissionOptions, type: JobType, order: JobPayload) {
  const { projectId } = order
  const { queued, admitted, turns } = placeKeys(prefix, type)
  const digest = createHash('sha256')
    .update(JSON.stringify([order.label, order.request]))
    .digest('base64url')
  return {
    keys: [queued, admitted, turns, `${prefix}:${type}:same:${projectId}:${digest}`, indexKey(prefix, projectId)],
    values: [newId(), projectId, now(), capacity, MOST_LISTED, KEPT_MS + FRESH_MS],
  }
}

const LETTERS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** 131 random bits, which cannot be guessed. */
function newId(): string {
  let left = BigInt(`0x${randomBytes(17).toString('hex')}`)
  let text = ''
  for (let i = 0; i < 22; i++) {
    text += LETTERS[Number(left % 62n)]
    left /= 62n
  }
  return `job_${text}`
}

function full(): Fault {
  const message = 'Too many jobs wait in the queue. Try again later.'
  return new Fault('service_unavailable', message, { retryAfterMs: 15_000 })
}
