import type { Redis } from 'ioredis'
import type { Clock } from '../../bot/player/timers.ts'
import type { SessionStore, ShardLease, ShardRunner } from '../../bot/discord/shards/shard-directory.ts'
import { createSigning } from '../../service/cluster/signing.ts'
import { LeaseDirectory } from '../../service/cluster/leases/lease-directory.ts'
import { createLeaseStore, LEASE_LIFE_MS, type LeaseRedis } from '../../service/cluster/leases/lease-store.ts'
import type { Store } from '../../db/engine/store.ts'
import { createShardLeases, type ShardLeases } from '../../db/shard-leases.ts'
import { silent } from './encode-queue.ts'

const NO_SESSIONS: SessionStore = {
  load: async () => null,
  guildIds: async () => [],
  async *guilds() {},
  savePage: async () => undefined,
  saveGuilds: async () => undefined,
  save: async () => true,
  clear: async () => undefined,
}

/** One time for several services whose clocks run differently fast, and for the Redis that they share. */
export interface SharedTime {
  readonly nowMs: number
  /** Runs the timers of all that are not stopped, and waits until none of them does anything. */
  advance(ms: number, afterEach?: () => void): Promise<void>
}

interface Ticking {
  tick(): void
  /** Pending requests to Redis. */
  readonly pending: ReadonlySet<Promise<unknown>>
}

const STEP_MS = 100

export function createSharedTime(owners: () => Iterable<Ticking>): SharedTime {
  let nowMs = 1_900_000_000_000
  const settled = async (): Promise<void> => {
    for (let calm = 0; calm < 2; calm += 1) {
      const pending = [...owners()].flatMap(({ pending: sent }) => Array.from(sent))
      if (pending.length > 0) calm = -1
      await Promise.allSettled(pending)
      await new Promise(setImmediate)
    }
  }
  return {
    get nowMs() {
      return nowMs
    },
    async advance(ms, afterEach) {
      for (const endMs = nowMs + ms; nowMs < endMs;) {
        nowMs += STEP_MS
        afterEach?.()
        for (const owner of owners()) owner.tick()
        await settled()
        afterEach?.()
      }
    },
  }
}

export interface OwnerOptions {
  readonly id: string
  readonly redis: Redis
  /** The database that vouches for leases beside Redis. */
  readonly store: Store
  readonly time: () => number
  /** Speed of its clock relative to `time`. */
  readonly rate?: number
  readonly maxConcurrency?: number
  readonly shardCount: number
}

/** `lost`: the command is done, and its answer does not arrive. `stopped`: the process stops before it arrives. */
type Network = 'up' | 'down' | 'lost' | 'stopped'

/** A service that runs shards of one bot, which are nothing but their leases. */
export interface LeaseOwner extends Ticking {
  readonly id: string
  readonly directory: LeaseDirectory
  /** Shards that run here → their lease. */
  readonly running: ReadonlyMap<number, ShardLease>
  readonly started: readonly { readonly shardId: number; readonly token: number }[]
  readonly cuts: readonly number[]
  /** Time until its audio threads may sound, by its own clock. */
  readonly heldUntilMs: number
  /** Network to Redis, and that to the database. */
  network: Network
  databaseNetwork: Network
  isStopped: boolean
  nowMs(): number
}

export const LEASE_BOT = '900000000000000001'
const KEY = 'ab'.repeat(32)

export function createLeaseOwner(options: OwnerOptions): LeaseOwner {
  const { id, redis, store: database, time, rate = 1, maxConcurrency = 16, shardCount } = options
  const timers = new Map<symbol, { readonly atMs: number; readonly call: () => void }>()
  const running = new Map<number, ShardLease>()
  const started: { shardId: number; token: number }[] = []
  const cuts: number[] = []
  const pending = new Set<Promise<unknown>>()
  /** Answers that arrived while the process was stopped. */
  const held: (() => void)[] = []
  let heldUntilMs = Infinity

  const clock: Pick<Clock, 'nowMs' | 'after'> = {
    nowMs: () => Math.floor(time() * rate),
    after(delayMs, call) {
      const timer = Symbol('timer')
      timers.set(timer, { atMs: clock.nowMs() + delayMs, call })
      return () => void timers.delete(timer)
    },
  }
  async function call<T>(command: () => Promise<T>, way: 'network' | 'databaseNetwork' = 'network'): Promise<T> {
    if (owner[way] === 'down') throw new Error('It is away.')
    const sent = command()
    pending.add(sent)
    let answer: T
    try {
      answer = await sent
    } finally {
      pending.delete(sent)
    }
    if (owner[way] === 'lost') throw new Error('The answer was lost.')
    if (owner[way] === 'stopped') [owner.isStopped, owner[way]] = [true, 'up']
    if (owner.isStopped) await new Promise<void>((resolve) => held.push(resolve))
    return answer
  }
  const faulty: LeaseRedis = {
    evalsha: (...args) => call(() => redis.evalsha(...args)),
    eval: (...args) => call(() => redis.eval(...args)),
    hset: (key, field, value) => call(() => redis.hset(key, field, value)),
    hsetnx: (key, field, value) => call(() => redis.hsetnx(key, field, value)),
    hget: (key, field) => call(() => redis.hget(key, field)),
    hdel: (key, field) => call(() => redis.hdel(key, field)),
  }
  const store = createLeaseStore({
    redis: faulty,
    prefix: 'test',
    signing: createSigning(KEY),
    serviceId: id,
    now: time,
  })
  const shardLeases = createShardLeases(database, { serviceId: id, lifeMs: LEASE_LIFE_MS, now: time })
  const directory = new LeaseDirectory({
    store,
    database: throughNetwork(shardLeases, (command) => call(command, 'databaseNetwork')),
    serviceId: id,
    describe: () => ({ url: `http://${id}.test`, host: id, startedAtMs: 0, version: 'test' }),
    sessionsOf: () => NO_SESSIONS,
    clock,
    onHeldUntil: (untilMs) => (heldUntilMs = untilMs),
    log: silent,
  })
  const runner: ShardRunner = {
    start(leases) {
      for (const lease of leases) {
        running.set(lease.shard.shardId, lease)
        started.push({ shardId: lease.shard.shardId, token: lease.token })
      }
      directory.look().catch(() => undefined)
    },
    async handOver(shardId) {
      running.delete(shardId)
    },
    cut(shardId) {
      running.delete(shardId)
      cuts.push(shardId)
    },
    load: () => ({ guilds: 100, players: 0, isReady: true, isRestoring: false }),
  }
  const owner: LeaseOwner = {
    id,
    directory,
    running,
    started,
    cuts,
    get heldUntilMs() {
      return heldUntilMs
    },
    network: 'up',
    databaseNetwork: 'up',
    isStopped: false,
    nowMs: () => clock.nowMs(),
    pending,
    tick() {
      if (owner.isStopped) return
      for (const resolve of held.splice(0)) resolve()
      const due = [...timers].filter(([, { atMs }]) => atMs <= clock.nowMs())
      for (const [timer, { call: run }] of due.toSorted(([, a], [, b]) => a.atMs - b.atMs)) {
        if (timers.delete(timer)) run()
      }
    },
  }
  const limits = { shardCount, maxConcurrency, total: 1000, remaining: 1000, resetAfterMs: 86_400_000 }
  directory.join(LEASE_BOT, limits, runner)
  return owner
}

function throughNetwork(leases: ShardLeases, call: <T>(command: () => Promise<T>) => Promise<T>): ShardLeases {
  return {
    renew: (...args) => call(() => leases.renew(...args)),
    find: (...args) => call(() => leases.find(...args)),
    claim: (...args) => call(() => leases.claim(...args)),
    release: (...args) => call(() => leases.release(...args)),
    leave: () => call(() => leases.leave()),
  }
}
