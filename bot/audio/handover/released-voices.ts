import { guildKey } from '../../guild-key.ts'
import type { PlayerRef } from '../node/protocol.ts'

/** A connection that another thread did not take the place of in this time is ended all the same. */
const RELEASED_MS = 15_000

/** Voice connections that stay open until another thread has taken their place, which `end` says. */
export class ReleasedVoices {
  readonly #ends = new Map<string, () => void>()

  add(ref: PlayerRef, endVoice: () => void): void {
    const timer = setTimeout(() => this.end(ref), RELEASED_MS).unref()
    this.#ends.set(guildKey(ref), () => {
      clearTimeout(timer)
      endVoice()
    })
  }

  /** Safe to repeat. */
  end(ref: PlayerRef): void {
    this.#ends.get(guildKey(ref))?.()
    this.#ends.delete(guildKey(ref))
  }

  endAll(): void {
    for (const end of this.#ends.values()) end()
    this.#ends.clear()
  }
}
