import type { ShardRunner } from '../../bot/discord/shards/shard-directory.ts'
import type { Logger } from '../../lib/log.ts'
import type { HeldLeases } from './held-leases.ts'
import type { Move } from './spread.ts'
import { parseShardKey } from './view.ts'

export interface HandoversOptions {
  readonly held: Pick<HeldLeases, 'find' | 'release'>
  readonly runnerOf: (botId: string) => ShardRunner | undefined
  readonly log: Logger
}

/** At once, when a service drains. */
const DRAIN_AT_ONCE = 4

/** Shards on their way from this service to others. */
export class Handovers {
  readonly #options: HandoversOptions
  readonly #leaving = new Set<string>()

  constructor(options: HandoversOptions) {
    this.#options = options
  }

  get count(): number {
    return this.#leaving.size
  }

  /** Ends what runs of a shard, then gives its lease up. Never rejects. */
  async start({ key, to }: Move): Promise<void> {
    const { held, runnerOf, log } = this.#options
    const shard = parseShardKey(key)
    const runner = shard && runnerOf(shard.botId)
    if (!runner || this.#leaving.has(key) || !held.find(key)) return
    this.#leaving.add(key)
    try {
      await runner.handOver(shard.shardId)
      await held.release(key, to)
      log.info({ shard: key, to }, 'shard handed over')
    } finally {
      this.#leaving.delete(key)
    }
  }

  /** Some at a time, in this order. */
  async startAll(moves: readonly Move[]): Promise<void> {
    const waiting = [...moves]
    const work = async (): Promise<void> => {
      for (let move = waiting.shift(); move; move = waiting.shift()) await this.start(move)
    }
    await Promise.all(Array.from({ length: DRAIN_AT_ONCE }, work))
  }
}
