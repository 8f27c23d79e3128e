import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { settleWithin } from '../../lib/deadline.ts'
import { Fault } from '../../lib/errors.ts'
import type { Logger } from '../../lib/log.ts'
import { createOutage, type Outage } from '../../lib/outage.ts'
import {
  createRequestIds,
  type LoggedRequest,
  type RequestLog,
  type RequestSearch,
} from '../../lib/request-log/request-log.ts'
import { removeFormerRequests, takeOverFormerRequests } from './former-requests.ts'
import type { OpenBodyLog } from './kept-bodies.ts'
import type { LoggedRequests, RequestBounds } from './logged-requests.ts'
import type { RequestLogSettings } from './settings.ts'

/** The log with what only the service asks of it. */
export interface OpenRequestLog extends RequestLog, RequestSearch {
  readonly bodies: OpenBodyLog | null
  /** Requests that are not in the log, since too many came at once or the database could not be written. */
  readonly dropped: number
  /** Requests in memory that are not written yet. */
  readonly waiting: number
  /** Writes the rest, within three seconds. The database must still be open. */
  close(): Promise<void>
}

interface RequestLogConfig {
  readonly dataDir: string
  readonly requestLog: Pick<RequestLogSettings, 'isOn' | 'bounds'>
}

export interface RequestLogOptions {
  /** The repository of the requests. */
  readonly records: LoggedRequests
  readonly log: Logger
  readonly now?: () => number
}

/** Some 10 MB. */
const MOST_WAITING = 20_000
/** The last places are for refusals and failures: the log is read for them. */
const KEPT_FOR_ERRORS = 5000
/** So that a project that floods leaves room for the others. */
const SHARE_OF_PROJECT = 10_000
/** On SQLite, all requests wait for a write. */
const ROWS_PER_WRITE = 50
/** A write of many takes little more than one of a few. */
const GATHER_MS = 1000
/** Between two writes of what came in a burst: a request takes a few turns, and would wait for a write in each. */
const PAUSE_MS = 20
/** Limit of waiting requests that a reader waits for. Others are found a moment later. */
const MOST_CAUGHT_UP = 2000
const RETRY_MS = 1000
const PRUNE_EVERY_MS = 60_000
const GOODBYE_MS = 3000

/** The file in which versions before 2026-11-28 kept the log. */
const FORMER_FILE = 'requests.db'

/** The log of requests: gathered in memory, and written some at a time. A killed service loses the last of them. */
export function openRequestLog({ dataDir, requestLog }: RequestLogConfig, options: RequestLogOptions): OpenRequestLog {
  const formerFile = join(dataDir, FORMER_FILE)
  const { records, log } = options
  if (requestLog.isOn) return new BufferedRequestLog({ ...options, bounds: requestLog.bounds, formerFile })
  // An operator who switches the log off does not want it kept.
  removeFormerRequests(formerFile)
  records.clear().catch((err: unknown) => log.warn({ err }, 'removing request log failed'))
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
  bodies: null,
  dropped: 0,
  waiting: 0,
  admits: () => false,
  nextId: () => 0,
  add: () => undefined,
  list: () => Promise.reject(offFault()),
  groups: () => Promise.reject(offFault()),
  reach: () => Promise.reject(offFault()),
  close: async () => undefined,
}

interface BufferOptions extends RequestLogOptions {
  readonly bounds: RequestBounds
  readonly formerFile: string
}

class BufferedRequestLog implements OpenRequestLog {
  readonly isOn = true
  readonly nextId: () => number
  readonly bodies: OpenBodyLog
  readonly #options: BufferOptions
  readonly #pruning: NodeJS.Timeout
  readonly #closing = new AbortController()
  /** The first are written next. */
  #queue: LoggedRequest[] = []
  readonly #perProject = new Map<string, number>()
  #dropped = 0
  #pause: NodeJS.Timeout | null = null
  #writing: Promise<void> | null = null
  /** Removal or move of old requests under way; stops when the log closes. */
  #tidying: Promise<void> | null = null
  readonly #outage: Outage

  constructor(options: BufferOptions) {
    this.#options = options
    const words = { failing: 'writing request log failed', recovered: 'request log recovered' }
    this.#outage = createOutage(options.log, words)
    const { log, now = Date.now } = options
    this.nextId = createRequestIds(now)
    this.bodies = options.records.openBodies({ log, now })
    this.#pruning = setInterval(() => this.#prune(), PRUNE_EVERY_MS).unref()
    const { formerFile, records } = options
    this.#tidy('taking over the former request log failed', (signal) =>
      takeOverFormerRequests(formerFile, records, signal),
    )
  }

  get lateMs(): number {
    return this.#options.records.lateMs
  }

  get dropped(): number {
    return this.#dropped
  }

  get waiting(): number {
    return this.#queue.length
  }

  admits(projectId: string, status: number): boolean {
    const most = status >= 400 ? MOST_WAITING : MOST_WAITING - KEPT_FOR_ERRORS
    const hasRoom = this.waiting < most && (this.#perProject.get(projectId) ?? 0) < SHARE_OF_PROJECT
    if (!hasRoom) this.#dropped++
    return hasRoom
  }

  add(request: LoggedRequest): void {
    const { projectId } = request
    this.#queue.push(request)
    this.#perProject.set(projectId, (this.#perProject.get(projectId) ?? 0) + 1)
    if (!this.#pause && !this.#writing) this.#writeAfter(GATHER_MS)
  }

  async list(query: Parameters<RequestLog['list']>[0]): Promise<readonly LoggedRequest[]> {
    await this.#catchUp()
    return this.#read((records) => records.list(query))
  }

  async groups(query: Parameters<RequestSearch['groups']>[0]): ReturnType<RequestSearch['groups']> {
    await this.#catchUp()
    return this.#read((records) => records.groups(query))
  }

  reach(...query: Parameters<RequestSearch['reach']>): ReturnType<RequestSearch['reach']> {
    return this.#read((records) => records.reach(...query))
  }

  #read<T>(read: (records: LoggedRequests) => Promise<T>): Promise<T> {
    return read(this.#options.records).catch((err: unknown) => {
      if (err instanceof Fault) throw err
      this.#options.log.warn({ err }, 'reading request log failed')
      throw new Fault('service_unavailable', 'The request log is unavailable. Try again later.', {
        cause: err,
        retryAfterMs: 2000,
      })
    })
  }

  async close(): Promise<void> {
    this.#closing.abort()
    this.bodies.close()
    clearInterval(this.#pruning)
    await this.#tidying
    await settleWithin(GOODBYE_MS, this.#writeRest())
  }

  async #writeRest(): Promise<void> {
    await this.#writing
    while (this.waiting > 0 && !this.#outage.isOn) {
      await this.#write()
      await nextTurn()
    }
  }

  /** So that a request is found as soon as it is answered, unless very many come. */
  async #catchUp(): Promise<void> {
    await this.#writing
    for (let left = Math.min(this.waiting, MOST_CAUGHT_UP); left > 0 && !this.#outage.isOn; left -= ROWS_PER_WRITE) {
      await (this.#writing ?? this.#write())
      await nextTurn()
    }
  }

  #writeAfter(pauseMs: number): void {
    if (!this.#closing.signal.aborted) this.#pause = setTimeout(() => void this.#write(), pauseMs)
  }

  get #pauseMs(): number {
    return this.waiting < ROWS_PER_WRITE ? GATHER_MS : PAUSE_MS
  }

  #write(): Promise<void> {
    if (this.#pause) clearTimeout(this.#pause)
    this.#pause = null
    if (this.waiting === 0) return Promise.resolve()
    this.#writing = this.#writeSome().finally(() => {
      this.#writing = null
      if (this.waiting > 0) this.#writeAfter(this.#outage.isOn ? RETRY_MS : this.#pauseMs)
    })
    return this.#writing
  }

  /** Rows that could not be written wait for the next try while there is room. */
  async #writeSome(): Promise<void> {
    const { records } = this.#options
    const some = this.#queue.slice(0, ROWS_PER_WRITE)
    try {
      await records.add(some)
      this.#queue.splice(0, some.length)
      this.#forget(some)
      this.#outage.worked()
    } catch (err) {
      this.#outage.failed({ err })
    }
  }

  #forget(written: readonly LoggedRequest[]): void {
    for (const { projectId } of written) {
      const left = (this.#perProject.get(projectId) ?? 0) - 1
      if (left > 0) this.#perProject.set(projectId, left)
      else this.#perProject.delete(projectId)
    }
  }

  #prune(): void {
    const { records, bounds, now = Date.now } = this.#options
    this.#tidy('removing old requests failed', async (signal) => {
      await this.bodies.tidy()
      await records.prune(bounds, now(), signal)
    })
  }

  /** One at a time. */
  #tidy(failure: string, work: (signal: AbortSignal) => Promise<void>): void {
    const { signal } = this.#closing
    this.#tidying ??= work(signal)
      .catch((err: unknown) => {
        if (!signal.aborted) this.#options.log.warn({ err }, failure)
      })
      .finally(() => (this.#tidying = null))
  }
}
