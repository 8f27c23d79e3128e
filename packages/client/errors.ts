import type { ErrorBody } from './types.ts'

type Refusal = ErrorBody['error']

/** The server's own codes, such as `rate_limited`. */
export type ErrorCode = Refusal['code']

/** The server answered, and refused. Branch on `code`; `message` is for people. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number
  /** `internal_error` where what answered was not Bandstand, such as a proxy before it. */
  readonly code: ErrorCode
  /** Finds the request in the server's log. */
  readonly requestId: string | null
  /** Every problem of the request, by field: `body.channelId`, `query.q`. */
  readonly details: readonly { readonly field: string; readonly message: string }[]
  /** Why there is nothing to play, where that is the reason. */
  readonly reason: Refusal['reason'] | null
  /** The source of music that `reason` is about. */
  readonly source: string | null
  /** The earliest time of a retry; null if the server names none. */
  readonly retryAfterMs: number | null

  constructor(response: Response, body: unknown) {
    const refusal = refusalOf(body)
    super(refusal?.message ?? `The server returned the status ${response.status} without an error body.`)
    this.status = response.status
    this.code = refusal?.code ?? 'internal_error'
    this.requestId = response.headers.get('x-request-id')
    this.details = refusal?.details ?? []
    this.reason = refusal?.reason ?? null
    this.source = refusal?.source ?? null
    this.retryAfterMs = refusal?.retryAfterMs ?? retryAfterOf(response)
  }
}

/** No answer came: the network failed, or the attempt took longer than `timeoutMs`. `cause` has what happened. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError'
  readonly isTimeout: boolean

  constructor(message: string, { cause, isTimeout }: { readonly cause: unknown; readonly isTimeout: boolean }) {
    super(message, { cause })
    this.isTimeout = isTimeout
  }
}

/** Milliseconds that `Retry-After` names, in seconds or as a date; null if it names none. */
function retryAfterOf({ headers }: Response): number | null {
  const told = headers.get('retry-after')
  if (told === null) return null
  const ms = /^\d+$/.test(told) ? Number(told) * 1000 : Date.parse(told) - Date.now()
  return Number.isNaN(ms) ? null : Math.max(0, ms)
}

function refusalOf(body: unknown): Refusal | null {
  if (typeof body !== 'object' || body === null || !('error' in body)) return null
  const { error } = body
  return typeof error === 'object' && error !== null && 'code' in error ? (error as Refusal) : null
}
