import type { Rules } from '../world/world.ts'
import type { Passage, RequestEnd } from './faults.ts'

/** Response to a request in place of the route's. */
export interface FaultAnswer {
  readonly status: number
  readonly body: object
  readonly headers: Readonly<Record<string, string>>
}

const NOTHING: Passage<RequestEnd> = { delayMs: 0, end: null }

/** The faults that the rules of the world throw their dice for: shares of requests, and one delay for all. */
export function passageOfRules(rules: Rules, random: () => number): Passage<RequestEnd> {
  const { restLimitedPercent, restFailedPercent, restDelayMs: delayMs } = rules
  if (restLimitedPercent + restFailedPercent === 0) return delayMs === 0 ? NOTHING : { delayMs, end: null }
  const drawn = random() * 100
  if (drawn < restFailedPercent) return { delayMs, end: { type: 'outage', status: 503 } }
  const isLimited = drawn < restFailedPercent + restLimitedPercent
  return { delayMs, end: isLimited ? { type: 'rate-limit', retryAfter: 1, scope: 'shared' } : null }
}

/** Null where there is no answer at all. */
export function answerOfFault(end: RequestEnd): FaultAnswer | null {
  switch (end.type) {
    case 'status':
      return {
        status: end.status,
        body: end.body ?? { message: `${end.status}: fault`, code: 0 },
        headers: end.headers,
      }
    case 'outage':
      return { status: end.status, body: { message: 'upstream connect error', code: 0 }, headers: {} }
    case 'rate-limit': {
      const isGlobal = end.scope === 'global'
      const body = { message: 'You are being rate limited.', retry_after: end.retryAfter, global: isGlobal, code: 0 }
      const headers = {
        'retry-after': String(Math.ceil(end.retryAfter)),
        'x-ratelimit-scope': end.scope,
        'x-ratelimit-reset-after': end.retryAfter.toFixed(3),
        'x-ratelimit-remaining': '0',
        ...(isGlobal ? { 'x-ratelimit-global': 'true' } : {}),
      }
      return { status: 429, body, headers }
    }
    case 'cut':
    case 'lose':
      return null
  }
}
