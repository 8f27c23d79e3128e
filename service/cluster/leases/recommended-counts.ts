import type { Logger } from '../../../lib/log.ts'

/** Says in the log when Discord recommends more shards for a bot than its services have agreed on. */
export class RecommendedCounts {
  readonly #log: Logger
  /** Bot → what was said last. */
  readonly #said = new Map<string, string>()

  constructor(log: Logger) {
    this.#log = log
  }

  compare(botId: string, shardCount: number, recommended: number): void {
    const text = `${shardCount} ${recommended}`
    if (recommended <= shardCount || this.#said.get(botId) === text) return
    this.#said.set(botId, text)
    const advice = `npm run admin -- cluster reshard ${botId} ${recommended}`
    this.#log.warn({ botId, shardCount, recommended, advice }, 'discord recommends more shards')
  }
}
