import type { z } from 'zod'
import { createBreaker, type Breaker } from '../../lib/sharing/breaker.ts'
import {
  call,
  failure,
  type UpstreamCall,
  type FailedAnswer,
  type Search,
  type UpstreamContext,
  type UpstreamSpec,
} from './call.ts'
import { UpstreamFailure } from './failure.ts'

export type { FailedAnswer, UpstreamContext, UpstreamSpec } from './call.ts'

export type Upstream = ReturnType<typeof createUpstream>

/** More calls at once than this are turned away, not queued. */
const MAX_IN_FLIGHT = 64

/** 404, or 204 without a body. */
export const notFound = ({ status }: FailedAnswer): boolean => status === 404 || status === 204

/** A 404 by the service itself: an HTML page is some proxy's, and says nothing of what was asked for. */
export const notFoundInJson = ({ status, body }: FailedAnswer): boolean =>
  status === 204 || (status === 404 && typeof body === 'object' && body !== null)

/** A path with every inserted value escaped: urlPath`/users/${name}`. */
export function urlPath(strings: TemplateStringsArray, ...values: readonly (string | number)[]): string {
  return String.raw({ raw: strings }, ...values.map((value) => encodeURIComponent(String(value).toWellFormed())))
}

/** The client of one outside service. */
export function createUpstream(context: UpstreamContext, spec: UpstreamSpec) {
  const { metrics, now } = context
  const breaker = createBreaker({ now, opensOnRefusal: spec.opensOnRefusal ?? false })
  let inFlight = 0

  /** The same as `get`, or null when what was asked for does not exist. @throws {UpstreamFailure} */
  const find = async <S extends z.ZodType>(search: Search<S>): Promise<z.output<S> | null> => {
    const obstacle = inFlight >= MAX_IN_FLIGHT ? 'crowded' : breaker.admits() ? null : 'held_back'
    if (obstacle) {
      metrics.called(spec.id, obstacle, 0)
      throw failure(spec, obstacle)
    }
    inFlight += 1
    const startedAtMs = now()
    try {
      const found = await call(context, spec, search)
      breaker.succeeded()
      metrics.called(spec.id, found === null ? 'absent' : 'answered', now() - startedAtMs)
      return found
    } catch (error) {
      tell(breaker, error, context.closing.aborted)
      if (error instanceof UpstreamFailure) report(context, spec, error, now() - startedAtMs)
      throw error
    } finally {
      inFlight -= 1
    }
  }

  return {
    name: spec.name,
    host: new URL(spec.baseUrl).host,
    find,
    /** @throws {UpstreamFailure} when there is no answer of the documented shape in time. */
    // Never null, unless the shape itself takes a null.
    get: async <S extends z.ZodType>(ask: UpstreamCall<S>) => (await find({ ...ask, absent: never })) as z.output<S>,
  }
}

const never = (): boolean => false

function report(
  { metrics, log }: UpstreamContext,
  spec: UpstreamSpec,
  { facts }: UpstreamFailure,
  tookMs: number,
): void {
  const { kind, status, body, cause } = facts
  metrics.called(spec.id, kind, tookMs)
  // A wrong key needs a person. The path may hold what a caller typed, and the query a key: neither is logged.
  const level = status === 401 || status === 403 ? 'error' : 'warn'
  log[level]({ upstream: spec.id, kind, status, body: briefly(body), tookMs, err: cause }, 'upstream call failed')
}

function tell(breaker: Breaker, error: unknown, closing: boolean): void {
  if (closing || !(error instanceof UpstreamFailure)) return breaker.calledOff()
  const { kind, retryAfterMs } = error.facts
  switch (kind) {
    case 'refused':
      return breaker.refused(retryAfterMs)
    case 'unreachable':
    case 'timed_out':
    case 'broken':
      return retryAfterMs === undefined ? breaker.failed() : breaker.refused(retryAfterMs)
    // The service is there and answers; what it answers may be due to what a caller typed, who must not be able to
    // close it for everybody else.
    case 'rejected':
    case 'redirected':
    case 'too_large':
    case 'malformed':
    case 'held_back':
    case 'crowded':
      return breaker.succeeded()
  }
}

/** Enough of a refusal to know it by in the log. */
function briefly(body: unknown): string | undefined {
  return body === undefined ? undefined : JSON.stringify(body).slice(0, 300)
}
