import { AsyncLocalStorage } from 'node:async_hooks'
import { Fault } from './errors.ts'

/** The request or member's action in Discord that is being served. Each log line includes it. */
export interface RequestContext {
  /** Fields of every log line that comes of it. More may be added on the way. */
  readonly fields: Record<string, string | undefined>
  isOver: boolean
  /** Set for a request: its start (`performance.now()`), and the parent trace that the caller names. */
  readonly startedAtMs?: number
  readonly traceparent?: string | undefined
  /** ID of its trace, where one is sent to a collector. */
  traceId?: string
  /** Remaining requests to addresses that callers name; made by `outgoingBudget`. */
  outgoing?: Int32Array
  /** Set for a request that may come twice. */
  effect?: Effect
}

/**
 * The change made by a request that may come twice. It is written down in the transaction that saves the change, so after
 * a crash the request either has its effect and is known to have it, or has none.
 */
export interface Effect {
  /** The row of the request. */
  readonly requestId: number
  state: 'none' | 'declared' | 'saving' | 'saved'
  /** Returns the answer's content as far as it is known when the change is saved; null: it can be read again. */
  answer: () => unknown
}

const origins = new AsyncLocalStorage<RequestContext>()

/** Runs the handling of a request in its context (`AsyncLocalStorage`). */
export async function runInContext<T>(origin: RequestContext, work: () => Promise<T>): Promise<T> {
  try {
    return await origins.run(origin, work)
  } finally {
    origin.isOver = true
  }
}

/** Null outside a request: a player's timers outlive the request that made it. */
export function currentContext(): RequestContext | null {
  const origin = origins.getStore()
  return origin === undefined || origin.isOver ? null : origin
}

/** The project ID for work that no project requested. */
export const SERVICE = 'service'

/** The project of the current work; `service` without one. */
export function currentProjectId(): string {
  return origins.getStore()?.fields['projectId'] ?? SERVICE
}

/** Runs `work` for a project: as part of the current request if there is one, else on its own. */
export function runForProject<T>(projectId: string, work: () => Promise<T>): Promise<T> {
  const origin = currentContext()
  if (!origin) return runInContext({ fields: { projectId }, isOver: false }, work)
  origin.fields['projectId'] = projectId
  return work()
}

/** One link may lead to a playlist of playlists: so many requests to the outside for one incoming request. */
const MAX_OUTGOING = 40
export const TOO_MANY_OUTGOING = `This URL leads to too many others: more than ${MAX_OUTGOING} requests.`

/** The counter of the current request in shared memory, for a thread that sends requests for it; null without one. */
export function outgoingBudget(): Int32Array | null {
  const origin = currentContext()
  if (!origin) return null
  origin.outgoing ??= new Int32Array(new SharedArrayBuffer(4)).fill(MAX_OUTGOING)
  return origin.outgoing
}

/** Counts a request to the outside. @throws {Fault} `validation_error` if the current request has sent too many. */
export function countOutgoing(): void {
  const left = outgoingBudget()
  if (!left || Atomics.sub(left, 0, 1) > 0) return
  throw new Fault('validation_error', TOO_MANY_OUTGOING)
}

/** Whether `countOutgoing` has thrown or the next call would. */
export function isOutgoingSpent(): boolean {
  const left = currentContext()?.outgoing
  return left !== undefined && Atomics.load(left, 0) <= 0
}
