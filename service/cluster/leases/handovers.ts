import type { ShardRunner } from '../../../bot/discord/shards/shard-directory.ts'
import type { Clock } from '../../../bot/player/timers.ts'
import { wait } from '../../../lib/clock.ts'
import type { Logger } from '../../../lib/log.ts'
import type { HeldLeases } from './held-leases.ts'
import type { Move } from './spread.ts'
import { parseShardKey } from './view.ts'

interface HandoversOptions {
  readonly held: Pick<HeldLeases, 'find' | 'release'>
  readonly runnerOf: (botId: string) => ShardRunner | undefined
  readonly clock: Pick<Clock, 'after'>
  readonly log: Logger
}

/** Concurrent handovers of shards without players, when a service drains. */
const DRAIN_AT_ONCE = 4
/**
 * Shards with players go one by one: a new owner that gets several at the same moment opens all their tracks at the same
 * moment, and the last one is silent for as long as all together. It has its players back about this long after it got a
 * shard.
 */
const PACE_MS = 500
/** A service that ends waits 5 s for load balancers by default, which is to be enough for its shards. */
const MOST_PACED_MS = 4500

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

  /** Starts moves of shards with players first, one by one, then the others, in this order. */
  async startAll(moves: readonly Move[]): Promise<void> {
    const { clock } = this.#options
    const playing = moves.filter(({ key }) => this.#countPlayers(key) > 0)
    const paceMs = Math.min(PACE_MS, MOST_PACED_MS / playing.length)
    for (const move of playing) {
      await Promise.all([this.start(move), wait(clock, paceMs)])
    }
    const waiting = moves.filter((move) => !playing.includes(move))
    const work = async (): Promise<void> => {
      for (let move = waiting.shift(); move; move = waiting.shift()) await this.start(move)
    }
    await Promise.all(Array.from({ length: DRAIN_AT_ONCE }, work))
  }

  #countPlayers(key: string): number {
    const shard = parseShardKey(key)
    return (shard && this.#options.runnerOf(shard.botId)?.load(shard.shardId).players) ?? 0
  }
}
