import type { ConnectLimits, ShardDirectory, ShardLease, ShardLoad, ShardMembership } from './shard-directory.ts'

/** The shards of one bot that this service holds now, and what runs them. */
export type BotShards = ReturnType<typeof createBotShards>

interface BotShardsOptions {
  readonly botId: string
  readonly directory: Pick<ShardDirectory, 'join'>
  /** One more, while others run already. */
  onAdded(lease: ShardLease): void
  /** Saves its players and leaves Discord. Never rejects. */
  handOver(shardId: number): Promise<void>
  /** When this returns, nothing of the shard sounds or is sent any more. */
  cut(shardId: number): void
  load(shardId: number): ShardLoad
}

export function createBotShards(options: BotShardsOptions) {
  const { botId, directory } = options
  const leases = new Map<number, ShardLease>()
  let membership: ShardMembership | null = null
  let arrived = Promise.withResolvers<void>()

  const runner = {
    start(added: readonly ShardLease[]): void {
      for (const lease of added) {
        leases.set(lease.shard.shardId, lease)
        options.onAdded(lease)
      }
      arrived.resolve()
    },
    async handOver(shardId: number): Promise<void> {
      await options.handOver(shardId)
      leases.delete(shardId)
    },
    cut(shardId: number): void {
      leases.delete(shardId)
      options.cut(shardId)
    },
    load: (shardId: number): ShardLoad => options.load(shardId),
  }

  return {
    /** Takes part in running the bot, and waits until this service holds at least one of its shards. */
    async whenHeld(limits: ConnectLimits, stopped: Promise<void>): Promise<readonly ShardLease[]> {
      membership ??= directory.join(botId, limits, runner)
      if (leases.size === 0) {
        arrived = Promise.withResolvers()
        await Promise.race([arrived.promise, stopped])
      }
      return [...leases.values()]
    },
    get count(): number {
      return leases.size
    },
    get held(): readonly ShardLease[] {
      return [...leases.values()]
    },
    has: (shardId: number) => leases.has(shardId),
    waitForIdentify: async (shardId: number, signal: AbortSignal): Promise<void> =>
      membership?.waitForIdentify(shardId, signal),
    /** A shard is ready. */
    changed: (): void => membership?.changed(),
    /** Gives all of them up, which have ended. */
    async close() {
      leases.clear()
      await membership?.close()
      membership = null
    },
  }
}
