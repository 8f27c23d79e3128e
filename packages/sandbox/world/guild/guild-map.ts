import type { Application, Guild } from '../model.ts'

/** Guilds of a bot in which nothing happens. Only their number is kept until someone asks for one of them. */
export interface QuietGuilds {
  readonly application: Application
  /** The time in the id of the first one behind them. */
  readonly end: bigint
  /** Null for an id of another guild. */
  readonly make: (id: string) => Guild | null
  /** IDs of the guilds of one shard, by its index and the number of shards. */
  readonly ids: (shard: readonly [index: number, count: number]) => readonly string[]
}

/** A map in which quiet guilds appear as soon as they are asked for by id. Who goes through it meets the others only. */
export class GuildMap extends Map<string, Guild> {
  readonly #quiet: readonly QuietGuilds[]

  constructor(quiet: readonly QuietGuilds[]) {
    super()
    this.#quiet = quiet
  }

  override get(id: string): Guild | undefined {
    return super.get(id) ?? this.#wake(id)
  }

  /** Whether it is a guild like others by now. */
  isAwake(id: string): boolean {
    return super.has(id)
  }

  #wake(id: string): Guild | undefined {
    for (const { make } of this.#quiet) {
      const guild = make(id)
      if (guild) {
        this.set(id, guild)
        return guild
      }
    }
    return undefined
  }
}
