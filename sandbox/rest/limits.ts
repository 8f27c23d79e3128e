import { createHash } from 'node:crypto'
import type { Limit } from './route.ts'

/** What Discord allows where nothing special is known. */
const USUAL: Limit = { requests: 50, perMs: 1000 }
const GLOBAL: Limit = { requests: 50, perMs: 1000 }
/** Buckets whose window is over are swept when there are this many. */
const SWEEP_AT = 1000

interface Window {
  used: number
  endsAtMs: number
}

export interface Verdict {
  readonly allowed: boolean
  readonly global: boolean
  readonly retryAfterSeconds: number
  readonly headers: Readonly<Record<string, string>>
}

export interface Limits {
  /** Counts a request. `bucket` names the route and its main resource, `who` the caller. */
  take(request: { who: string; bucket: string; limit: Limit | undefined; enforced: boolean }): Verdict
}

/** Fixed windows per route and resource, and one over everything a bot does, as Discord counts. */
export function createLimits(now: () => number): Limits {
  const windows = new Map<string, Window>()

  function count(key: string, { perMs }: Limit): Window {
    const nowMs = now()
    const known = windows.get(key)
    if (known && known.endsAtMs > nowMs) {
      known.used += 1
      return known
    }
    if (windows.size > SWEEP_AT) for (const [k, w] of windows) if (w.endsAtMs <= nowMs) windows.delete(k)
    const fresh = { used: 1, endsAtMs: nowMs + perMs }
    windows.set(key, fresh)
    return fresh
  }

  return {
    take({ who, bucket, limit = USUAL, enforced }) {
      const own = count(`${who} ${bucket}`, limit)
      const all = count(`${who} everything`, GLOBAL)
      const overOwn = own.used > limit.requests
      const overAll = all.used > GLOBAL.requests
      const allowed = !enforced || !(overOwn || overAll)
      const leftMs = Math.max(0, (overAll && !overOwn ? all : own).endsAtMs - now())
      // Where nothing is enforced a client is never told to wait.
      const least = enforced ? 0 : 1
      const headers: Record<string, string> = {
        'x-ratelimit-bucket': createHash('md5')
          .update(bucket.split(' ')[0] ?? '')
          .digest('hex'),
        'x-ratelimit-limit': String(limit.requests),
        'x-ratelimit-remaining': String(Math.max(least, limit.requests - own.used)),
        'x-ratelimit-reset': (own.endsAtMs / 1000).toFixed(3),
        'x-ratelimit-reset-after': (Math.max(0, own.endsAtMs - now()) / 1000).toFixed(3),
      }
      const retryAfterSeconds = leftMs / 1000
      if (!allowed) {
        headers['retry-after'] = String(Math.ceil(retryAfterSeconds))
        headers['x-ratelimit-scope'] = overOwn ? 'user' : 'global'
        if (!overOwn) headers['x-ratelimit-global'] = 'true'
      }
      return { allowed, global: !overOwn, retryAfterSeconds, headers }
    },
  }
}
