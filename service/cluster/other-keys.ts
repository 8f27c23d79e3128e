import { redisScript, type ScriptRunner } from '../../lib/sharing/redis-script.ts'
import type { Signing } from './signing.ts'

/** A note that is this old is that of a service that has ended. */
const NOTE_LIFE_MS = 20_000
const EVERY_MS = 5000

/** KEYS notes. ARGV life, own note; an empty one is not kept. @returns some notes, those of this key among them. */
const EXCHANGE = redisScript(`
local clock = redis.call('TIME')
local t = clock[1] * 1000 + math.floor(clock[2] / 1000)
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', t)
if ARGV[2] ~= '' then
  redis.call('ZADD', KEYS[1], t + ARGV[1], ARGV[2])
  redis.call('PEXPIRE', KEYS[1], ARGV[1])
end
return redis.call('ZRANGE', KEYS[1], 0, 99)
`)

/** What an operator does about it. */
export const ONE_KEY = 'Set the same one on all services, or another REDIS_PREFIX for each installation.'

export function otherKeyAt(url: string): string {
  return `${url} has another SERVICES_KEY, on the same Redis`
}

export interface NoteOptions {
  readonly redis: ScriptRunner
  /** REDIS_PREFIX. */
  readonly prefix: string
  readonly signing: Signing
}

/**
 * Services with different SERVICES_KEYs do not see each other's leases. So each leaves a note of its address beside them.
 * @param url of this service; null: it leaves no note.
 * @returns where services with another key are reached.
 */
export async function exchangeNotes({ redis, prefix, signing }: NoteOptions, url: string | null): Promise<string[]> {
  const own = url === null ? '' : `${signing.id} ${url}`
  const notes = (await EXCHANGE(redis, [`${prefix}:services:notes`], [NOTE_LIFE_MS, own])) as string[]
  const others = notes.map((note) => note.split(' ')).filter(([id]) => id !== signing.id)
  // Renderers can write there too: what is shown is an address.
  return others.flatMap(([, address = '']) => URL.parse(address)?.origin ?? [])
}

/** Services on the same Redis that this one shares nothing with. */
export function watchOtherKeys(options: NoteOptions, url: string) {
  let urls: readonly string[] = []
  const look = (): void => {
    exchangeNotes(options, url).then(
      (found) => (urls = found),
      // Redis is away, which a part of its own tells.
      () => (urls = []),
    )
  }
  look()
  const timer = setInterval(look, EVERY_MS).unref()
  /** Names one, and says what to do about it, as of a few seconds ago; null if there is none. */
  const problem = (): string | null => {
    const [found] = urls
    return found === undefined ? null : `${otherKeyAt(found)}. ${ONE_KEY}`
  }
  return { problem, close: (): void => clearInterval(timer) }
}
