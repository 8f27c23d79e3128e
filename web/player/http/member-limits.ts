import { Fault } from '../../../lib/errors.ts'
import { createLeakyBuckets } from '../../../lib/sharing/leaky-buckets.ts'

/** Rate limits of one member in the web player. */
const LIMITS = {
  action: { burst: 20, perSecond: 2 },
  search: { burst: 15, perSecond: 3 },
  read: { burst: 40, perSecond: 5 },
} as const

export type LimitedUse = keyof typeof LIMITS

/** Counts what each member does. */
export type MemberLimits = ReturnType<typeof createMemberLimits>

export function createMemberLimits(now: () => number) {
  const buckets = createLeakyBuckets(now)
  return {
    /** @throws {Fault} `rate_limited` with the time to wait; refused requests do not count. */
    assertWithin(use: LimitedUse, { guildId, userId }: { readonly guildId: string; readonly userId: string }) {
      const waitMs = buckets.take(`${use} ${guildId} ${userId}`, LIMITS[use])
      if (waitMs > 0) throw new Fault('rate_limited', 'Too many actions. Wait a moment.', { retryAfterMs: waitMs })
    },
  }
}
