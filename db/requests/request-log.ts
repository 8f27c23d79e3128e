import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { settleWithin } from '../../lib/deadline.ts'
import { Fault } from '../../lib/errors.ts'
import type { Logger } from '../../lib/log.ts'
import { createRequestIds, type LoggedRequest, type RequestLog } from '../../lib/request-log/request-log.ts'
import { createFairShare } from '../../lib/sharing/fair-share.ts'
import { createTaskThread } from '../../lib/workers/task-thread.ts'
import type { WorkerHealth } from '../../lib/workers/worker-health.ts'
import { removeRequestLog } from './request-store.ts'
import type { RequestLogSettings } from './settings.ts'
import type { RequestOutput, RequestTask, RequestThreadData } from './request-thread.ts'

/** The log with what only the service asks of it. */
export interface OpenRequestLog extends RequestLog {
  /** Requests that are not in the log, since too many came at once or the file could not be written. */
  readonly dropped: number
  /** Requests in memory that are not written yet. */
  readonly waiting: number
  health(): WorkerHealth
  /** Writes the rest, within three seconds. */
  close(): Promise<void>
}

export interface RequestLogConfig {
  readonly dataDir: string
  readonly requestLog: Pick<RequestLogSettings, 'isOn' | 'bounds'>
}

export interface RequestLogOptions {
  /** Requests of others are removed. */
  readonly projects: { list(): readonly { readonly id: string }[] }
  readonly log: Logger
  readonly now?: () => number
}

/** Some 8 MB. */
const MOST_WAITING = 20_000
/** Of these, the last are for refusals and failures: they are what the log is read for. */
const KEPT_FOR_ERRORS = 5000
/** So that a project that floods leaves room for the others. */
const SHARE_OF_PROJECT = 10_000
/**
 * So many a second are written for as long as it takes, which costs a hundredth of two cores; what comes in a burst waits in
 * memory. Copied for the thread in some two milliseconds. Many at once: each project among them touches pages of its own.
 */
const ROWS_PER_BATCH = 2000
const PAUSE_MS = 1000
const RETRY_MS = 1000
const PRUNE_EVERY_MS = 60_000
const GOODBYE_MS = 3000
/** Readers take turns by project: a filter that few requests fit reads all of them, which takes some 20 ms. */
const READS = { what: 'request log reads', total: 4, share: 2, maxWaiting: 50, maxWaitMs: 5000 }
const HEAP_MB = 128

const FILE = 'requests.db'
const NAME = 'request log'

/**
 * The log of requests: gathered in memory, written by a thread into a file of its own beside the database, so that
 * neither its writes nor its reads hold up anything else. A killed service loses the last second.
 */
export function openRequestLog({ dataDir, requestLog }: RequestLogConfig, options: RequestLogOptions): OpenRequestLog {
  const file = join(dataDir, FILE)
  if (requestLog.isOn) return new BufferedRequestLog({ file, bounds: requestLog.bounds }, options)
  // Who switches it off does not want it kept.
  removeRequestLog(file)
  return requestLogOff
}

function offFault(): Fault {
  const message = 'The request log is off (REQUEST_LOG).'
  return new Fault('service_unavailable', message, { reason: 'not_configured' })
}

/** Records nothing. */
export const requestLogOff: OpenRequestLog = {
  isOn: false,
  dropped: 0,
  waiting: 0,
  admits: () => false,
  nextId: () => 0,
  add: () => undefined,
  list: () => Promise.reject(offFault()),
  health: () => ({ name: NAME, state: 'idle', busy: 0, restarts: 0, quarantined: 0 }),
  close: async () => undefined,
}

class BufferedRequestLog implements OpenRequestLog {
  readonly isOn = true
  readonly nextId: () => number
  readonly #options: RequestLogOptions
  readonly #thread
  readonly #pruning: NodeJS.Timeout
  #waiting: LoggedRequest[] = []
  #perProject = new Map<string, number>()
  #dropped = 0
  #pause: NodeJS.Timeout | null = null
  #writing: Promise<void> | null = null
  #isFailing = false
  #isClosed = false

  constructor(data: RequestThreadData, options: RequestLogOptions) {
    const { log, now = Date.now } = options
    this.#options = options
    this.nextId = createRequestIds(now)
    const share = createFairShare(READS)
    this.#thread = createTaskThread<RequestTask, RequestOutput, RequestThreadData>({
      url: new URL('request-thread.ts', import.meta.url),
      name: NAME,
      log,
      data,
      heapMb: HEAP_MB,
      acquire: async (task, signal) =>
        task.task === 'list' ? share.acquire(task.query.projectId, signal) : () => undefined,
    })
    this.#pruning = setInterval(() => {
      if (existsSync(data.file)) void this.#prune()
    }, PRUNE_EVERY_MS).unref()
  }

  get dropped(): number {
    return this.#dropped
  }

  get waiting(): number {
    return this.#waiting.length
  }

  admits(projectId: string, status: number): boolean {
    const most = status >= 400 ? MOST_WAITING : MOST_WAITING - KEPT_FOR_ERRORS
    const hasRoom = this.#waiting.length < most && (this.#perProject.get(projectId) ?? 0) < SHARE_OF_PROJECT
    if (!hasRoom) this.#dropped++
    return hasRoom
  }

  add(request: LoggedRequest): void {
    const { projectId } = request
    this.#waiting.push(request)
    this.#perProject.set(projectId, (this.#perProject.get(projectId) ?? 0) + 1)
    if (!this.#pause && !this.#writing) this.#writeAfter(PAUSE_MS)
  }

  async list(query: Parameters<RequestLog['list']>[0]): Promise<readonly LoggedRequest[]> {
    await this.#catchUp()
    const found = await this.#thread.run({ task: 'list', query }).catch((err: unknown) => {
      if (err instanceof Fault) throw err
      this.#options.log.warn({ err }, 'reading request log failed')
      throw new Fault('service_unavailable', 'The request log is unavailable. Try again later.', {
        cause: err,
        retryAfterMs: 2000,
      })
    })
    return Array.isArray(found) ? (found as readonly LoggedRequest[]) : []
  }

  health(): WorkerHealth {
    return this.#thread.health()
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearInterval(this.#pruning)
    await settleWithin(GOODBYE_MS, this.#writeRest())
    await this.#thread.close()
  }

  async #writeRest(): Promise<void> {
    await this.#writing
    while (this.#waiting.length > 0 && !this.#isFailing) await this.#writeBatch()
    if (this.#thread.health().state !== 'idle') await this.#thread.run({ task: 'close' })
  }

  /** So that a request is found as soon as it is answered, unless very many come. */
  async #catchUp(): Promise<void> {
    if (this.#isFailing) return
    await this.#writing
    await (this.#writing ?? this.#writeBatch())
  }

  #writeAfter(pauseMs: number): void {
    if (this.#isClosed) return
    this.#pause = setTimeout(() => void this.#writeBatch(), pauseMs)
  }

  #writeBatch(): Promise<void> {
    if (this.#pause) clearTimeout(this.#pause)
    this.#pause = null
    if (this.#waiting.length === 0) return Promise.resolve()
    this.#writing = this.#write().finally(() => {
      this.#writing = null
      if (this.#waiting.length > 0) this.#writeAfter(this.#isFailing ? RETRY_MS : PAUSE_MS)
    })
    return this.#writing
  }

  /** What could not be written waits for the next try, as long as there is room. */
  async #write(): Promise<void> {
    const requests = this.#waiting.slice(0, ROWS_PER_BATCH)
    try {
      await this.#thread.run({ task: 'add', requests })
      this.#forget(requests.length)
      if (this.#isFailing) this.#options.log.info('request log recovered')
      this.#isFailing = false
    } catch (err) {
      if (!this.#isFailing) this.#options.log.warn({ err }, 'writing request log failed')
      this.#isFailing = true
    }
  }

  #forget(count: number): void {
    for (const { projectId } of this.#waiting.splice(0, count)) {
      const left = (this.#perProject.get(projectId) ?? 0) - 1
      if (left > 0) this.#perProject.set(projectId, left)
      else this.#perProject.delete(projectId)
    }
  }

  async #prune(): Promise<void> {
    const { projects, now = Date.now, log } = this.#options
    try {
      const projectIds = projects.list().map(({ id }) => id)
      await this.#thread.run({ task: 'prune', projectIds, nowMs: now() })
    } catch (err) {
      log.warn({ err }, 'removing old requests failed')
    }
  }
}
