import type { ConnectLimits } from '../../../bot/discord/shards/shard-directory.ts'
import { redisScript, type RedisScript, type ScriptRunner } from '../../../lib/sharing/redis-script.ts'
import type { Signing } from '../signing.ts'
import { ACQUIRE, BEGIN_MOVE, CONFIRM, IDENTIFY, KEEP, RELEASE, RENEW } from './lease-scripts.ts'
import { readView, signEntry, type ServiceEntry, type ViewAnswer } from './view.ts'

/** Life of a lease after its renewal, in Redis and in the database. */
export const LEASE_LIFE_MS = 3000

/** Time for which only its new owner may take a shard that was handed over. */
const RESERVED_MS = 2000
/** One more login in each bucket every 5 s; a little more, since two services' messages travel differently long. */
const IDENTIFY_EVERY_MS = 5100

/** Connection of the leases to Redis. Each method fails at once where Redis is away. */
export interface LeaseRedis extends ScriptRunner {
  hset(key: string, field: string, value: string): Promise<unknown>
  hsetnx(key: string, field: string, value: string): Promise<number>
  hdel(key: string, field: string): Promise<unknown>
  hget(key: string, field: string): Promise<string | null>
}

interface LeaseStoreOptions {
  readonly redis: LeaseRedis
  readonly prefix: string
  readonly signing: Signing
  /** ID of this service. */
  readonly serviceId: string
  /** Only tests hand one in. Otherwise Redis' own clock counts, on which all services agree. */
  readonly now?: () => number
}

export interface HeldToken {
  readonly key: string
  readonly token: number
}

interface RenewedToken extends HeldToken {
  /** The database says now that this service has it, whatever Redis knows. */
  readonly isVouched: boolean
}

interface WantedShard {
  readonly key: string
  /** The largest token that is known of; 0 if none is. */
  readonly token: number
}

/** The leases of all services, in Redis. */
export type LeaseStore = ReturnType<typeof createLeaseStore>

/**
 * A service treats a lease as lost so long before the witnesses do: its audio stops within 20 ms of that, and the clocks of two
 * machines may run a little differently fast.
 */
const SAFETY_MS = 600
/** Counted from when the renewal was sent, not from its answer. */
export const HELD_FOR_MS = LEASE_LIFE_MS - SAFETY_MS
/** At each witness. */
export const RENEW_MS = 600
/** While one does not answer: often enough to be back before the leases are lost. */
export const RETRY_MS = 200
/** A renewal that takes longer has failed: the next one still comes before the leases are lost. */
export const COMMAND_MS = 800

const SCRIPTS = {
  acquire: redisScript(ACQUIRE),
  confirm: redisScript(CONFIRM),
  keep: redisScript(KEEP),
  renew: redisScript(RENEW),
  release: redisScript(RELEASE),
  beginMove: redisScript(BEGIN_MOVE),
  identify: redisScript(IDENTIFY),
} satisfies Record<string, RedisScript>

/** Prefix of all services with the same SERVICES_KEY. @param redisPrefix REDIS_PREFIX. */
export function leasePrefix(redisPrefix: string, signing: Signing): string {
  return `${redisPrefix}:services:${signing.id}`
}

/** Names of the Redis keys of the leases, and of their related data. */
export function leaseKeys(prefix: string) {
  const name = (part: string): string => `${prefix}:leases:${part}`
  const [counts, orders] = [name('counts'), name('orders')]
  return { name, counts, orders, all: [name('shards'), name('services'), name('began'), counts, orders] }
}

interface KeepOptions extends Pick<LeaseStoreOptions, 'prefix' | 'serviceId' | 'now'> {
  readonly redis: ScriptRunner
}

/** Prolongs leases, and what the service has said of itself, without a look at the others. @returns whether each is still held. */
export async function keepLeases(
  { redis, prefix, serviceId, now }: KeepOptions,
  held: readonly HeldToken[],
): Promise<readonly boolean[]> {
  const { all } = leaseKeys(prefix)
  const fields = held.flatMap(({ key, token }) => [key, token])
  const args = [now?.() ?? 0, LEASE_LIFE_MS, serviceId, ...fields]
  const kept = (await SCRIPTS.keep(redis, all.slice(0, 2), args)) as number[]
  return held.map((_, index) => kept[index] === 1)
}

export function createLeaseStore({ redis, prefix, signing, serviceId, now }: LeaseStoreOptions) {
  const { name, counts, all: keys } = leaseKeys(prefix)
  /** Channel on which the keys of released shards are published. */
  const channel = name('released')
  const at = () => now?.() ?? 0
  const release = async ({ key, token }: HeldToken, to: string, channelOrNone: string): Promise<void> => {
    const args = [at(), serviceId, key, token, to, RESERVED_MS, channelOrNone]
    await SCRIPTS.release(redis, keys.slice(0, 1), args)
  }

  return {
    channel,
    /** @returns those that this service now holds. */
    async acquire(wanted: readonly WantedShard[]) {
      if (wanted.length === 0) return []
      const fields = wanted.flatMap(({ key, token }) => [key, token])
      const tokens = await SCRIPTS.acquire(redis, keys.slice(0, 3), [at(), LEASE_LIFE_MS, serviceId, ...fields])
      return wanted.flatMap(({ key }, index) => readAcquired(key, (tokens as string[])[index]))
    },
    /** @returns those of them that this service still holds. */
    async confirm(held: readonly HeldToken[]) {
      if (held.length === 0) return []
      const fields = held.flatMap(({ key, token }) => [key, token])
      const kept = await SCRIPTS.confirm(redis, keys.slice(0, 1), [at(), LEASE_LIFE_MS, serviceId, ...fields])
      return held.filter((_, index) => (kept as number[])[index] === 1)
    },
    /** @returns for each shard whether this service still holds it. */
    async renew(held: readonly RenewedToken[], entry: ServiceEntry) {
      const fields = held.flatMap(({ key, token, isVouched }) => [key, token, isVouched ? 1 : 0])
      const args = [at(), LEASE_LIFE_MS, serviceId, signEntry(serviceId, entry, signing), ...fields]
      const answer = (await SCRIPTS.renew(redis, keys, args)) as ViewAnswer
      const kept = new Map(held.map(({ key }, index) => [key, answer[1][index] === 1]))
      return { kept, view: readView(answer, signing) }
    },
    /** @param to the service that alone may take it for a moment; null: any. */
    release: (held: HeldToken, to: string | null) => release(held, to ?? '-', channel),
    /** Releases without publishing the shard: it was not free after all. */
    abandon: (held: HeldToken) => release(held, '-', ''),
    /** Whether this service may move a shard now: one moves at a time. */
    beginMove: async (forMs: number) =>
      (await SCRIPTS.beginMove(redis, [name('moving')], [at(), serviceId, forMs])) === 1,
    /** The number of shards on which all services agree; the first one to ask decides. */
    async agreeOnCount(botId: string, count: number) {
      await redis.hsetnx(counts, botId, String(count))
      return Number((await redis.hget(counts, botId)) ?? count)
    },
    /** This service ends; the others need not wait for its silence. */
    async leave() {
      await redis.hdel(name('services'), serviceId)
      await redis.hdel(name('orders'), `drain ${serviceId}`)
    },
    /** @returns 0 if the shard may log in now, else how long to wait; negative if no login is left. */
    async takeIdentify(botId: string, shardId: number, limits: ConnectLimits) {
      const { maxConcurrency, remaining, resetAfterMs, total } = limits
      const args = [at(), botId, shardId % maxConcurrency, IDENTIFY_EVERY_MS, remaining, resetAfterMs, total]
      return Number(await SCRIPTS.identify(redis, [name('identifies')], args))
    },
  }
}

/** `endedForMs`: time since the lease of another service expired that did not release it; null if none did so. */
function readAcquired(key: string, acquired = '') {
  const [token, endedForMs] = acquired.split(' ')
  return token ? [{ key, token: Number(token), endedForMs: endedForMs ? Number(endedForMs) : null }] : []
}
