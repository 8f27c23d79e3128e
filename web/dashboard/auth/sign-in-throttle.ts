import { networkOf } from '../../../api/http/client-address.ts'
import type { SignInTries } from '../../../db/people/sign-in-tries.ts'

/** Slows down password guessing, at all services together: by account and address, by address, and by account. */
export type Throttle = ReturnType<typeof createThrottle>

/** The number of free tries; each further one doubles the wait. */
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

const FIRST_WAIT_MS = 2000

export function createThrottle(tries: SignInTries, now: () => number = Date.now) {
  return {
    /**
     * Counts a try before it is judged, so that many at once are many.
     * @returns how long this one has to wait before trying; 0 means now.
     */
    async attempt(name: string, address: string): Promise<number> {
      const places = placesOf(name, address)
      let waitMs = 0
      await tries.update(
        places.map(([key]) => key),
        (known) => {
          const nowMs = now()
          waitMs = Math.max(0, ...known.map(({ untilMs }) => untilMs - nowMs))
          if (waitMs > 0) return null
          return places.map(([, { free, mostMs }], at) => {
            const count = (known[at]?.count ?? 0) + 1
            const nextMs = count < free ? 0 : Math.min(FIRST_WAIT_MS * 2 ** (count - free), mostMs)
            return { count, untilMs: nowMs + nextMs }
          })
        },
      )
      return waitMs
    },
    /** The try was right, and counts no more. */
    async succeeded(name: string, address: string): Promise<void> {
      const places = placesOf(name, address)
      await tries.update(
        places.map(([key]) => key),
        (known) =>
          known.map(({ count }, at) => {
            const isPair = places[at]?.[1] === RULES.pair
            return { count: isPair ? 0 : Math.max(0, count - 1), untilMs: now() }
          }),
      )
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
