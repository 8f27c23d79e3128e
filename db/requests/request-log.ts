import { join } from 'node:path'
import { settleWithin } from '../../lib/deadline.ts'
import { Fault } from '../../lib/errors.ts'
import type { Logger } from '../../lib/log.ts'
import { createRequestIds, type LoggedRequest, type RequestLog } from '../../lib/request-log/request-log.ts'
import type { WorkerHealth } from '../../lib/workers/worker-health.ts'
import type { Store } from '../engine/store.ts'
import { PackedRequests } from './packed-requests.ts'
import { createRequestThread, NAME, type RequestBackend } from './request-backend.ts'
import { removeRequestLog } from './request-store.ts'
import type { RequestLogSettings } from './settings.ts'
import { clearSharedRequests, createSharedRequests } from './shared-requests.ts'

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
  /** Where several services share it, the log is in there; omitted: in a file of this machine. */
  readonly store?: Store
  /** Requests of others are removed. */
  readonly projects: { list(): Promise<readonly { readonly id: string }[]> }
  readonly log: Logger
  readonly now?: () => number
}

/** Some 6 MB. */
const MOST_WAITING = 20_000
/** Of these, the last are for refusals and failures: they are what the log is read for. */
const KEPT_FOR_ERRORS = 5000
/** So that a project that floods leaves room for the others. */
const SHARE_OF_PROJECT = 10_000
/**
 * So many a second are written for as long as it takes, which costs a hundredth of two cores; what comes in a burst waits in
 * memory. Many at once: each project among them touches pages of its own.
 */
const ROWS_PER_BATCH = 2000
const PAUSE_MS = 1000
const RETRY_MS = 1000
const PRUNE_EVERY_MS = 60_000
const GOODBYE_MS = 3000

const FILE = 'requests.db'

/**
 * The log of requests: gathered in memory, and written in batches: by a thread into a file of its own beside the database, so
 * that neither its writes nor its reads hold up anything else, or into PostgreSQL, where all services share it. A killed
 * service loses the last second.
 */
export function openRequestLog({ dataDir, requestLog }: RequestLogConfig, options: RequestLogOptions): OpenRequestLog {
  const file = join(dataDir, FILE)
  const { store, log } = options
  const { isOn, bounds } = requestLog
  if (isOn && store?.engine === 'postgres') return new BufferedRequestLog(createSharedRequests(store, bounds), options)
  if (isOn) return new BufferedRequestLog(createRequestThread({ file, bounds }, log), options)
  // Who switches it off does not want it kept.
  removeRequestLog(file)
  if (store?.engine === 'postgres') {
    clearSharedRequests(store).catch((err: unknown) => log.warn({ err }, 'removing request log failed'))
  }
  return requestLogOff
}

function offFault(): Fault {
  const message = 'The request log is off (REQUEST_LOG).'
  return new Fault('service_unavailable', message, { reason: 'not_configured' })
}

/** Records nothing. */
export const requestLogOff: OpenRequestLog = {
  isOn: false,
  lateMs: 0,
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
  readonly #backend: RequestBackend
  readonly #pruning: NodeJS.Timeout
  /** The first is written next; the last takes what comes. */
  readonly #batches: PackedRequests[] = []
  #waiting = 0
  #perProject = new Map<string, number>()
  #dropped = 0
  #pause: NodeJS.Timeout | null = null
  #writing: Promise<void> | null = null
  #isFailing = false
  #isClosed = false

  constructor(backend: RequestBackend, options: RequestLogOptions) {
    this.#options = options
    this.nextId = createRequestIds(options.now ?? Date.now)
    this.#backend = backend
    this.#pruning = setInterval(() => void this.#prune(), PRUNE_EVERY_MS).unref()
  }

  get lateMs(): number {
    return this.#backend.lateMs
  }

  get dropped(): number {
    return this.#dropped
  }

  get waiting(): number {
    return this.#waiting
  }

  admits(projectId: string, status: number): boolean {
    const most = status >= 400 ? MOST_WAITING : MOST_WAITING - KEPT_FOR_ERRORS
    const hasRoom = this.#waiting < most && (this.#perProject.get(projectId) ?? 0) < SHARE_OF_PROJECT
    if (!hasRoom) this.#dropped++
    return hasRoom
  }

  add(request: LoggedRequest): void {
    const { projectId } = request
    this.#openBatch().add(request)
    this.#waiting++
    this.#perProject.set(projectId, (this.#perProject.get(projectId) ?? 0) + 1)
    if (!this.#pause && !this.#writing) this.#writeAfter(PAUSE_MS)
  }

  async list(query: Parameters<RequestLog['list']>[0]): Promise<readonly LoggedRequest[]> {
    await this.#catchUp()
    return this.#backend.list(query).catch((err: unknown) => {
      if (err instanceof Fault) throw err
      this.#options.log.warn({ err }, 'reading request log failed')
      throw new Fault('service_unavailable', 'The request log is unavailable. Try again later.', {
        cause: err,
        retryAfterMs: 2000,
      })
    })
  }

  health(): WorkerHealth {
    return this.#backend.health()
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearInterval(this.#pruning)
    await settleWithin(GOODBYE_MS, this.#writeRest())
    await this.#backend.close()
  }

  async #writeRest(): Promise<void> {
    await this.#writing
    while (this.#waiting > 0 && !this.#isFailing) await this.#writeBatch()
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
    const [batch] = this.#batches
    if (!batch) return Promise.resolve()
    this.#writing = this.#write(batch).finally(() => {
      this.#writing = null
      if (this.#waiting > 0) this.#writeAfter(this.#isFailing ? RETRY_MS : PAUSE_MS)
    })
    return this.#writing
  }

  /** A batch that is being written takes no more. */
  #openBatch(): PackedRequests {
    const last = this.#batches.at(-1)
    const isTaken = this.#writing !== null && this.#batches.length === 1
    if (last && !isTaken && last.count < ROWS_PER_BATCH) return last
    const batch = new PackedRequests()
    this.#batches.push(batch)
    return batch
  }

  /** What could not be written waits for the next try, as long as there is room. */
  async #write(batch: PackedRequests): Promise<void> {
    try {
      await this.#backend.add(batch.bytes())
      this.#batches.shift()
      this.#forget(batch)
      if (this.#isFailing) this.#options.log.info('request log recovered')
      this.#isFailing = false
    } catch (err) {
      if (!this.#isFailing) this.#options.log.warn({ err }, 'writing request log failed')
      this.#isFailing = true
    }
  }

  #forget({ projectIds, count }: PackedRequests): void {
    this.#waiting -= count
    for (const projectId of projectIds) {
      const left = (this.#perProject.get(projectId) ?? 0) - 1
      if (left > 0) this.#perProject.set(projectId, left)
      else this.#perProject.delete(projectId)
    }
  }

  async #prune(): Promise<void> {
    const { projects, now = Date.now, log } = this.#options
    try {
      const projectIds = (await projects.list()).map(({ id }) => id)
      await this.#backend.prune(projectIds, now())
    } catch (err) {
      log.warn({ err }, 'removing old requests failed')
    }
  }
}
