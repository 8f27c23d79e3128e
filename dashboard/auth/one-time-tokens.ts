import { randomBytes } from 'node:crypto'
import { LRUCache } from 'lru-cache'

/** What is between two pages of one browser: half a sign-in, a way to Discord and back, a key that is shown once. */
interface Values {
  /** The password was right; the second factor is pending. */
  readonly secondFactor: { readonly accountId: string; readonly next: string }
  readonly oauth: {
    readonly verifier: string
    /** The account that wants to be connected; null for a sign-in. */
    readonly accountId: string | null
    /** The secret of a link that lets a stranger in. */
    readonly entry: string | null
    readonly next: string
  }
  /** A member of Discord is on the way to the web player of a guild. */
  readonly listen: { readonly verifier: string; readonly guildId: string }
  /** A second factor that is being set up. */
  readonly totp: { readonly secret: string }
  /** A secret that is shown once, on the page it belongs to. */
  readonly shown: { readonly of: string; readonly secret: string }
  /** The key that this session has for trying the API in a project. */
  readonly trial: { readonly keyId: string }
  /** A form that is processed once, and its redirect. */
  readonly once: { readonly to: string }
}

export type TokenKind = keyof Values

/** Kept in memory: after a restart, flows in progress must be started again. */
export interface OneTimeTokens {
  /** @param holder who alone can use it: the browser or the session. */
  issue<K extends TokenKind>(kind: K, holder: string, value: Values[K], lifetimeMs?: number): string
  /** Under an id that the caller has chosen. */
  keep<K extends TokenKind>(kind: K, holder: string, id: string, value: Values[K]): void
  peek<K extends TokenKind>(kind: K, holder: string, id: string): Values[K] | null
  /** Like `peek`, and it is gone. */
  take<K extends TokenKind>(kind: K, holder: string, id: string): Values[K] | null
  /**
   * Processes a form once: the first of its requests does the work, and all of them are redirected to where that leads.
   * Without a token of the kind `once`, as after its lifetime, each request does the work.
   */
  redirectOnce(holder: string, id: string, work: () => Promise<string>): Promise<string>
}

const LIFETIME_MS = 10 * 60_000
/** As long as the key lives. */
export const TRIAL_MS = 60 * 60_000
const MOST_TICKETS = 5000

export function createOneTimeTokens(): OneTimeTokens {
  const tickets = new LRUCache<string, Values[TokenKind]>({ max: MOST_TICKETS, ttl: LIFETIME_MS })
  const underway = new Map<string, Promise<string>>()
  const place = (kind: TokenKind, holder: string, id: string) => `${kind} ${holder} ${id}`

  const peek: OneTimeTokens['peek'] = (kind, holder, id) =>
    (tickets.get(place(kind, holder, id)) ?? null) as Values[typeof kind] | null

  const keep: OneTimeTokens['keep'] = (kind, holder, id, value) => {
    tickets.set(place(kind, holder, id), value, { ttl: kind === 'trial' ? TRIAL_MS : LIFETIME_MS })
  }

  async function workOnce(holder: string, id: string, work: () => Promise<string>): Promise<string> {
    const to = await work()
    keep('once', holder, id, { to })
    return to
  }

  return {
    issue(kind, holder, value, lifetimeMs = LIFETIME_MS) {
      const id = randomBytes(16).toString('hex')
      tickets.set(place(kind, holder, id), value, { ttl: lifetimeMs })
      return id
    },
    keep,
    peek,
    take(kind, holder, id) {
      const value = peek(kind, holder, id)
      tickets.delete(place(kind, holder, id))
      return value
    },
    async redirectOnce(holder, id, work) {
      const earlier = peek('once', holder, id)
      if (!earlier) return work()
      if (earlier.to !== '') return earlier.to
      const key = place('once', holder, id)
      const running = underway.get(key) ?? workOnce(holder, id, work).finally(() => underway.delete(key))
      underway.set(key, running)
      return running
    },
  }
}
