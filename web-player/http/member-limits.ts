import { createLru } from '../../lib/sharing/lru.ts'
import { Fault } from '../../lib/errors.ts'

/** What one member may ask of the web player: a burst, and so many in a second from then on. */
const LIMITS = {
  action: { burst: 20, perSecond: 2 },
  search: { burst: 15, perSecond: 3 },
  read: { burst: 40, perSecond: 5 },
} as const

export type LimitedUse = keyof typeof LIMITS

/** Counts what each member does. */
export interface MemberLimits {
  /** @throws {Fault} `rate_limited` with the time to wait; what is refused does not count. */
  assertWithin(use: LimitedUse, member: { readonly guildId: string; readonly userId: string }): void
}

const MAX_MEMBERS = 20_000

/** Leaky buckets (GCRA), in memory: a restart forgives. */
export function createMemberLimits(now: () => number): MemberLimits {
  const fullUntilMs = createLru<string, number>(MAX_MEMBERS)
  return {
    assertWithin(use, { guildId, userId }) {
      const { burst, perSecond } = LIMITS[use]
      const key = `${use} ${guildId} ${userId}`
      const costMs = 1000 / perSecond
      const nowMs = now()
      const nextMs = Math.max(fullUntilMs.get(key) ?? 0, nowMs) + costMs
      const waitMs = nextMs - nowMs - burst * costMs
      if (waitMs > 0) throw new Fault('rate_limited', 'Too many actions. Wait a moment.', { retryAfterMs: waitMs })
      fullUntilMs.set(key, nextMs)
    },
  }
}
