import { Fault } from '../../lib/errors.ts'
import { createFairShare } from '../../lib/sharing/fair-share.ts'
import { createLeakyBuckets } from '../../lib/sharing/leaky-buckets.ts'

/** Who wants to be identified at Discord. */
export interface SignInCaller {
  /** The network of a stranger, or the account or member that is signed in. */
  readonly key: string
  readonly isSignedIn: boolean
}

/** Each asks Discord up to three times. People at home behind one address, and an Activity's proxy, are several at once. */
const LIMIT = { burst: 20, perSecond: 1 }
const PLACES = { what: 'sign-ins', total: 16, share: 16, maxWaiting: LIMIT.burst, maxWaitMs: 10_000 }

/** Shares the sign-ins at Discord by address; those who are signed in have places of their own. */
export function createSignInShares(now: () => number) {
  const buckets = createLeakyBuckets(now)
  const places = { signedIn: createFairShare(PLACES), strangers: createFairShare(PLACES) }
  return {
    /** @throws {Fault} `rate_limited` where the caller's share is used up, `service_unavailable` where no place is free. */
    async run<T>({ key, isSignedIn }: SignInCaller, work: () => Promise<T>): Promise<T> {
      const kind = isSignedIn ? 'signedIn' : 'strangers'
      const waitMs = buckets.take(`${kind} ${key}`, LIMIT)
      if (waitMs > 0) {
        throw new Fault('rate_limited', 'Too many sign-ins. Wait a moment.', { retryAfterMs: waitMs })
      }
      return places[kind].run(key, work)
    },
  }
}
