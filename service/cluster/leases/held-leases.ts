import type { Clock } from '../../../bot/player/timers.ts'
import type { SessionStore, Shard, ShardLease } from '../../../bot/discord/shards/shard-directory.ts'
import type { ShardLeases } from '../../../db/shard-leases.ts'
import type { Logger } from '../../../lib/log.ts'
import { NOT_KEPT, type KeptLease, type LeaseKeeper } from './keeper/lease-keeper.ts'
import { HELD_FOR_MS, LEASE_LIFE_MS, type HeldToken, type LeaseStore } from './lease-store.ts'
import { parseShardKey, type ClusterLeases, type ServiceEntry } from './view.ts'

/**
 * Time from the last renewal of a lost service until its sound stops: up to 0.6 s when it crashes, `HELD_FOR_MS` when it is
 * cut off. These cannot be told apart, so this is between them.
 */
const SILENT_AFTER_MS = 1400

export interface HeldLeasesOptions {
  readonly store: Pick<LeaseStore, 'acquire' | 'confirm' | 'renew' | 'release' | 'abandon'>
  /** Second store beside Redis: losing one of the two moves nothing. */
  readonly database: ShardLeases
  /** Renews in Redis as well, where this thread is late. */
  readonly keeper?: Pick<LeaseKeeper, 'add'>
  /** A clock that does not stand still while the process is stopped, nor jump when the date is set. */
  readonly clock: Pick<Clock, 'nowMs' | 'after'>
  readonly sessionsOf: (shard: Shard) => SessionStore
  /** Ends what runs of a shard, at once. */
  readonly cut: (shard: Shard) => void
  /** Nothing may sound after this moment unless it is called again; Infinity while no lease is held. */
  readonly onHeldUntil: (untilMs: number) => void
  readonly log: Logger
}

interface Held extends HeldToken {
  readonly lease: ShardLease
  readonly kept: KeptLease
  /** Until when each witness says that it is held. One of them is enough to keep it. */
  redisUntilMs: number
  databaseUntilMs: number
}

interface Acquired {
  readonly leases: readonly ShardLease[]
  /** When to try again for those that another service may still hold; Infinity if there are none. */
  readonly retryMs: number
}

/** The leases of this service, and until when they count. */
export class HeldLeases {
  readonly #options: HeldLeasesOptions
  readonly #held = new Map<string, Held>()
  #cancelWatch = (): void => undefined

  constructor(options: HeldLeasesOptions) {
    this.#options = options
  }

  get keys(): readonly string[] {
    return [...this.#held.keys()]
  }

  find(key: string): ShardLease | undefined {
    return this.#held.get(key)?.lease
  }

  /** Acquires leases that both stores grant. @throws while one of them is away. */
  async acquire(keys: readonly string[]): Promise<Acquired> {
    const { store, database, clock } = this.#options
    const known = await database.find(keys)
    const knownAtMs = clock.nowMs()
    const othersForMs = (key: string): number => known.get(key)?.othersForMs ?? 0
    const free = keys.filter((key) => othersForMs(key) === 0)
    const waits = keys.flatMap((key) => (othersForMs(key) === 0 ? [] : [othersForMs(key)]))
    const tokens = await store.acquire(free.map((key) => ({ key, token: known.get(key)?.token ?? 0 })))
    const takenAtMs = clock.nowMs()
    const silentAtMs = new Map(
      tokens.map(({ key, endedForMs }) => {
        const endedAtMs = Math.max(since(takenAtMs, endedForMs), since(knownAtMs, known.get(key)?.endedForMs ?? null))
        return [key, endedAtMs === -Infinity ? null : endedAtMs - LEASE_LIFE_MS + SILENT_AFTER_MS]
      }),
    )
    const leases = tokens.length === 0 ? [] : await this.#claim(tokens, silentAtMs)
    return { leases, retryMs: Math.min(Infinity, ...waits) }
  }

  /** @throws while Redis is away. Leases that are not renewed in time are cut. */
  async renew(entry: ServiceEntry): Promise<ClusterLeases> {
    const { store, clock } = this.#options
    // Timers come late in a process that was stopped, so each step looks for what is over.
    this.#expire()
    const renewed = [...this.#held.values()]
    const sentMs = clock.nowMs()
    const tokens = renewed.map((one) => ({ key: one.key, token: one.token, isVouched: sentMs < one.databaseUntilMs }))
    try {
      const { kept, view } = await store.renew(tokens, entry)
      this.#expire()
      for (const one of renewed) {
        if (this.#held.get(one.key) !== one) continue
        if (kept.get(one.key)) one.redisUntilMs = sentMs + HELD_FOR_MS
        else forgetRedis(one)
      }
      return view
    } finally {
      this.#expire()
    }
  }

  /**
   * The same at the other witness.
   * @returns the shards that are held by its word alone while other services reach Redis: this one is cut off from it.
   * @throws while the database is away.
   */
  async renewInDatabase(redisAgeMs: number): Promise<readonly string[]> {
    const { database, clock } = this.#options
    this.#expire()
    const renewed = [...this.#held.values()]
    const sentMs = clock.nowMs()
    const { kept, doOthersSeeRedis } = await database.renew(renewed, redisAgeMs)
    this.#expire()
    for (const one of renewed) {
      if (this.#held.get(one.key) !== one) continue
      if (kept.has(one.key)) one.databaseUntilMs = sentMs + HELD_FOR_MS
      else this.#lose(one, 'taken by another service')
    }
    this.#watch()
    if (!doOthersSeeRedis) return []
    return renewed
      .filter((one) => this.#held.get(one.key) === one && this.#redisUntilMs(one) <= sentMs)
      .map(({ key }) => key)
  }

  /** Gives one up that has ended here. Never rejects: what cannot be released expires. */
  async release(key: string, to: string | null): Promise<void> {
    const one = this.#held.get(key)
    if (!one) return
    this.#forget(one)
    this.#watch()
    await this.#releaseToken(one, (token) => this.#options.store.release(token, to))
  }

  close(): void {
    this.#cancelWatch()
  }

  /** The second half of `acquire`: Redis confirms what the database gave, since time has passed. */
  async #claim(
    tokens: readonly HeldToken[],
    silentAtMs: ReadonlyMap<string, number | null>,
  ): Promise<readonly ShardLease[]> {
    const { store, database, clock } = this.#options
    const taken = new Set<string>()
    try {
      const databaseUntilMs = clock.nowMs() + HELD_FOR_MS
      const claimed = await database.claim(tokens)
      const redisUntilMs = clock.nowMs() + HELD_FOR_MS
      const confirmed = await store.confirm(tokens.filter(({ key }) => claimed.has(key)))
      for (const { key } of confirmed) taken.add(key)
      const leases = confirmed.flatMap(
        (token) => this.#add(token, { redisUntilMs, databaseUntilMs }, silentAtMs.get(token.key) ?? null) ?? [],
      )
      // If the answers took too long, this gives the leases back.
      this.#expire()
      return leases.filter(({ isHeld }) => isHeld)
    } finally {
      for (const token of tokens) {
        if (!taken.has(token.key)) void this.#releaseToken(token, (it) => store.abandon(it))
      }
    }
  }

  #add(
    token: HeldToken,
    until: Pick<Held, 'redisUntilMs' | 'databaseUntilMs'>,
    formerSilentAtMs: number | null,
  ): ShardLease | null {
    const shard = parseShardKey(token.key)
    if (!shard) return null
    const isValid = (): boolean => this.#isValid(one)
    const lease: ShardLease = {
      shard,
      token: token.token,
      get isHeld() {
        return isValid()
      },
      formerSilentAtMs,
      sessions: this.#options.sessionsOf(shard),
    }
    const kept = this.#options.keeper?.add(token) ?? NOT_KEPT
    const one: Held = { ...token, ...until, lease, kept }
    this.#held.set(token.key, one)
    return lease
  }

  #isValid(one: Held): boolean {
    return this.#held.get(one.key)?.token === one.token && this.#options.clock.nowMs() < this.#untilMs(one)
  }

  #untilMs(one: Held): number {
    return Math.max(this.#redisUntilMs(one), one.databaseUntilMs)
  }

  /** Expiry by this thread's own renewal or by that of the other one. */
  #redisUntilMs({ redisUntilMs, kept }: Held): number {
    return Math.max(redisUntilMs, this.#options.clock.nowMs() - kept.ageMs() + HELD_FOR_MS)
  }

  #forget({ key, kept }: Held): void {
    kept.end()
    this.#held.delete(key)
  }

  #expire(): void {
    for (const one of this.#held.values()) if (!this.#isValid(one)) this.#lose(one, 'not renewed in time')
    this.#watch()
  }

  #watch(): void {
    const { clock, onHeldUntil } = this.#options
    this.#cancelWatch()
    const untilMs = Math.min(Infinity, ...Array.from(this.#held.values(), (one) => this.#untilMs(one)))
    onHeldUntil(untilMs)
    if (untilMs !== Infinity) {
      this.#cancelWatch = clock.after(Math.max(0, untilMs - clock.nowMs()), () => this.#expire())
    }
  }

  #lose(one: Held, why: string): void {
    this.#forget(one)
    this.#options.log.warn({ shard: one.key, why }, 'shard lease lost')
    this.#options.cut(one.lease.shard)
    void this.#releaseToken(one, (token) => this.#options.store.release(token, null))
  }

  /** Releases in the database first: services notified by Redis query it next. */
  async #releaseToken({ key, token }: HeldToken, inRedis: (held: HeldToken) => Promise<void>): Promise<void> {
    const { database, log } = this.#options
    for (const work of [() => database.release({ key, token }), () => inRedis({ key, token })]) {
      await work().catch((err: unknown) => log.debug({ err, shard: key }, 'releasing shard lease failed'))
    }
  }
}

/** -Infinity: never. */
function since(nowMs: number, endedForMs: number | null): number {
  return endedForMs === null ? -Infinity : nowMs - endedForMs
}

/** Redis does not know of it any more. */
function forgetRedis(one: Held): void {
  one.redisUntilMs = -Infinity
  one.kept.forget()
}
