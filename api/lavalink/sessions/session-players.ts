import type { Clock } from '../../../bot/player/timers.ts'
import { Fault } from '../../../lib/errors.ts'
import type { Release } from '../../../lib/sharing/fair-share.ts'
import type { LavalinkPlayer } from '../players/player.ts'

/** Time after a player's end in which late requests for it are expected. */
const LATE_MS = 10_000

interface Parts {
  readonly clock: Clock
  /** Makes a dormant player. @throws {Fault} `service_unavailable` while no audio node is alive */
  readonly create: (guildId: string) => LavalinkPlayer
  /** Takes a place under the ceiling of the project. @throws {Fault} `player_limit` */
  readonly acquire: () => Release
  /** A client has ended a player. */
  readonly onDestroyed: (guildId: string) => void
}

interface Place {
  readonly player: LavalinkPlayer
  readonly release: Release
}

/** The players of a session, one for each guild. */
export class SessionPlayers {
  readonly #parts: Parts
  readonly #places = new Map<string, Place>()
  /** Players that answer late requests after their end; null until the first such request. */
  readonly #late = new Map<string, LavalinkPlayer | null>()

  constructor(parts: Parts) {
    this.#parts = parts
  }

  get size(): number {
    return this.#places.size
  }

  *all(): Iterable<LavalinkPlayer> {
    for (const { player } of this.#places.values()) yield player
  }

  find(guildId: string): LavalinkPlayer | undefined {
    return this.#places.get(guildId)?.player
  }

  /** @throws {Fault} `not_found` */
  get(guildId: string): LavalinkPlayer {
    const player = this.find(guildId)
    if (player) return player
    throw new Fault('not_found', 'Player not found')
  }

  /**
   * The player of a guild, made where there is none. Clients send requests side by side, so that one may come behind the
   * end of its player. It is answered by a player that sleeps, which is none of the session's until voice comes for it.
   * @throws {Fault} `player_limit`
   */
  ensure(guildId: string, hasVoice: boolean): LavalinkPlayer {
    const there = this.find(guildId)
    if (there) return there
    const late = this.#late.get(guildId)
    if (late !== undefined && !hasVoice) {
      const asleep = late ?? this.#parts.create(guildId)
      this.#late.set(guildId, asleep)
      return asleep
    }
    const release = this.#parts.acquire()
    try {
      const player = late ?? this.#parts.create(guildId)
      this.#late.delete(guildId)
      this.#places.set(guildId, { player, release })
      player.wake()
      return player
    } catch (thrown) {
      release()
      throw thrown
    }
  }

  /** Resolves when the player has left. No-op where there is none. */
  async destroy(guildId: string): Promise<void> {
    const place = this.#places.get(guildId)
    if (!place) return
    this.#places.delete(guildId)
    this.#late.set(guildId, null)
    this.#parts.clock.after(LATE_MS, () => this.#late.delete(guildId))
    this.#parts.onDestroyed(guildId)
    await end(place)
  }

  async destroyAll(): Promise<void> {
    const places = [...this.#places.values()]
    this.#places.clear()
    await Promise.all(places.map(end))
  }
}

async function end({ player, release }: Place): Promise<void> {
  release()
  await player.destroy()
}
