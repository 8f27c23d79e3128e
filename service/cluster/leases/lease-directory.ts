import type {
  ConnectLimits,
  ShardDirectory,
  ShardLease,
  ShardLoad,
  ShardMembership,
  ShardOwner,
  ShardRunner,
} from '../../../bot/discord/shards/shard-directory.ts'
import { Handovers } from './handovers.ts'
import { HeldLeases, type HeldLeasesOptions } from './held-leases.ts'
import { chooseWanted, firstEndMs, FreeShards } from './free-shards.ts'
import { waitForIdentify } from './identify-wait.ts'
import { RENEW_MS, RETRY_MS, type LeaseStore } from './lease-store.ts'
import { OrderFollower } from './order-follower.ts'
import { RecommendedCounts } from './recommended-counts.ts'
import { createRepeating, type Repeating } from './repeating.ts'
import { chooseMove, freeShards, planDrain, weighShards } from './spread.ts'
import { countElsewhere, keyOfGuild, NO_LEASES, ofBot, ownerElsewhere, parseShardKey, shardKey } from './view.ts'
import type { ClusterLeases, ServiceEntry } from './view.ts'

interface LeaseDirectoryOptions extends Omit<HeldLeasesOptions, 'store' | 'cut'> {
  readonly store: LeaseStore
  readonly serviceId: string
  /** Description of this service for the other services and the command line. */
  readonly describe: () => Pick<ServiceEntry, 'url' | 'host' | 'startedAtMs' | 'version' | 'players'>
}

/** Notices within this time are handled together. */
const GATHER_MS = 20
/** After the end of another service's lease, by Redis' clock. */
const AFTER_END_MS = 10
/** Time for which the move of one shard keeps others from moving; it is over much sooner. */
const MOVE_MS = 3000

interface Joined {
  readonly limits: ConnectLimits
  readonly runner: ShardRunner
  /** On how many shards the services have agreed; at first what Discord recommends. */
  shardCount: number
}

/** The shards of all bots, divided between the services of an installation. */
export class LeaseDirectory implements ShardDirectory {
  readonly isShared = true
  readonly #options: LeaseDirectoryOptions
  readonly #held: HeldLeases
  readonly #joined = new Map<string, Joined>()
  readonly #handovers: Handovers
  readonly #free: FreeShards
  readonly #orders: OrderFollower
  readonly #recommended: RecommendedCounts
  #view: ClusterLeases = NO_LEASES
  #redisAtMs: number
  #isDraining = false
  #isClosed = false
  readonly #looks: Repeating
  readonly #beats: Repeating
  readonly #takes: Repeating

  constructor(options: LeaseDirectoryOptions) {
    const { clock, serviceId } = options
    this.#options = options
    this.#held = new HeldLeases({
      ...options,
      cut: ({ botId, shardId }) => this.#joined.get(botId)?.runner.cut(shardId),
    })
    const runnerOf = (botId: string) => this.#joined.get(botId)?.runner
    this.#handovers = new Handovers({ held: this.#held, runnerOf, clock, log: options.log })
    this.#free = new FreeShards(serviceId, clock)
    this.#recommended = new RecommendedCounts(options.log)
    this.#orders = new OrderFollower({
      ...options,
      url: () => options.describe().url,
      isHeld: (key) => this.#held.find(key) !== undefined,
      handovers: this.#handovers,
      leaveAll: () => this.#leaveAll(),
    })
    this.#redisAtMs = clock.nowMs()
    this.#looks = createRepeating(clock, () => this.#lookOnce())
    this.#beats = createRepeating(clock, () => this.#beatOnce())
    this.#takes = createRepeating(clock, () => this.#takeOnce())
    this.#beats.within(0)
  }

  get isDraining(): boolean {
    return this.#isDraining || this.#orders.isDraining
  }

  /** The leases that this service saw last. */
  get view(): ClusterLeases {
    return this.#view
  }

  join(botId: string, limits: ConnectLimits, runner: ShardRunner): ShardMembership {
    const { store, clock, log } = this.#options
    this.#joined.set(botId, { limits, runner, shardCount: limits.shardCount })
    this.#looks.within(0)
    return {
      waitForIdentify(shardId, signal) {
        const take = () => store.takeIdentify(botId, shardId, limits)
        return waitForIdentify({ take, clock, log: log.child({ botId, shardId }) }, signal)
      },
      changed: () => this.#looks.within(GATHER_MS),
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
    return ownerElsewhere(this.#view, this.#options.serviceId, { botId, guildId })
  }

  countElsewhere(projectId: string): number {
    return countElsewhere(this.#view, this.#options.serviceId, projectId)
  }

  /** Renews and looks at what is to be done now, rather than at the next renewal. Never rejects. */
  look(): Promise<void> {
    return this.#looks.now()
  }

  /** Hands one shard to another service. @returns whether it was here. */
  async move(key: string, to: string): Promise<boolean> {
    if (!this.#held.find(key)) return false
    await this.#handovers.start({ key, to })
    return true
  }

  async drain(): Promise<void> {
    this.#isDraining = true
    await this.#leaveAll()
  }

  async #leaveAll(): Promise<void> {
    await this.#looks.settled()
    await this.#takes.settled()
    await this.look()
    const moves = planDrain(this.#view, this.#held.keys, this.#options.serviceId)
    await this.#handovers.startAll(moves)
  }

  /** Takes shards again after `drain`. */
  undrain(): void {
    this.#isDraining = false
    this.#looks.within(0)
  }

  async close(): Promise<void> {
    const { store, database, log } = this.#options
    this.#isClosed = true
    for (const work of [this.#looks, this.#takes, this.#beats]) {
      work.close()
      await work.settled()
    }
    await Promise.all(this.#held.keys.map((key) => this.#held.release(key, null)))
    this.#held.close()
    for (const leave of [() => store.leave(), () => database.leave()]) {
      await leave().catch((err: unknown) => log.debug({ err }, 'leaving the cluster failed'))
    }
  }

  /** @returns when to look again. */
  async #lookOnce(): Promise<number> {
    const sentMs = this.#options.clock.nowMs()
    try {
      await this.#agreeOnCounts()
      this.#view = await this.#held.renew(this.#describe())
      this.#redisAtMs = sentMs
    } catch (err) {
      this.#options.log.debug({ err }, 'renewing shard leases failed')
      return RETRY_MS
    }
    this.#orders.follow(this.#view)
    this.#leaveOldCounts()
    // Apart from the renewals, which must not wait for the database.
    if (!this.isDraining) this.#takes.within(0)
    return Math.min(RENEW_MS, firstEndMs(this.#view, this.#options.serviceId) + AFTER_END_MS)
  }

  /** Renews in the database. @returns when to do it again. */
  async #beatOnce(): Promise<number> {
    const { clock, log } = this.#options
    try {
      const cutOff = await this.#held.renewInDatabase(clock.nowMs() - this.#redisAtMs)
      for (const key of cutOff) void this.#handovers.start({ key, to: null })
      return cutOff.length > 0 ? RETRY_MS : RENEW_MS
    } catch (err) {
      log.debug({ err }, 'renewing shard leases in the database failed')
      return RETRY_MS
    }
  }

  /** @returns when to try again. */
  async #takeOnce(): Promise<number> {
    try {
      const retryMs = await this.#takeFree()
      await this.#balance()
      return retryMs === Infinity ? Infinity : Math.min(retryMs, RETRY_MS)
    } catch (err) {
      this.#options.log.debug({ err }, 'taking shards failed')
      return Infinity
    }
  }

  #describe(): ServiceEntry {
    const shards = weighShards(this.#held.keys, (key) => this.#loadOf(key))
    const own = { isDraining: this.isDraining, weight: this.#orders.weight, bots: [...this.#joined.keys()], shards }
    return { ...this.#options.describe(), ...own }
  }

  /** Also where Redis has lost what was agreed on. */
  async #agreeOnCounts(): Promise<void> {
    for (const [botId, bot] of this.#joined) {
      const known = this.#view.shardCounts.get(botId)
      bot.shardCount = known ?? (await this.#options.store.agreeOnCount(botId, bot.shardCount))
      this.#recommended.compare(botId, bot.shardCount, bot.limits.shardCount)
    }
  }

  /** @returns when to try again for those that another service may still hold. */
  async #takeFree(): Promise<number> {
    let retryMs = Infinity
    if (this.isDraining || this.#isClosed) return retryMs
    const mine = this.#free.forMe(this.#view, this.#joined.keys()).filter((key) => !this.#held.find(key))
    for (const [botId, { limits, runner }] of this.#joined) {
      const waiting = this.#keysOf(botId).filter((key) => !this.#isReady(key)).length
      const wanted = chooseWanted(this.#view, ofBot(botId, mine), 2 * limits.maxConcurrency - waiting)
      if (wanted.length === 0) continue
      const { leases, retryMs: botMs } = await this.#held.acquire(wanted)
      retryMs = Math.min(retryMs, botMs)
      if (this.#joined.get(botId)?.runner === runner) runner.start(leases)
      else await Promise.all(leases.map(({ shard }) => this.#held.release(shardKey(shard), null)))
    }
    return retryMs
  }

  async #balance(): Promise<void> {
    const keys = this.#held.keys
    const isSettled = this.#handovers.count === 0 && keys.every((key) => this.#isReady(key))
    if (!isSettled || freeShards(this.#view, this.#joined.keys()).length > 0) return
    // One whose players are on their way back would seem to have none, and they would be silent twice.
    const mayMove = (key: string): boolean => this.#loadOf(key)?.isRestoring === false
    const move = chooseMove(this.#view, this.#options.serviceId, mayMove)
    if (move && this.#held.find(move.key) && (await this.#options.store.beginMove(MOVE_MS)))
      void this.#handovers.start(move)
  }

  /** Another number of shards was agreed on: guilds are divided differently from now on. */
  #leaveOldCounts(): void {
    for (const key of this.#held.keys) {
      const shard = parseShardKey(key)
      const count = shard && this.#view.shardCounts.get(shard.botId)
      if (shard && count && count !== shard.shardCount) void this.#handovers.start({ key, to: null })
    }
  }

  #keysOf(botId: string): readonly string[] {
    return ofBot(botId, this.#held.keys)
  }

  #loadOf(key: string): ShardLoad | undefined {
    const { botId = '', shardId = 0 } = parseShardKey(key) ?? {}
    return this.#joined.get(botId)?.runner.load(shardId)
  }

  #isReady(key: string): boolean {
    return this.#loadOf(key)?.isReady ?? false
  }

  #leaseFor(botId: string, guildId: string): ShardLease | undefined {
    return this.#held.find(keyOfGuild(this.#view, botId, guildId) ?? '')
  }
}
