import { hash } from 'node:crypto'
import { networkOf } from '../../http/client-address.ts'
import { HttpRefusal } from '../../http/errors.ts'
import type { Logger } from '../../../lib/log.ts'
import { createLeakyBuckets } from '../../../lib/sharing/leaky-buckets.ts'
import { createLru } from '../../../lib/sharing/lru.ts'

/** Slows down who guesses passwords, by address, and tells the operator in one line a minute. */
export type Guesses = ReturnType<typeof createGuesses>

const LIMIT = { burst: 20, perSecond: 0.2 }
const MAX_KNOWN = 10_000
const TOLD_EVERY_MS = 60_000

export function createGuesses({ log, now }: { readonly log: Logger; readonly now: () => number }) {
  const buckets = createLeakyBuckets(now)
  const known = createLru<string, true>(MAX_KNOWN)
  let untold = 0
  let toldAtMs = -Infinity

  function tell(address: string): void {
    untold += 1
    if (now() - toldAtMs < TOLD_EVERY_MS) return
    log.warn({ address, guesses: untold }, 'password guesses refused')
    toldAtMs = now()
    untold = 0
  }

  return {
    /**
     * A password that was right from that address passes always: a client goes on beside who guesses.
     * @throws {HttpRefusal} 429 where so many were wrong that this one is not looked at.
     */
    assertMayTry(address: string, password: string) {
      const waitMs = buckets.waitMs(networkOf(address), LIMIT)
      if (waitMs === 0 || known.has(keyOf(address, password))) return
      tell(address)
      const message = 'Too many wrong passwords came from this address. Wait, or correct the password.'
      throw new HttpRefusal(429, message, { code: 'rate_limited', retryAfterMs: waitMs })
    },
    note(address: string, password: string, isRight: boolean) {
      if (isRight) known.set(keyOf(address, password), true)
      else buckets.take(networkOf(address), LIMIT)
    },
  }
}

/** Passwords are not kept in memory for this. */
function keyOf(address: string, password: string): string {
  return hash('sha256', `${address} ${password}`, 'base64')
}
