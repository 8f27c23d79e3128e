import { SimpleIdentifyThrottler } from 'discord.js'
import type { ShardDirectory } from './shard-directory.ts'

/** One service runs all bots whole. Sessions with Discord end with it. */
export function createLocalDirectory(): ShardDirectory {
  return {
    isShared: false,
    isDraining: false,
    join(botId, { shardCount, maxConcurrency }, runner) {
      const throttler = new SimpleIdentifyThrottler(maxConcurrency)
      const shards = Array.from({ length: shardCount }, (_, shardId) => ({ botId, shardId, shardCount }))
      runner.start(shards.map((shard) => ({ shard, token: 0, isHeld: true, formerSilentAtMs: null, sessions: null })))
      return {
        waitForIdentify: (shardId, signal) => throttler.waitForIdentify(shardId, signal),
        changed: () => undefined,
        close: async () => undefined,
      }
    },
    leaseOf: () => 0,
    isHeldHere: () => true,
    whoRuns: () => null,
    countElsewhere: () => 0,
    drain: async () => undefined,
  }
}
