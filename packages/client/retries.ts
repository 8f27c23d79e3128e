import { ApiError, ConnectionError } from './errors.ts'
import { pause } from './signals.ts'

export interface RetryRules {
  /** The number of retries of a request. Defaults to 2. */
  readonly retries: number
  /** A longer wait than this is the caller's to decide: the refusal is thrown. Milliseconds. Defaults to 60,000. */
  readonly longestWaitMs: number
}

export interface Attempts extends RetryRules {
  readonly signal: AbortSignal | undefined
}

const FIRST_WAIT_MS = 250
/** The first request with the same `Idempotency-Key` still runs. */
const STILL_RUNNING = 409
const TOO_MANY = 429

/**
 * Makes a request, and makes it again as long as that may help: after a 429, which the server refused before it did anything,
 * when `Retry-After` has passed; after a 5xx or a lost connection with growing waits. Changes carry an `Idempotency-Key`, by which
 * the server does them once.
 */
export async function withRetries<T>(attempt: () => Promise<T>, rules: Attempts): Promise<T> {
  for (let made = 1; ; made++) {
    try {
      return await attempt()
    } catch (error) {
      rules.signal?.throwIfAborted()
      const waitMs = waitAfter(error, made)
      if (waitMs === null || waitMs > rules.longestWaitMs || made > rules.retries) throw error
      await pause(waitMs, rules.signal)
      rules.signal?.throwIfAborted()
    }
  }
}

/** Milliseconds until it is worth another try, or null when it is not. */
function waitAfter(error: unknown, made: number): number | null {
  const backoffMs = FIRST_WAIT_MS * 2 ** (made - 1) * (0.5 + Math.random())
  if (error instanceof ConnectionError) return backoffMs
  if (!(error instanceof ApiError)) return null
  const { status, retryAfterMs } = error
  if (status === TOO_MANY) return retryAfterMs ?? backoffMs
  if (status === STILL_RUNNING) return retryAfterMs
  return status >= 500 ? (retryAfterMs ?? backoffMs) : null
}
