import { pause } from './pause.ts'

export interface RetryRules {
  /** How often a request is made once more. */
  readonly retries: number
  /** A longer wait than this is the caller's to decide: the refusal is handed over. Milliseconds. */
  readonly longestWaitMs: number
}

const FIRST_WAIT_MS = 250
/** The server could not do it now; another time it may. */
const PASSING = new Set([502, 503, 504])
const SAFE = new Set(['GET', 'HEAD'])

/**
 * Waits as long as `Retry-After` says after a 429, which the server refused before it did anything. What failed in other
 * ways is tried again only where that cannot do a thing twice.
 */
export function withRetries(
  send: typeof fetch,
  { retries = 2, longestWaitMs = 60_000 }: Partial<RetryRules>,
): (request: Request) => Promise<Response> {
  return async (request) => {
    for (let attempt = 0; ; attempt++) {
      const isLast = attempt >= retries
      const outcome = await send(isLast ? request : request.clone()).catch((error: unknown) => ({ error }))
      const waitMs = waitAfter(request, outcome, attempt)
      if (waitMs !== null && waitMs <= longestWaitMs && !isLast && !request.signal.aborted) {
        if (outcome instanceof Response) await outcome.body?.cancel()
        await pause(waitMs, request.signal)
      } else if (outcome instanceof Response) return outcome
      else throw outcome.error
    }
  }
}

/** Milliseconds until it is worth another try, or null when it is not. */
function waitAfter({ method }: Request, outcome: Response | { error: unknown }, attempt: number): number | null {
  const backoffMs = FIRST_WAIT_MS * 2 ** attempt * (0.5 + Math.random())
  if (!(outcome instanceof Response)) return SAFE.has(method) ? backoffMs : null
  const told = Number(outcome.headers.get('retry-after') ?? Number.NaN) * 1000
  if (outcome.status === 429) return Number.isNaN(told) ? backoffMs : told
  if (!PASSING.has(outcome.status) || !SAFE.has(method)) return null
  return Number.isNaN(told) ? backoffMs : told
}
