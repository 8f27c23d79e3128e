import { Fault } from '../../lib/errors.ts'
import type { Logger } from '../../lib/log.ts'
import type { CompletionEvents } from './completion-events.ts'
import type { JobRecord } from './job-record.ts'
import { abortable, withTimeout } from '../../lib/deadline.ts'

export interface WaitBounds {
  readonly timeoutMs: number
  readonly signal: AbortSignal
}

interface LongPollOptions {
  readonly endings: Pick<CompletionEvents, 'subscribe'>
  readonly read: (ids: readonly string[]) => Promise<readonly (JobRecord | null)[]>
  readonly log: Logger
}

const MOST_OF_A_PROJECT = 200
/** Messages of Redis may be lost; this is how long that goes unnoticed. */
const RECHECK_MS = 10_000
const READ_AT_ONCE = 100

type Settle = (job: JobRecord) => void

/** Pending waits for the end of a job: an entry in a map each, and neither a thread nor a connection. */
export function createLongPoll({ endings, read, log }: LongPollOptions) {
  const room = createRoom()
  let timer: NodeJS.Timeout | null = null
  const stopHearing = endings.subscribe((job) => room.settle(job))

  async function recheck(ids: readonly string[]): Promise<void> {
    for (let from = 0; from < ids.length; from += READ_AT_ONCE) {
      for (const job of await read(ids.slice(from, from + READ_AT_ONCE))) if (job?.finishedAtMs) room.settle(job)
    }
  }
  const stopLooking = () => {
    if (timer) clearInterval(timer)
    timer = null
  }
  const look = () => void recheck(room.ids()).catch((err: unknown) => log.debug({ err }, 'reading waiting jobs failed'))

  return {
    async wait(job: JobRecord, { timeoutMs, signal }: WaitBounds): Promise<JobRecord> {
      if (job.finishedAtMs !== null) return job
      signal.throwIfAborted()
      const { promise, resolve } = Promise.withResolvers<JobRecord | null>()
      const leave = room.enter(job, resolve)
      timer ??= setInterval(look, RECHECK_MS)
      try {
        // The job may have ended between the caller's look and the entry in the map.
        const end = withTimeout(timeoutMs, abortable(promise, signal), () => null)
        const [last] = await Promise.all([end, recheck([job.id])])
        return last ?? (await read([job.id]))[0] ?? job
      } finally {
        leave()
        if (room.isEmpty) stopLooking()
      }
    },
    /** Stops polling; pending waits end at their own deadline. */
    close() {
      stopHearing()
      stopLooking()
    },
  }
}

/** Waits by job ID, and their number for each project. */
function createRoom() {
  const waiting = new Map<string, Set<Settle>>()
  const ofProject = new Map<string, number>()
  const count = (projectId: string, change: 1 | -1) => {
    const now = (ofProject.get(projectId) ?? 0) + change
    if (now > 0) ofProject.set(projectId, now)
    else ofProject.delete(projectId)
  }
  return {
    get isEmpty() {
      return waiting.size === 0
    },
    ids: () => [...waiting.keys()],
    settle(job: JobRecord): void {
      for (const settle of waiting.get(job.id) ?? []) settle(job)
    },
    /** @returns a function that leaves. */
    enter({ id, projectId }: JobRecord, settle: Settle): () => void {
      if ((ofProject.get(projectId) ?? 0) >= MOST_OF_A_PROJECT) throw tooMany()
      const settles = waiting.get(id) ?? new Set()
      waiting.set(id, settles.add(settle))
      count(projectId, 1)
      return () => {
        settles.delete(settle)
        if (settles.size === 0) waiting.delete(id)
        count(projectId, -1)
      }
    },
  }
}

function tooMany(): Fault {
  const message = `Limit of waiting requests reached (${MOST_OF_A_PROJECT}). Poll the job without /wait.`
  return new Fault('rate_limited', message, { retryAfterMs: 5000 })
}
