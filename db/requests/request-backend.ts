import { existsSync } from 'node:fs'
import { settleWithin } from '../../lib/deadline.ts'
import type { Logger } from '../../lib/log.ts'
import type { LoggedRequest, RequestQuery } from '../../lib/request-log/request-log.ts'
import { createFairShare } from '../../lib/sharing/fair-share.ts'
import { createTaskThread } from '../../lib/workers/task-thread.ts'
import type { WorkerHealth } from '../../lib/workers/worker-health.ts'
import { PRUNED_AT_ONCE } from './request-store.ts'
import type { RequestOutput, RequestTask, RequestThreadData } from './request-thread.ts'
import { programFile } from '../../lib/installation.ts'

/** Where logged requests are kept. */
export interface RequestBackend {
  /** How much later than it was answered a request may come in here; 0 where there is one service. */
  readonly lateMs: number
  /** Writes all of them (`PackedRequests`) or none, and those that are there already not again. */
  add(packed: Uint8Array): Promise<void>
  /** The newest first. */
  list(query: RequestQuery): Promise<readonly LoggedRequest[]>
  /** Removes what is too old, too much, or of a project that is none of these. */
  prune(projectIds: readonly string[], nowMs: number): Promise<void>
  health(): WorkerHealth
  close(): Promise<void>
}

export const NAME = 'request log'
const HEAP_MB = 128
const GOODBYE_MS = 1000
/** Without requests for so long, the thread ends and frees 9 MiB. */
const IDLE_MS = 30_000
/** While no requests come, pruning alone would wake the thread each minute: what is too old stays so much longer. */
const PRUNE_ASLEEP_MS = 15 * 60_000
/** Readers take turns by project: a filter that few requests fit reads all of them, which takes some 20 ms. */
const READS = { what: 'request log reads', total: 4, share: 2, maxWaiting: 50, maxWaitMs: 5000 }

/** A thread with a SQLite file, so that neither writes nor reads hold up anything else. */
export function createRequestThread(data: RequestThreadData, log: Logger): RequestBackend {
  const share = createFairShare(READS)
  const schedule = createPruneSchedule()
  const thread = createTaskThread<RequestTask, RequestOutput, RequestThreadData>({
    file: programFile('db/requests/request-thread'),
    name: NAME,
    log,
    data,
    heapMb: HEAP_MB,
    idleMs: IDLE_MS,
    acquire: async (task, signal) =>
      task.task === 'list' ? share.acquire(task.query.projectId, signal) : () => undefined,
  })
  return {
    lateMs: 0,
    async add(packed) {
      await thread.run({ task: 'add', packed })
    },
    async list(query) {
      const found = await thread.run({ task: 'list', query })
      return Array.isArray(found) ? (found as readonly LoggedRequest[]) : []
    },
    async prune(projectIds, nowMs) {
      if (!existsSync(data.file)) return
      const isAsleep = thread.health().state === 'idle'
      if (isAsleep && !schedule.isDue(projectIds, nowMs)) return
      const removed = await thread.run({ task: 'prune', projectIds, nowMs })
      schedule.pruned(projectIds, nowMs, Number(removed) >= PRUNED_AT_ONCE)
    },
    health: () => thread.health(),
    async close() {
      if (thread.health().state !== 'idle') await settleWithin(GOODBYE_MS, thread.run({ task: 'close' }))
      await thread.close()
    },
  }
}

/** When a thread that sleeps is woken for pruning. Row limits are kept with each write, so only age and projects matter. */
function createPruneSchedule() {
  let last: { readonly atMs: number; readonly projectIds: ReadonlySet<string>; readonly hasMore: boolean } | null = null

  return {
    pruned(projectIds: readonly string[], atMs: number, hasMore: boolean): void {
      last = { atMs, projectIds: new Set(projectIds), hasMore }
    },
    /** The time runs from the first call: what is too old then waits for as long as what becomes it later. */
    isDue(projectIds: readonly string[], nowMs: number): boolean {
      const {
        atMs,
        projectIds: before,
        hasMore,
      } = (last ??= {
        atMs: nowMs,
        projectIds: new Set(projectIds),
        hasMore: false,
      })
      return hasMore || nowMs - atMs >= PRUNE_ASLEEP_MS || !before.isSubsetOf(new Set(projectIds))
    },
  }
}
