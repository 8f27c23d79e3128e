import type { Clock } from '../../bot/player/timers.ts'
import type { SessionStore, Shard, ShardLease } from '../../bot/discord/shards/shard-directory.ts'
import type { Logger } from '../../lib/log.ts'
import { LEASE_LIFE_MS, type HeldToken, type LeaseStore } from './lease-store.ts'
import { parseShardKey, type ClusterLeases, type ServiceEntry } from './view.ts'

/**
 * A service treats a lease as lost so long before Redis does: its audio stops within 20 ms of that, and the clocks of two
 * machines may run a little differently fast.
 */
const SAFETY_MS = 1500
/** Counted from when the renewal was sent, not from its answer. */
const HELD_FOR_MS = LEASE_LIFE_MS - SAFETY_MS

export interface HeldLeasesOptions {
  readonly store: Pick<LeaseStore, 'acquire' | 'renew' | 'release'>
  /** Its time does not stand still while the process is stopped, nor jump when the date is set. */
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
  validUntilMs: number
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

  /** @throws while Redis is away. */
  async acquire(keys: readonly string[]): Promise<readonly ShardLease[]> {
    const validUntilMs = this.#options.clock.nowMs() + HELD_FOR_MS
    const tokens = await this.#options.store.acquire(keys)
    const leases = tokens.flatMap((token) => this.#add(token, validUntilMs) ?? [])
    // Where the answer took too long, this gives them back.
    this.#expire()
    return leases.filter(({ isHeld }) => isHeld)
  }

  /** @throws while Redis is away. Leases that are not renewed in time are cut. */
  async renew(entry: ServiceEntry): Promise<ClusterLeases> {
    const { store, clock } = this.#options
    // Timers come late in a process that was stopped, so each step looks for what is over.
    this.#expire()
    const renewed = [...this.#held.values()]
    const validUntilMs = clock.nowMs() + HELD_FOR_MS
    try {
      const { kept, view } = await store.renew(renewed, entry)
      this.#expire()
      for (const one of renewed) {
        if (this.#held.get(one.key) !== one) continue
        if (kept.get(one.key)) one.validUntilMs = validUntilMs
        else this.#lose(one, 'taken by another service')
      }
      return view
    } finally {
      this.#expire()
    }
  }

  /** Gives one up that has ended here. Never rejects: what cannot be released expires. */
  async release(key: string, to: string | null): Promise<void> {
    const one = this.#held.get(key)
    if (!one) return
    this.#held.delete(key)
    this.#watch()
    await this.#releaseToken(one, to)
  }

  close(): void {
    this.#cancelWatch()
  }

  #add(token: HeldToken, validUntilMs: number): ShardLease | null {
    const shard = parseShardKey(token.key)
    if (!shard) return null
    const isValid = (): boolean => this.#isValid(one)
    const lease: ShardLease = {
      shard,
      token: token.token,
      get isHeld() {
        return isValid()
      },
      sessions: this.#options.sessionsOf(shard),
    }
    const one: Held = { ...token, lease, validUntilMs }
    this.#held.set(token.key, one)
    return lease
  }

  #isValid({ key, token, validUntilMs }: Held): boolean {
    return this.#held.get(key)?.token === token && this.#options.clock.nowMs() < validUntilMs
  }

  #expire(): void {
    for (const one of this.#held.values()) if (!this.#isValid(one)) this.#lose(one, 'not renewed in time')
    this.#watch()
  }

  #watch(): void {
    const { clock, onHeldUntil } = this.#options
    this.#cancelWatch()
    const untilMs = Math.min(Infinity, ...Array.from(this.#held.values(), ({ validUntilMs }) => validUntilMs))
    onHeldUntil(untilMs)
    if (untilMs !== Infinity) {
      this.#cancelWatch = clock.after(Math.max(0, untilMs - clock.nowMs()), () => this.#expire())
    }
  }

  #lose(one: Held, why: string): void {
    this.#held.delete(one.key)
    this.#options.log.warn({ shard: one.key, why }, 'shard lease lost')
    this.#options.cut(one.lease.shard)
    void this.#releaseToken(one, null)
  }

  async #releaseToken({ key, token }: HeldToken, to: string | null): Promise<void> {
    try {
      await this.#options.store.release({ key, token }, to)
    } catch (err) {
      this.#options.log.debug({ err, shard: key }, 'releasing shard lease failed')
    }
  }
}
