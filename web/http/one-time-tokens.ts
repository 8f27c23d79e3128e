import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { OneTimeRecords } from '../../db/people/one-time-records.ts'
import { Fault } from '../../lib/errors.ts'
import { createLeakyBuckets } from '../../lib/sharing/leaky-buckets.ts'

/** State between two pages of one browser: half a sign-in, a way to Discord and back, a key that is shown once. */
interface Values {
  /** The password was right; the second factor is pending. */
  readonly secondFactor: {
    readonly accountId: string
    /** The secret of an invitation that is used with the sign-in. */
    readonly entry: string | null
    readonly next: string
  }
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

type TokenKind = keyof Values

/** Any service continues what another one began. */
export type OneTimeTokens = ReturnType<typeof createOneTimeTokens>

const LIFETIME_MS = 10 * 60_000
/** The rate of `issueShared` for one sharer: 80 records at once at most. */
const SHARE = { burst: 20, perSecond: 0.1 }
/** The limit of records above which `issueShared` fails: about 10 MB. */
const MAX_RECORDS = 20_000
/** The lifetime of the key. */
export const TRIAL_MS = 60 * 60_000
/** The polling interval of a request that waits for another, and its most polls: then the other one has died. */
const LOOK_EVERY_MS = 100
const MOST_LOOKS = 100

export function createOneTimeTokens(records: OneTimeRecords, now: () => number = Date.now) {
  const buckets = createLeakyBuckets(now)
  const peek = async <K extends TokenKind>(kind: K, holder: string, id: string) =>
    (await records.find(nameOf(kind, holder, id))) as Values[K] | null

  /** Stores a value under an id that the caller has chosen. */
  const keep = <K extends TokenKind>(kind: K, holder: string, id: string, value: Values[K]) =>
    records.set(nameOf(kind, holder, id), value, now() + (kind === 'trial' ? TRIAL_MS : LIFETIME_MS))

  async function workOnce(holder: string, id: string, work: () => Promise<string>): Promise<string> {
    try {
      const to = await work()
      await keep('once', holder, id, { to })
      return to
    } catch (error) {
      await records.untake(nameOf('once', holder, id))
      throw error
    }
  }

  return {
    /** @param holder who alone can use it: the browser or the session. */
    async issue<K extends TokenKind>(kind: K, holder: string, value: Values[K], lifetimeMs = LIFETIME_MS) {
      const id = randomBytes(16).toString('hex')
      await records.set(nameOf(kind, holder, id), value, now() + lifetimeMs)
      return id
    },
    /**
     * Like `issue`, for strangers: limited by network or account, and in total.
     * @throws {Fault} `rate_limited`, `service_unavailable`
     */
    async issueShared<K extends TokenKind>(kind: K, holder: string, value: Values[K], sharer: string) {
      const waitMs = buckets.take(sharer, SHARE)
      if (waitMs > 0) throw new Fault('rate_limited', 'Too many sign-ins. Wait a moment.', { retryAfterMs: waitMs })
      const id = randomBytes(16).toString('hex')
      await records.set(nameOf(kind, holder, id), value, now() + LIFETIME_MS, MAX_RECORDS)
      return id
    },
    keep,
    peek,
    /** Like `peek`, and removes it. */
    take: async <K extends TokenKind>(kind: K, holder: string, id: string) =>
      (await records.remove(nameOf(kind, holder, id))) as Values[K] | null,
    /**
     * Processes a form once: the first of its requests does the work, and all of them are redirected to where that leads.
     * Without a token of the kind `once`, as after its lifetime, each request does the work.
     */
    async redirectOnce(holder: string, id: string, work: () => Promise<string>) {
      for (let looks = 0; looks < MOST_LOOKS; looks += 1) {
        const earlier = await peek('once', holder, id)
        if (!earlier) return work()
        if (earlier.to !== '') return earlier.to
        if (await records.take(nameOf('once', holder, id))) return workOnce(holder, id, work)
        await sleep(LOOK_EVERY_MS)
      }
      return workOnce(holder, id, work)
    },
  }
}

function nameOf(kind: TokenKind, holder: string, id: string): string {
  return `${kind} ${holder} ${id}`
}
