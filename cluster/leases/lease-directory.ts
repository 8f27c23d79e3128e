import type { Clock } from '../../bot/player/timers.ts'
import type {
  ConnectLimits,
  SessionStore,
  Shard,
  ShardDirectory,
  ShardLease,
  ShardMembership,
  ShardOwner,
  ShardRunner,
} from '../../bot/discord/shards/shard-directory.ts'
import type { Logger } from '../../lib/log.ts'
import { shardOf } from '../../lib/sharing/shard-of.ts'
import { HeldLeases } from './held-leases.ts'
import { waitForIdentify } from './identify-wait.ts'
import type { LeaseStore } from './lease-store.ts'
import { assignFree, chooseMove, freeShards, hasOtherCount, planDrain, weightOf, type Move } from './spread.ts'
import { parseShardKey, shardKey, type ClusterLeases, type ServiceEntry } from './view.ts'

export interface LeaseDirectoryOptions {
  readonly store: LeaseStore
  readonly serviceId: string
  /** What the other services and the command line are told of this one. */
  readonly describe: () => Pick<ServiceEntry, 'url' | 'startedAtMs' | 'version'>
  readonly sessionsOf: (shard: Shard) => SessionStore
  readonly clock: Pick<Clock, 'nowMs' | 'after'>
  /** See `HeldLeasesOptions`. */
  readonly onHeldUntil: (untilMs: number) => void
  readonly log: Logger
}

const RENEW_MS = 2000
/** While Redis does not answer: often enough to be back before the leases are lost. */
const RETRY_MS = 400
/** What happens together is looked at together. */
const GATHER_MS = 20
/** The service that a free shard is meant for has this long to take it. */
const OTHERS_FIRST_MS = 2 * RENEW_MS
/** How long the move of one shard keeps others from moving; it is over much sooner. */
const MOVE_MS = 3000
const DRAIN_AT_ONCE = 4

interface Joined {
  readonly limits: ConnectLimits
  readonly runner: ShardRunner
  /** On how many shards the services have agreed; at first what Discord recommends. */
  shardCount: number
}

interface Found {
  readonly shard: Shard
  readonly runner: ShardRunner
}

/** The shards of all bots, divided between the services of an installation. */
export class LeaseDirectory implements ShardDirectory {
  readonly isShared = true
  readonly #options: LeaseDirectoryOptions
  readonly #held: HeldLeases
  readonly #joined = new Map<string, Joined>()
  /** Shards that are being handed over. */
  readonly #leaving = new Set<string>()
  /** Free shards that are meant for others → since when. */
  readonly #freeSince = new Map<string, number>()
  #view: ClusterLeases = { leases: new Map(), services: new Map(), shardCounts: new Map() }
  #isDraining = false
  #isClosed = false
  #cancelLook = (): void => undefined
  #looking: Promise<void> | null = null
  #isDue = false

  constructor(options: LeaseDirectoryOptions) {
    this.#options = options
    this.#held = new HeldLeases({
      ...options,
      cut: ({ botId, shardId }) => this.#joined.get(botId)?.runner.cut(shardId),
    })
  }

  get isDraining(): boolean {
    return this.#isDraining
  }

  /** As this service saw it last. */
  get view(): ClusterLeases {
    return this.#view
  }

  join(botId: string, limits: ConnectLimits, runner: ShardRunner): ShardMembership {
    const { store, clock, log } = this.#options
    this.#joined.set(botId, { limits, runner, shardCount: limits.shardCount })
    this.#schedule(0)
    return {
      waitForIdentify(shardId, signal) {
        const take = () => store.takeIdentify(botId, shardId, limits)
        return waitForIdentify({ take, clock, log: log.child({ botId, shardId }) }, signal)
      },
      changed: () => this.#schedule(GATHER_MS),
      close: async () => {
        if (this.#joined.get(botId)?.runner === runner) this.#joined.delete(botId)
        await Promise.all(this.#keysOf(botId).map((key) => this.#held.release(key, null)))
      },
    }
  }

  leaseOf(botId: string, guildId: string): number {
    return this.#leaseFor(botId, guildId)?.token ?? 0
  }

  isHeldHere(botId: string, guildId: string): boolean {
    return this.#leaseFor(botId, guildId)?.isHeld ?? false
  }

  whoRuns(botId: string, guildId: string): ShardOwner | null {
    const key = this.#keyOf(botId, guildId)
    const serviceId = key === null ? null : (this.#view.leases.get(key)?.serviceId ?? null)
    if (serviceId === null || serviceId === this.#options.serviceId) return null
    const service = this.#view.services.get(serviceId)
    return service ? { serviceId, url: service.url } : null
  }

  /**
   * Renews and looks at what is to be done now, rather than at the next renewal. One look runs at a time; what asks
   * during one gets another. Never rejects.
   */
  look(): Promise<void> {
    if (this.#looking) this.#isDue = true
    this.#looking ??= this.#lookOnce().finally(() => {
      this.#looking = null
      if (this.#isDue) this.#schedule(GATHER_MS)
      this.#isDue = false
    })
    return this.#looking
  }

  /** Hands one shard to another service. @returns whether it was here. */
  async move(key: string, to: string): Promise<boolean> {
    if (!this.#held.find(key)) return false
    await this.#handOver({ key, to })
    return true
  }

  async drain(): Promise<void> {
    this.#isDraining = true
    await this.#looking
    await this.look()
    const moves = [...planDrain(this.#view, this.#held.keys, this.#options.serviceId)]
    const work = async (): Promise<void> => {
      for (let move = moves.shift(); move; move = moves.shift()) await this.#handOver(move)
    }
    await Promise.all(Array.from({ length: DRAIN_AT_ONCE }, work))
  }

  /** Takes shards again after `drain`. */
  undrain(): void {
    this.#isDraining = false
    this.#schedule(0)
  }

  async close(): Promise<void> {
    const { store, log } = this.#options
    this.#isClosed = true
    await this.#looking
    this.#cancelLook()
    await Promise.all(this.#held.keys.map((key) => this.#held.release(key, null)))
    this.#held.close()
    await store.leave().catch((err: unknown) => log.debug({ err }, 'leaving the cluster failed'))
  }

  async #lookOnce(): Promise<void> {
    if (this.#isClosed) return
    try {
      await this.#agreeOnCounts()
      this.#view = await this.#held.renew(this.#describe())
      this.#schedule(RENEW_MS)
      this.#leaveOldCounts()
      if (this.#isDraining) return
      await this.#takeFree()
      await this.#balance()
    } catch (err) {
      this.#options.log.debug({ err }, 'renewing shard leases failed')
      this.#schedule(RETRY_MS)
    }
  }

  #schedule(delayMs: number): void {
    this.#cancelLook()
    if (!this.#isClosed) this.#cancelLook = this.#options.clock.after(delayMs, () => void this.look())
  }

  #describe(): ServiceEntry {
    const shards = this.#held.keys.flatMap((key) => {
      const found = this.#find(key)
      if (!found) return []
      const load = found.runner.load(found.shard.shardId)
      return [[key, { weight: weightOf(load), isReady: load.isReady, players: load.players }] as const]
    })
    const bots = [...this.#joined.keys()]
    return { ...this.#options.describe(), isDraining: this.#isDraining, bots, shards: Object.fromEntries(shards) }
  }

  /** Also where Redis has lost what was agreed on. */
  async #agreeOnCounts(): Promise<void> {
    for (const [botId, bot] of this.#joined) {
      const known = this.#view.shardCounts.get(botId)
      bot.shardCount = known ?? (await this.#options.store.agreeOnCount(botId, bot.shardCount))
    }
  }

  /** Takes what this service is to run of the free shards, no more than can log in soon: others may still start. */
  async #takeFree(): Promise<void> {
    const mine = this.#freeForMe()
    for (const [botId, { limits, runner }] of this.#joined) {
      const room = 2 * limits.maxConcurrency - this.#keysOf(botId).filter((key) => !this.#isReady(key)).length
      const wanted = mine.filter((key) => parseShardKey(key)?.botId === botId).slice(0, Math.max(0, room))
      const leases = wanted.length === 0 ? [] : await this.#held.acquire(wanted)
      if (leases.length > 0 && this.#joined.get(botId)?.runner === runner) runner.start(leases)
    }
  }

  #freeForMe(): readonly string[] {
    const view = this.#view
    const free = freeShards(view, this.#joined.keys()).filter((key) => !hasOtherCount(view, key))
    for (const key of this.#freeSince.keys()) if (!free.includes(key)) this.#freeSince.delete(key)
    const assigned = assignFree(view, free)
    const nowMs = this.#options.clock.nowMs()
    return free.filter((key) => {
      if (assigned.get(key) === this.#options.serviceId) return true
      const sinceMs = this.#freeSince.get(key) ?? nowMs
      this.#freeSince.set(key, sinceMs)
      return nowMs - sinceMs > OTHERS_FIRST_MS
    })
  }

  async #balance(): Promise<void> {
    const keys = this.#held.keys
    const isSettled = this.#leaving.size === 0 && keys.every((key) => this.#isReady(key))
    if (!isSettled || freeShards(this.#view, this.#joined.keys()).length > 0) return
    const move = chooseMove(this.#view, this.#options.serviceId)
    if (move && this.#held.find(move.key) && (await this.#options.store.beginMove(MOVE_MS))) void this.#handOver(move)
  }

  /** Another number of shards was agreed on: guilds are divided differently from now on. */
  #leaveOldCounts(): void {
    for (const key of this.#held.keys) {
      const shard = parseShardKey(key)
      const count = shard && this.#view.shardCounts.get(shard.botId)
      if (shard && count && count !== shard.shardCount) void this.#handOver({ key, to: null })
    }
  }

  async #handOver({ key, to }: Move): Promise<void> {
    const found = this.#find(key)
    if (!found || this.#leaving.has(key) || !this.#held.find(key)) return
    this.#leaving.add(key)
    try {
      await found.runner.handOver(found.shard.shardId)
      await this.#held.release(key, to)
      this.#options.log.info({ shard: key, to }, 'shard handed over')
    } finally {
      this.#leaving.delete(key)
    }
  }

  #find(key: string): Found | null {
    const shard = parseShardKey(key)
    const runner = shard && this.#joined.get(shard.botId)?.runner
    return shard && runner ? { shard, runner } : null
  }

  #keysOf(botId: string): readonly string[] {
    return this.#held.keys.filter((key) => parseShardKey(key)?.botId === botId)
  }

  #isReady(key: string): boolean {
    const found = this.#find(key)
    return found?.runner.load(found.shard.shardId).isReady ?? false
  }

  #keyOf(botId: string, guildId: string): string | null {
    const shardCount = this.#view.shardCounts.get(botId)
    return shardCount === undefined ? null : shardKey({ botId, shardId: shardOf(guildId, shardCount), shardCount })
  }

  #leaseFor(botId: string, guildId: string): ShardLease | undefined {
    const key = this.#keyOf(botId, guildId)
    return key === null ? undefined : this.#held.find(key)
  }
}
