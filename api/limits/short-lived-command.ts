import { Command, type Redis } from 'ioredis'

/**
 * A command that leaves nothing behind for the garbage collector. The library's own assigns two function literals to fields,
 * and V8 places such functions among its long-lived objects, where they hold the command and all that waits for it until the
 * next full collection. With thousands of commands a second, that collection comes every few seconds.
 */
class ShortLivedCommand extends Command {}

// Private to the library: should a later version not call it, commands work as the library makes them.
Object.defineProperty(ShortLivedCommand.prototype, 'initPromise', {
  value(this: Command) {
    this.stringifyArguments()
    this.promise = new Promise((resolve, reject) => {
      this.resolve = resolve
      this.reject = reject
    })
  },
})

/**
 * Sends a command whose answer is made of numbers; texts in it are buffers. Unlike the methods of `Redis` it adds no
 * `keyPrefix` to keys, and knows no `commandTimeout`.
 */
export function sendShortLived(redis: Redis, name: string, args: readonly (string | number)[]): Promise<unknown> {
  return redis.sendCommand(new ShortLivedCommand(name, [...args])) as Promise<unknown>
}
