import type { CallOutcome } from '../../lib/telemetry-hooks.ts'
import { Fault, type FaultCode } from '../../lib/errors.ts'
import { withTimeout } from '../../lib/deadline.ts'

/**
 * Failure of a call to an outside service.
 * `unreachable`: no connection, or it broke. `timed_out`: not finished in time, body included.
 * `held_back`: we did not call, since the service failed too often or asked us to wait.
 * `crowded`: we did not call, since too many calls are under way.
 * `refused`: 401, 403, 429, or a page that wants a browser or a person. `rejected`: any other 4xx. `broken`: 5xx.
 * `redirected`: an unexpected redirect. `too_large`: more bytes than the bound.
 * `malformed`: no JSON, or JSON of another shape than documented.
 */
export type FailureKind = Exclude<CallOutcome, 'answered' | 'absent'>

export interface FailureFacts {
  readonly kind: FailureKind
  /** Names the service in sentences: `The weather service`. */
  readonly name: string
  /** Host of the call, without path and query, which may hold a key. */
  readonly host: string
  readonly status?: number
  /** The parsed body of a refusal. For the service's own client only; never passed on. */
  readonly body?: unknown
  /** The `Retry-After` of the answer. */
  readonly retryAfterMs?: number
  readonly cause?: unknown
}

/** A call to an outside service that gave no usable answer. Never leaves `upstream/`: see `failingAs`. */
export class UpstreamFailure extends Error {
  override readonly name = 'UpstreamFailure'
  readonly facts: FailureFacts

  constructor(facts: FailureFacts) {
    super(`${facts.name} (${facts.host}) ${WORDS[facts.kind]}.`, { cause: facts.cause })
    this.facts = facts
  }
}

/** Ends the sentence that begins with the service's name. */
const WORDS: Readonly<Record<FailureKind, string>> = {
  unreachable: 'is unreachable. Try again in a moment',
  timed_out: "didn't respond in time. Try again in a moment",
  held_back: 'failed repeatedly, so calls to it pause. Try again in a minute',
  crowded: 'has too many concurrent calls. Try again in a moment',
  refused: 'rejects our requests for now. Try again in a minute',
  rejected: 'rejected the request',
  broken: 'has an internal error. Try again in a moment',
  redirected: 'returned a redirect instead of data. Try again later',
  too_large: 'returned too much data',
  malformed: 'returned an unreadable response. Try again later',
}

/** Runs `work`; an upstream's failure in it becomes the fault that the route documents. */
export async function failingAs<T>(code: FaultCode, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof UpstreamFailure) throw new Fault(code, error.message, { cause: error, reason: 'no_answer' })
    throw error
  }
}

/** `null` where an outside service failed: for the parts of an answer that may be missing. */
export async function optional<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work
  } catch (error) {
    if (error instanceof UpstreamFailure) return null
    throw error
  }
}

/** The answer of `work`, or a `timed_out` failure after `ms`. The work itself continues, bounded by its own timeouts. */
export function within<T>(ms: number, who: { name: string; host: string }, work: Promise<T>): Promise<T> {
  return withTimeout(ms, work, () => {
    throw new UpstreamFailure({ kind: 'timed_out', ...who })
  })
}
