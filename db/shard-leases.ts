import sql, { join, type Sql } from 'sql-template-tag'
import { databaseNow } from './engine/database-now.ts'
import type { Store } from './engine/store.ts'

/** A shard that a service has, by the token that Redis gave. */
interface ShardClaim {
  /** `bot:count:number`. */
  readonly key: string
  readonly token: number
}

/** The last claim of a shard. */
interface ShardClaimState {
  readonly token: number
  /** Time for which another service has the lease unless it renews it; 0 if none has. */
  readonly othersForMs: number
  /** Time since the lease of another service expired that did not release it; null if none did so. */
  readonly endedForMs: number | null
}

/**
 * The second witness of which service holds which shard, beside Redis: a service takes a shard with the word of both, and
 * keeps it with the word of one. Times are of the database's clock.
 */
export type ShardLeases = ReturnType<typeof createShardLeases>

interface ShardLeasesOptions {
  readonly serviceId: string
  /** Life of a claim after it was made or renewed. */
  readonly lifeMs: number
  /** Only tests hand one in. */
  readonly now?: () => number
}

/** Time for which a service counts as one that reaches Redis after it did: shorter than it keeps its leases by Redis alone. */
const SEES_REDIS_MS = 1500
/** Rows of services that ended without releasing them are kept this long. */
const FORGOTTEN_MS = 3_600_000

export function createShardLeases(store: Store, options: ShardLeasesOptions) {
  const { serviceId, lifeMs, now } = options
  const nowMs = (): Sql => databaseNow(store, now)
  const beat = createHeartbeat(store, serviceId, nowMs)

  async function prolong(held: readonly ShardClaim[]): Promise<ReadonlySet<string>> {
    if (held.length === 0) return new Set()
    const rows = await store.all<ShardClaim>(sql`
      UPDATE shard_lease SET until_ms = ${nowMs()} + ${lifeMs}
       WHERE service_id = ${serviceId} AND shard IN (${join(held.map(({ key }) => key))})
      RETURNING shard AS "key", token`)
    const tokens = new Map(rows.map(({ key, token }) => [key, token]))
    return new Set(held.filter(({ key, token }) => tokens.get(key) === token).map(({ key }) => key))
  }

  return {
    /**
     * Prolongs those that this service has.
     * @param redisAgeMs for how long it has not reached Redis.
     * @returns those that it still has, and whether any other service reaches Redis.
     */
    async renew(held: readonly ShardClaim[], redisAgeMs: number) {
      const [kept, doOthersSeeRedis] = await Promise.all([prolong(held), beat.renew(redisAgeMs)])
      return { kept, doOthersSeeRedis }
    },
    /** Finds the state of shards that any service ever had. */
    async find(keys: readonly string[]) {
      if (keys.length === 0) return new Map<string, ShardClaimState>()
      const rows = await store.all<ClaimRow>(sql`
        SELECT shard AS "key", token, service_id AS "serviceId", until_ms - ${nowMs()} AS "leftMs", until_ms = 0 AS "isFree"
          FROM shard_lease WHERE shard IN (${join(keys)})`)
      return new Map(rows.map((row) => [row.key, stateOf(row, serviceId)]))
    },
    /** @returns those that this service has now; another one has the rest. */
    async claim(shards: readonly ShardClaim[]) {
      if (shards.length === 0) return new Set<string>()
      // Sorted, so two services that claim the same shards wait for each other without a deadlock.
      const sorted = shards.toSorted((a, b) => (a.key < b.key ? -1 : 1))
      const rows = sorted.map(
        ({ key, token }) =>
          sql`(${key}, ${partsOf(key)}, ${serviceId}, CAST(${token} AS bigint), ${nowMs()} + ${lifeMs})`,
      )
      const claimed = await store.all<ShardClaim>(sql`
        INSERT INTO shard_lease (shard, bot_id, shard_count, shard_id, service_id, token, until_ms) VALUES ${join(rows)}
        ON CONFLICT (shard) DO UPDATE SET
          service_id = excluded.service_id, token = excluded.token, until_ms = excluded.until_ms
          WHERE shard_lease.token < excluded.token
            AND (shard_lease.service_id = excluded.service_id OR shard_lease.until_ms <= ${nowMs()})
        RETURNING shard AS "key", token`)
      return new Set(claimed.map(({ key }) => key))
    },
    async release({ key, token }: ShardClaim) {
      await store.run(sql`
        UPDATE shard_lease SET until_ms = 0
         WHERE shard = ${key} AND service_id = ${serviceId} AND token = CAST(${token} AS bigint)`)
    },
    /** This service ends. */
    leave: () => beat.end(),
  }
}

interface ClaimRow extends ShardClaim {
  readonly serviceId: string
  readonly leftMs: number
  /** Whether the lease was released. SQLite has no booleans. */
  readonly isFree: boolean | 0 | 1
}

function stateOf({ token, serviceId, leftMs, isFree }: ClaimRow, me: string): ShardClaimState {
  if (serviceId === me || isFree) return { token, othersForMs: 0, endedForMs: null }
  return { token, othersForMs: Math.max(0, leftMs), endedForMs: leftMs > 0 ? null : -leftMs }
}

function partsOf(key: string): Sql {
  const [botId = '', shardCount, shardId] = key.split(':')
  return sql`${botId}, CAST(${Number(shardCount)} AS bigint), CAST(${Number(shardId)} AS bigint)`
}

/** Whether a shard with this guild has been claimed with a larger token. */
export function isTakenFrom(botId: string, guildId: string, token: number): Sql {
  return sql`EXISTS (
    SELECT 1 FROM shard_lease WHERE bot_id = ${botId} AND token > ${token}
       AND shard_id = (CAST(${guildId} AS bigint) >> 22) % shard_count)`
}

/** Whether a service ended without a word: it renewed its leases once, and not for so long. */
export async function isGone(store: Store, serviceId: string, silentMs: number): Promise<boolean> {
  const gone = await store.find(sql`
    SELECT 1 AS found FROM service_heartbeat
     WHERE service_id = ${serviceId} AND redis_until_ms < ${databaseNow(store)} - ${silentMs}`)
  return gone !== undefined
}

/** Whether this service reaches Redis, for the others. */
function createHeartbeat(store: Store, serviceId: string, nowMs: () => Sql) {
  return {
    /** @returns whether any other service reaches Redis. */
    async renew(redisAgeMs: number): Promise<boolean> {
      const untilMs = sql`${nowMs()} + ${Math.max(0, SEES_REDIS_MS - redisAgeMs)}`
      await store.run(sql`
        INSERT INTO service_heartbeat (service_id, redis_until_ms) VALUES (${serviceId}, ${untilMs})
        ON CONFLICT (service_id) DO UPDATE SET redis_until_ms = excluded.redis_until_ms`)
      const other = await store.find(sql`
        SELECT 1 AS found FROM service_heartbeat
         WHERE service_id <> ${serviceId} AND redis_until_ms > ${nowMs()} LIMIT 1`)
      return other !== undefined
    },
    async end(): Promise<void> {
      await store.run(sql`
        DELETE FROM service_heartbeat
         WHERE service_id = ${serviceId} OR redis_until_ms < ${nowMs()} - ${FORGOTTEN_MS}`)
    },
  }
}
