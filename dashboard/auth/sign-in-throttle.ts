import { LRUCache } from 'lru-cache'
import { networkOf } from '../../api/http/client-address.ts'
import { monotonicNow } from '../../lib/clock.ts'

/** Slows down password guessing: by account and address together, by address, and by account. */
export interface Throttle {
  /**
   * Counts a try before it is judged, so that many at once are many.
   * @returns how long this one has to wait before trying; 0 means now.
   */
  attempt(name: string, address: string): number
  /** The try was right, and counts no more. */
  succeeded(name: string, address: string): void
}

/** How many tries are free, after which each doubles the wait. */
interface Rule {
  readonly free: number
  readonly mostMs: number
}

/**
 * An account alone has the loosest rule, and never waits long: a stranger who guesses at a name must not lock its owner
 * out.
 */
const RULES = {
  pair: { free: 5, mostMs: 15 * 60_000 },
  address: { free: 20, mostMs: 15 * 60_000 },
  name: { free: 50, mostMs: 60_000 },
} as const satisfies Record<string, Rule>

interface Tries {
  readonly count: number
  readonly untilMs: number
}

const FIRST_WAIT_MS = 2000
const FORGOTTEN_AFTER_MS = 60 * 60_000
const MOST_REMEMBERED = 10_000

export function createThrottle(now: () => number = monotonicNow): Throttle {
  const tries = new LRUCache<string, Tries>({ max: MOST_REMEMBERED })

  function known(key: string): Tries {
    const found = tries.get(key)
    return found && found.untilMs + FORGOTTEN_AFTER_MS > now() ? found : { count: 0, untilMs: 0 }
  }

  return {
    attempt(name, address) {
      const places = placesOf(name, address)
      const waitMs = Math.max(0, ...places.map(([key]) => known(key).untilMs - now()))
      if (waitMs > 0) return waitMs
      for (const [key, { free, mostMs }] of places) {
        const count = known(key).count + 1
        const nextMs = count < free ? 0 : Math.min(FIRST_WAIT_MS * 2 ** (count - free), mostMs)
        tries.set(key, { count, untilMs: now() + nextMs })
      }
      return 0
    },
    succeeded(name, address) {
      for (const [key] of placesOf(name, address)) {
        const { count } = known(key)
        if (key.startsWith('pair') || count <= 1) tries.delete(key)
        else tries.set(key, { count: count - 1, untilMs: now() })
      }
    },
  }
}

function placesOf(name: string, address: string): readonly (readonly [string, Rule])[] {
  const who = name.trim().toLowerCase().slice(0, 100)
  const where = networkOf(address)
  return [
    [`pair ${where} ${who}`, RULES.pair],
    [`address ${where}`, RULES.address],
    [`name ${who}`, RULES.name],
  ]
}
