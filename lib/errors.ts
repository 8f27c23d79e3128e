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
  | 'precondition_failed'
  | 'validation_error'
  | 'rate_limited'
  | 'internal_error'
  | 'service_unavailable'
  | 'upstream_failed'
  | 'timed_out'

/** Reason why an input is invalid. `api/http/fault-fields.ts` maps it to the field of a request. */
export type InputReason =
  | 'channel_not_joinable'
  | 'no_such_target'
  | 'unknown_source'
  | 'unknown_effect'
  | 'invalid_setting'
  | 'wrong_picture_count'
  | 'invalid_player'
  | 'invalid_address'
  | 'invalid_user'
  | 'invalid_id'
  | 'unknown_action'
  | 'invalid_reference'
  | 'empty_text'
  | 'text_too_long'
  | 'unknown_source_language'
  | 'unknown_target_language'
  | 'invalid_city'
  | 'several_players'

/**
 * Why there is nothing to play. `source_off`: the operator has not switched that source on. `source_refused`: it answers,
 * but not to this service. `unreachable`: no connection, no answer in time, or a name that could not be looked up.
 * `address_refused`: not a public address. `private`, `region`, `age`: it is there, and not for us. `episode`: of a
 * podcast, on a site whose songs alone are found elsewhere. `unplayable`: any other.
 */
export const SOURCE_REASONS = [
  'source_off',
  'source_refused',
  'unreachable',
  'address_refused',
  'nothing_found',
  'private',
  'region',
  'age',
  'episode',
  'unplayable',
] as const

/** Why none of several bots plays: all are in other channels of the guild, or it was not said which of them is meant. */
export const BOT_REASONS = ['bots_busy', 'several_players'] as const

export type SourceReason = (typeof SOURCE_REASONS)[number]

/** Distinguishes failures of one code. Commands and pages have words for each; callers of the API see a field. */
export type FaultReason =
  | InputReason
  | SourceReason
  | 'duplicate'
  | 'queue_full'
  | 'too_many_queued'
  | 'nothing_playing'
  | 'bots_busy'
  | 'nothing_before'
  | 'nothing_to_undo'
  | 'no_such_position'
  | 'no_positions'
  | 'no_chapters'
  | 'no_such_chapter'
  | 'endless'
  | 'collection_full'
  | 'picture_unreachable'
  | 'picture_unreadable'
  | 'picture_too_large'
  | 'picture_too_slow'
  | 'not_configured'
  | 'no_answer'

/**
 * Outcome of a request about a guild that another service runs: it was not carried out since the guild changes hands, it
 * never arrived, or that is not known.
 */
type PeerFailure = 'moved' | 'unreachable' | 'lost'

/** One thing that is wrong with a request. `field` is its path, as `invalidField` of api/http/errors.ts takes it. */
export interface Problem {
  readonly field: string
  readonly message: string
}

export interface FaultOptions {
  /** The problems of a request that the API refused before anything looked at it; shown to the caller. */
  readonly details?: readonly Problem[]
  /** When a retry may help; becomes `error.retryAfterMs`, and `Retry-After` but on music routes. */
  readonly retryAfterMs?: number
  readonly reason?: FaultReason | undefined
  /** Name that the caller gave the input; for methods that take several of a kind. */
  readonly input?: string | undefined
  /** The source of music that it is about, as in `MUSIC_SOURCES`. */
  readonly source?: string | undefined
  readonly peer?: PeerFailure
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
  readonly input: string | undefined
  readonly source: string | undefined
  readonly peer: PeerFailure | undefined

  constructor(code: FaultCode, message: string, options: FaultOptions = {}) {
    super(message, { cause: options.cause })
    this.code = code
    this.details = options.details
    this.retryAfterMs = options.retryAfterMs
    this.reason = options.reason
    this.input = options.input
    this.source = options.source
    this.peer = options.peer
  }
}

/** An input that is well formed but cannot be used: a 422. */
export function unprocessable(reason: FaultReason, message: string, input?: string): Fault {
  return new Fault('validation_error', message, { reason, input })
}

/** The requested item cannot be played. */
export function unplayable(message: string, reason: SourceReason = 'unplayable'): Fault {
  return unprocessable(reason, message)
}

export function isSourceReason(reason: FaultReason | undefined): reason is SourceReason {
  const all: readonly (FaultReason | undefined)[] = SOURCE_REASONS
  return all.includes(reason)
}

/** For `catch`: null in place of a fault of this code. Throws all others on. */
export function nullOn(code: FaultCode): (error: unknown) => null {
  return (error) => {
    if (error instanceof Fault && error.code === code) return null
    throw error
  }
}
