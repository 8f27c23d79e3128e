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
interface SignInShares {
  /** @throws {Fault} `rate_limited` where the caller's share is used up, `service_unavailable` where no place is free. */
  run<T>(caller: SignInCaller, work: () => Promise<T>): Promise<T>
}

export function createSignInShares(now: () => number): SignInShares {
  const buckets = createLeakyBuckets(now)
  const places = { signedIn: createFairShare(PLACES), strangers: createFairShare(PLACES) }
  return {
    async run({ key, isSignedIn }, work) {
      const kind = isSignedIn ? 'signedIn' : 'strangers'
      const waitMs = buckets.take(`${kind} ${key}`, LIMIT)
      if (waitMs > 0) {
        throw new Fault('rate_limited', 'Too many sign-ins. Wait a moment.', { retryAfterMs: waitMs })
      }
      return places[kind].run(key, work)
    },
  }
}
