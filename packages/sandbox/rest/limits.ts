import { createHash } from 'node:crypto'
import type { LimitWindow, World } from '../world/world.ts'
import type { Limit } from './route.ts'

/** Discord's limit for routes without a known one. */
const USUAL: Limit = { requests: 50, perMs: 1000 }
const GLOBAL: Limit = { requests: 50, perMs: 1000 }
/** Answers 401, 403 and 429, after which Discord's edge takes nothing more from a caller. */
const INVALID: Limit = { requests: 10_000, perMs: 600_000 }
/** Windows that are over are swept when there are this many. */
const SWEEP_AT = 1000

interface LimitRequest {
  /** The bot, or a secret of the path. */
  readonly who: string
  /** Names the route. */
  readonly route: string
  /** The resource in the path that has limits of its own. */
  readonly major: string
  readonly limit: Limit | undefined
  /** Interactions and their webhooks do not count against what a bot may send in all. */
  readonly isGlobal: boolean
}

export interface Verdict {
  readonly allowed: boolean
  /** The limit that refuses the request. */
  readonly scope: 'user' | 'global' | 'edge' | null
  readonly retryAfterSeconds: number
  readonly headers: Readonly<Record<string, string>>
}

export type Limits = ReturnType<typeof createLimits>

/** Fixed windows per route and resource, and one over everything a bot does, as Discord counts. They are of the world. */
export function createLimits(world: World) {
  const { limitWindows: windows, now } = world

  function count(key: string, { perMs }: Limit): LimitWindow {
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

  const isOver = (window: LimitWindow | undefined, { requests }: Limit) =>
    window !== undefined && window.endsAtMs > now() && window.used >= requests

  return {
    /** Counts an answer that a caller should not need. */
    noteInvalid: (who: string) => void count(`${who} invalid`, INVALID),
    /** Counts a request and says whether it may pass. */
    take({ who, route, major, limit = USUAL, isGlobal }: LimitRequest): Verdict {
      const isEnforced = world.rules.rateLimits
      const edge = windows.get(`${who} invalid`)
      if (isEnforced && edge && isOver(edge, INVALID)) return refuseAtEdge((edge.endsAtMs - now()) / 1000)
      const bucket = limit.bucket ?? route
      const own = count(`${who} ${bucket} ${major}`, limit)
      // A request refused by its own bucket does not count against the global limit.
      const isOverOwn = own.used > limit.requests
      const all = isGlobal && !isOverOwn ? count(`${who} everything`, GLOBAL) : null
      const isOverAll = all !== null && all.used > GLOBAL.requests
      const allowed = !isEnforced || !(isOverOwn || isOverAll)
      const secondsLeft = (window: LimitWindow) => Math.max(0, window.endsAtMs - now()) / 1000
      // Unenforced limits always show a remaining request, or clients would wait.
      const least = isEnforced ? 0 : 1
      const headers: Record<string, string> = {
        'x-ratelimit-bucket': createHash('md5').update(bucket).digest('hex'),
        'x-ratelimit-limit': String(limit.requests),
        'x-ratelimit-remaining': String(Math.max(least, limit.requests - own.used)),
        'x-ratelimit-reset': (own.endsAtMs / 1000).toFixed(3),
        'x-ratelimit-reset-after': secondsLeft(own).toFixed(3),
      }
      if (allowed) return { allowed, scope: null, retryAfterSeconds: 0, headers }
      const scope = isOverOwn ? 'user' : 'global'
      const retryAfterSeconds = secondsLeft(isOverOwn || !all ? own : all)
      headers['retry-after'] = String(Math.ceil(retryAfterSeconds))
      headers['x-ratelimit-scope'] = scope
      if (scope === 'global') headers['x-ratelimit-global'] = 'true'
      return { allowed, scope, retryAfterSeconds, headers }
    },
  }
}

/** Before Discord itself: no JSON, and none of its headers. */
function refuseAtEdge(retryAfterSeconds: number): Verdict {
  const headers = { 'retry-after': String(Math.ceil(retryAfterSeconds)) }
  return { allowed: false, scope: 'edge', retryAfterSeconds, headers }
}
