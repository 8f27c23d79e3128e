import { hash } from 'node:crypto'

/** The methods of a connection to Redis that a script needs. */
export interface ScriptRunner {
  evalsha(sha: string, keys: number, ...args: (string | number)[]): Promise<unknown>
  eval(script: string, keys: number, ...args: (string | number)[]): Promise<unknown>
}

/** A Lua script that Redis runs in one step. */
export type RedisScript = (
  redis: ScriptRunner,
  keys: readonly string[],
  args: readonly (string | number)[],
) => Promise<unknown>

/** Sends the script itself only to a Redis that does not have it: one that was restarted or flushed. */
export function redisScript(text: string): RedisScript {
  const sha = hash('sha1', text)
  return async (redis, keys, args) => {
    try {
      return await redis.evalsha(sha, keys.length, ...keys, ...args)
    } catch (error) {
      if (!(error instanceof Error && error.message.startsWith('NOSCRIPT'))) throw error
      return redis.eval(text, keys.length, ...keys, ...args)
    }
  }
}
