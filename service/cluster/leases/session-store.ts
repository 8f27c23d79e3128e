import { deflateRaw, inflateRaw } from 'node:zlib'
import { promisify } from 'node:util'
import { z } from 'zod'
import type { SessionStore, Shard, ShardSession } from '../../../bot/discord/shards/shard-directory.ts'
import type { Signing } from '../signing.ts'

/** The Redis connection for sessions. */
interface SessionRedis {
  get(key: string): Promise<string | null>
  set(key: string, value: string, mode: 'EX', seconds: number): Promise<unknown>
  del(...keys: string[]): Promise<unknown>
  hset(key: string, values: Record<string, string>): Promise<number>
  hlen(key: string): Promise<number>
  hkeys(key: string): Promise<string[]>
  hmget(key: string, ...fields: string[]): Promise<(string | null)[]>
  hdel(key: string, ...fields: string[]): Promise<number>
  expire(key: string, seconds: number): Promise<unknown>
}

interface SessionStoreOptions {
  readonly redis: SessionRedis
  readonly prefix: string
  readonly signing: Signing
}

/** Discord forgets a session within minutes without a connection. */
const KEPT_SECONDS = 3600
const GUILDS_AT_ONCE = 50
const PAGE = '+'
const GONE = '-'

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
export function createSessionStores(options: SessionStoreOptions): (shard: Shard) => SessionStore {
  return (shard) => new RedisSessionStore(options, shard)
}

/**
 * Guilds are fields of one hash: pages named `+NUMBER:ID,ID,…`, the later of which counts; a guild that changed since by its
 * ID, and one that is gone as `-ID`.
 */
class RedisSessionStore implements SessionStore {
  readonly #redis: SessionRedis
  readonly #signing: Signing
  readonly #name: string
  readonly #guilds: string
  #pages = 0
  /** Number of fields, by the answers of Redis. */
  #fields: number | null = null

  constructor({ redis, prefix, signing }: SessionStoreOptions, { botId, shardId, shardCount }: Shard) {
    this.#redis = redis
    this.#signing = signing
    this.#name = `${prefix}:sessions:${botId}:${shardCount}:${shardId}`
    this.#guilds = `${this.#name}:guilds`
  }

  async load(): Promise<ShardSession | null> {
    const signed = await this.#redis.get(this.#name)
    const text = signed === null ? null : this.#signing.check(this.#name, signed)
    return text === null ? null : Session.parse(JSON.parse(text))
  }

  async guildIds(): Promise<readonly string[]> {
    return [...(await this.#places()).keys()]
  }

  async *guilds(named?: readonly string[]): AsyncIterable<readonly object[]> {
    if (named?.length === 0) return
    const places = await this.#places()
    const byField = Map.groupBy(named ?? places.keys(), (id) => places.get(id) ?? '')
    byField.delete('')
    const pages = [...byField].filter(([field]) => field.startsWith(PAGE))
    for (const [field, ids] of pages) {
      const all = (await this.#read([field])).flat() as readonly { readonly id: string }[]
      const wanted = new Set(ids)
      yield all.filter(({ id }) => wanted.has(id))
    }
    const single = [...byField.keys()].filter((field) => !field.startsWith(PAGE))
    while (single.length > 0) yield this.#read(single.splice(0, GUILDS_AT_ONCE))
  }

  async savePage(guilds: ReadonlyMap<string, object>): Promise<void> {
    this.#pages += 1
    const field = `${PAGE}${this.#pages}:${[...guilds.keys()].join(',')}`
    this.#count(await this.#redis.hset(this.#guilds, { [field]: await this.#pack(field, [...guilds.values()]) }))
  }

  async saveGuilds(changed: ReadonlyMap<string, object | null>): Promise<void> {
    const fields: Record<string, string> = {}
    const old: string[] = []
    for (const [id, guild] of changed) {
      old.push(guild === null ? id : `${GONE}${id}`)
      if (guild === null) fields[`${GONE}${id}`] = ''
    }
    const kept = [...changed].flatMap(([id, guild]) => (guild === null ? [] : [[id, guild] as const]))
    await Promise.all(kept.map(async ([id, guild]) => (fields[id] = await this.#pack(id, guild))))
    if (old.length === 0) return
    this.#count(await this.#redis.hset(this.#guilds, fields))
    this.#count(-(await this.#redis.hdel(this.#guilds, ...old)))
  }

  async save(session: ShardSession): Promise<boolean> {
    const there = await this.#redis.hlen(this.#guilds)
    if (there < (this.#fields ?? 0)) return false
    await this.#redis.set(this.#name, this.#signing.sign(this.#name, JSON.stringify(session)), 'EX', KEPT_SECONDS)
    await this.#redis.expire(this.#guilds, KEPT_SECONDS)
    return true
  }

  async clear(): Promise<void> {
    await this.#redis.del(this.#name, this.#guilds)
    this.#fields = 0
  }

  /** @param more fields than before. */
  #count(more: number): void {
    if (this.#fields !== null) this.#fields += more
  }

  /** The field in which each guild is. */
  async #places(): Promise<ReadonlyMap<string, string>> {
    const fields = await this.#redis.hkeys(this.#guilds)
    this.#fields = fields.length
    const places = new Map<string, string>()
    const pages = fields.filter((field) => field.startsWith(PAGE))
    const numbered = pages.map((field) => [Number.parseInt(field.slice(PAGE.length), 10), field] as const)
    for (const [, field] of numbered.toSorted(([a], [b]) => a - b)) {
      for (const id of field.slice(field.indexOf(':') + 1).split(',')) places.set(id, field)
    }
    for (const field of fields) if (!field.startsWith(PAGE) && !field.startsWith(GONE)) places.set(field, field)
    for (const field of fields) if (field.startsWith(GONE)) places.delete(field.slice(GONE.length))
    return places
  }

  async #pack(field: string, content: object): Promise<string> {
    const bytes = await deflate(JSON.stringify(content), { level: 1 })
    return this.#signing.sign(`${this.#guilds} ${field}`, bytes.toString('base64'))
  }

  /** Without what none of our services wrote. */
  async #read(fields: readonly string[]): Promise<object[]> {
    const packed = await this.#redis.hmget(this.#guilds, ...fields)
    const found = await Promise.all(
      fields.map(async (field, at) => {
        const text = this.#signing.check(`${this.#guilds} ${field}`, packed[at] ?? '')
        return text === null ? null : (JSON.parse(String(await inflate(Buffer.from(text, 'base64')))) as object)
      }),
    )
    return found.filter((one) => one !== null)
  }
}
