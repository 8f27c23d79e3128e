import { deflateRaw, inflateRaw } from 'node:zlib'
import { promisify } from 'node:util'
import { z } from 'zod'
import type { SessionStore, Shard, ShardSession } from '../../bot/discord/shards/shard-directory.ts'
import type { Signing } from '../signing.ts'

/** Of the connection to Redis that sessions use. */
export interface SessionRedis {
  get(key: string): Promise<string | null>
  set(key: string, value: string, mode: 'EX', seconds: number): Promise<unknown>
  del(...keys: string[]): Promise<unknown>
  hset(key: string, values: Record<string, string>): Promise<unknown>
  hlen(key: string): Promise<number>
  hkeys(key: string): Promise<string[]>
  hmget(key: string, ...fields: string[]): Promise<(string | null)[]>
  hdel(key: string, ...fields: string[]): Promise<unknown>
  hscan(key: string, cursor: string, count: 'COUNT', size: number): Promise<[cursor: string, values: string[]]>
  expire(key: string, seconds: number): Promise<unknown>
}

export interface SessionStoreOptions {
  readonly redis: SessionRedis
  readonly prefix: string
  readonly signing: Signing
}

/** Discord forgets a session within minutes without a connection. */
const KEPT_SECONDS = 3600
const GUILDS_AT_ONCE = 50

const Session = z.object({
  sessionId: z.string().max(200),
  resumeUrl: z.url().max(2048),
  sequence: z.int().min(0),
  user: z.looseObject({ id: z.string() }),
  application: z.looseObject({ id: z.string() }),
  first: z.array(z.string()).default([]),
  guildCount: z.int().min(0).default(0),
})

const deflate = promisify(deflateRaw)
const inflate = promisify(inflateRaw)

/**
 * Sessions of shards in Redis, by whose guilds a new owner continues. All is signed: a writer who forged the address at
 * which to resume would be sent the bot's token.
 */
export function createSessionStores({ redis, prefix, signing }: SessionStoreOptions): (shard: Shard) => SessionStore {
  return ({ botId, shardId, shardCount }) => {
    const name = `${prefix}:sessions:${botId}:${shardCount}:${shardId}`
    const guilds = `${name}:guilds`

    async function pack(guildId: string, guild: object): Promise<string> {
      const bytes = await deflate(JSON.stringify(guild), { level: 1 })
      return signing.sign(`${guilds} ${guildId}`, bytes.toString('base64'))
    }
    /** Null for what none of our services wrote. */
    async function unpack(guildId: string, packed: string): Promise<object | null> {
      const text = signing.check(`${guilds} ${guildId}`, packed)
      return text === null ? null : (JSON.parse(String(await inflate(Buffer.from(text, 'base64')))) as object)
    }

    return {
      async load(): Promise<ShardSession | null> {
        const signed = await redis.get(name)
        const text = signed === null ? null : signing.check(name, signed)
        return text === null ? null : Session.parse(JSON.parse(text))
      },
      guildIds: () => redis.hkeys(guilds),
      async *guilds(named) {
        if (named?.length === 0) return
        if (named) {
          const packed = await redis.hmget(guilds, ...named)
          const found = await Promise.all(named.map(async (id, at) => packed[at] && unpack(id, packed[at])))
          return yield found.filter((guild) => guild !== null && typeof guild === 'object')
        }
        let cursor = '0'
        do {
          const [next, pairs] = await redis.hscan(guilds, cursor, 'COUNT', GUILDS_AT_ONCE)
          const ids = pairs.filter((_, at) => at % 2 === 0)
          const found = await Promise.all(ids.map((id, at) => unpack(id, pairs[2 * at + 1] ?? '')))
          yield found.filter((guild) => guild !== null)
          cursor = next
        } while (cursor !== '0')
      },
      async saveGuilds(changed) {
        const kept = [...changed].flatMap(([id, guild]) => (guild === null ? [] : [[id, guild] as const]))
        const gone = [...changed].flatMap(([id, guild]) => (guild === null ? [id] : []))
        const packed = await Promise.all(kept.map(async ([id, guild]) => [id, await pack(id, guild)] as const))
        if (packed.length > 0) await redis.hset(guilds, Object.fromEntries(packed))
        if (gone.length > 0) await redis.hdel(guilds, ...gone)
      },
      async save(session) {
        if ((await redis.hlen(guilds)) < session.guildCount) return false
        await redis.set(name, signing.sign(name, JSON.stringify(session)), 'EX', KEPT_SECONDS)
        await redis.expire(guilds, KEPT_SECONDS)
        return true
      },
      async clear() {
        await redis.del(name, guilds)
      },
    }
  }
}
