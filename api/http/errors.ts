import { HttpError } from 'koa'
import { z } from 'zod'
import {
  BOT_REASONS,
  Fault,
  isSourceReason,
  SOURCE_REASONS,
  type FaultCode,
  type FaultOptions,
} from '../../lib/errors.ts'

/** The codes that callers see. `unauthorized` is reserved and never sent. */
export const PUBLIC_CODES = [
  'bad_request',
  'invalid_api_key',
  'api_key_revoked',
  'unauthorized',
  'forbidden',
  'player_limit',
  'not_found',
  'method_not_allowed',
  'conflict',
  'precondition_failed',
  'validation_error',
  'rate_limited',
  'internal_error',
  'service_unavailable',
] as const

type PublicCode = (typeof PUBLIC_CODES)[number]

interface Outcome {
  readonly status: number
  /** What callers see of it. */
  readonly code: PublicCode
  /** Explanation for the reference. */
  readonly meaning: string
}

/** Callers see most faults by their own codes. */
const OUTCOMES: Readonly<Record<FaultCode, Omit<Outcome, 'code'>>> = {
  bad_request: { status: 400, meaning: 'The request is malformed, or its parameters contradict each other.' },
  invalid_api_key: { status: 401, meaning: 'No key, a malformed key, or an unknown key.' },
  api_key_revoked: { status: 401, meaning: 'The key is revoked or has expired.' },
  forbidden: {
    status: 403,
    meaning: "The plan excludes this feature, the key can't use it, or a music route needs a key with a bot.",
  },
  player_limit: { status: 403, meaning: 'The project has as many players as its plan allows.' },
  not_found: { status: 404, meaning: "The route or record doesn't exist." },
  method_not_allowed: { status: 405, meaning: "The path doesn't support this method." },
  conflict: { status: 409, meaning: "The request conflicts with the player's current state." },
  precondition_failed: {
    status: 412,
    meaning: 'The queue has changed since the `ETag` in `If-Match`. The response has the current `ETag`.',
  },
  validation_error: {
    status: 422,
    meaning: "A parameter isn't valid, or the service can't process the request. `details` names the field.",
  },
  rate_limited: { status: 429, meaning: 'Too many requests. `Retry-After` has the seconds to wait.' },
  internal_error: { status: 500, meaning: 'Unexpected error in the service.' },
  upstream_failed: { status: 502, meaning: 'An outside service returned no usable response.' },
  service_unavailable: { status: 503, meaning: 'The service, or a part of it, is down or overloaded.' },
  timed_out: { status: 504, meaning: 'The wait for the result timed out.' },
}

const codeOf = (code: FaultCode): PublicCode =>
  code === 'upstream_failed' || code === 'timed_out' ? 'service_unavailable' : code

/** The HTTP response of each fault. */
export const FAULT_RESPONSES = Object.fromEntries(
  Object.entries(OUTCOMES).map(([code, outcome]) => [code, { ...outcome, code: codeOf(code as FaultCode) }]),
) as Readonly<Record<FaultCode, Outcome>>

interface HttpRefusalOptions extends FaultOptions {
  readonly headers?: Readonly<Record<string, string>>
  /** Defaults to `bad_request`. */
  readonly code?: FaultCode
}

/** A refusal by HTTP itself: its status says more than its code. 400, 408, 412, 414, 417, 426, 431. */
export class HttpRefusal extends Fault {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>

  constructor(status: number, message: string, options: HttpRefusalOptions = {}) {
    super(options.code ?? 'bad_request', message, options)
    this.status = status
    this.headers = options.headers ?? {}
  }
}

export const ErrorBody = z
  .object({
    error: z.object({
      code: z.enum(PUBLIC_CODES).describe('Stable identifier. Branch on this value.'),
      message: z.string().describe('Text for people. It can change.'),
      details: z
        .array(
          z.object({
            field: z.string().describe('`query.<name>`, `path.<name>`, `body.<name>` or `body`.'),
            message: z.string(),
          }),
        )
        .nullable()
        .optional()
        .describe('All problems of the request. Only present for invalid parameters.'),
      reason: z
        .enum([...SOURCE_REASONS, ...BOT_REASONS])
        .optional()
        .describe(
          'Stable reason. Present if a music source or an address failed, if all bots of a pool are in other channels ' +
            '(`bots_busy`), or if several of them play (`several_players`).',
        ),
      source: z.string().optional().describe('The music source that `reason` refers to.'),
      retryAfterMs: z
        .int()
        .optional()
        .describe(
          'Milliseconds to wait before a retry, if one may help. Music routes have it instead of `Retry-After`.',
        ),
    }),
    requestId: z.string().describe('Same as the `X-Request-Id` response header.'),
  })
  .meta({
    id: 'Error',
    examples: [
      {
        error: {
          code: 'validation_error',
          message: 'query.q: This is required.',
          details: [{ field: 'query.q', message: 'This is required.' }],
        },
        requestId: '0b9ccf2e-5d63-4a0b-9f0f-3f6f0c2f7f11',
      },
    ],
  })

/** A request refused for one of its fields: a 422 that names it. */
export function invalidField(field: string, message: string): Fault {
  return new Fault('validation_error', message, { details: [{ field, message }] })
}

export function errorBody(fault: Fault, requestId: string): z.infer<typeof ErrorBody> {
  const { code } = FAULT_RESPONSES[fault.code]
  const { message, details, reason, source, retryAfterMs } = fault
  const told = isSourceReason(reason) ? reason : BOT_REASONS.find((one) => one === reason)
  const why = told && { reason: told, ...(source !== undefined && { source }) }
  const wait = retryAfterMs !== undefined && { retryAfterMs: Math.max(1, Math.ceil(retryAfterMs)) }
  return { error: { code, message, ...(details && { details: [...details] }), ...why, ...wait }, requestId }
}

export function statusOf(fault: Fault): number {
  return fault instanceof HttpRefusal ? fault.status : FAULT_RESPONSES[fault.code].status
}

/** The code that callers see of a fault. */
export function publicCodeOf({ code }: Fault): PublicCode {
  return FAULT_RESPONSES[code].code
}

/** The fault a caller sees: the one that was thrown, or an `internal_error` that shows nothing of the bug behind it. */
export function toApiFault(thrown: unknown): Fault {
  if (thrown instanceof Fault) return thrown
  // Thrown by `ctx.throw` of an operator's middleware.
  if (thrown instanceof HttpError && thrown.expose) return httpFault(thrown.status, thrown.message)
  const message = 'Unexpected error in the service. Its log has the details under the request ID.'
  return new Fault('internal_error', message, { cause: thrown })
}

function httpFault(status: number, message: string): Fault {
  const codes = Object.keys(FAULT_RESPONSES) as FaultCode[]
  const code = codes.find((one) => FAULT_RESPONSES[one].status === status)
  return code ? new Fault(code, message) : new HttpRefusal(status, message)
}
