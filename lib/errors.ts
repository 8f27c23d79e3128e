/** The identifiers a fault carries inside the service. `api/http/errors.ts` says which status and code callers see. */
export type FaultCode =
  | 'bad_request'
  | 'invalid_api_key'
  | 'api_key_revoked'
  | 'forbidden'
  | 'player_limit'
  | 'not_found'
  | 'method_not_allowed'
  | 'conflict'
  | 'validation_error'
  | 'rate_limited'
  | 'internal_error'
  | 'service_unavailable'
  | 'upstream_failed'
  | 'timed_out'

/** Which of the failures of one code it is, where whoever speaks to a person has to know; callers of the API never see it. */
export type FaultReason =
  | 'duplicate'
  | 'queue_full'
  | 'too_many_queued'
  | 'nothing_playing'
  | 'nothing_before'
  | 'no_such_position'
  | 'no_positions'
  | 'collection_full'
  | 'picture_unreachable'
  | 'picture_unreadable'
  | 'picture_too_large'
  | 'picture_too_slow'
  | 'not_configured'
  | 'no_answer'

/** One thing that is wrong with a request. `field` is its path: `body.channelId`, `query.limit`, `path.guildId`. */
export interface Problem {
  readonly field: string
  readonly message: string
}

export interface FaultOptions {
  /** Shown to the caller; only validation faults carry any. */
  readonly details?: readonly Problem[]
  /** When a retry may help; becomes `Retry-After`, rounded up. */
  readonly retryAfterMs?: number
  readonly reason?: FaultReason
  /** Logged, never shown. */
  readonly cause?: unknown
}

/**
 * An expected failure whose message is safe to show to the caller and tells them what to do.
 * Anything else that is thrown is a bug and answers 500.
 */
export class Fault extends Error {
  override readonly name = 'Fault'
  readonly code: FaultCode
  readonly details: readonly Problem[] | undefined
  readonly retryAfterMs: number | undefined
  readonly reason: FaultReason | undefined

  constructor(code: FaultCode, message: string, options: FaultOptions = {}) {
    super(message, { cause: options.cause })
    this.code = code
    this.details = options.details
    this.retryAfterMs = options.retryAfterMs
    this.reason = options.reason
  }
}

/** A request that is well formed but cannot be carried out because of one of its fields: a 422 that names it. */
export function unprocessable(field: string, message: string, options: Pick<FaultOptions, 'reason'> = {}): Fault {
  return new Fault('validation_error', message, { ...options, details: [{ field, message }] })
}
