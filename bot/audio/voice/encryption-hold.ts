import type { DAVESession } from '@discordjs/voice'

/** Keys are agreed within some 50 ms; a channel that takes longer than this is sent to as it is. */
const HOLD_MS = 1000

interface CallKeys {
  readonly dave: DAVESession | undefined
  /** Number of other members in the channel. */
  readonly others: number
}

/**
 * Holds frames back while others listen and the end-to-end keys are not agreed yet: they could not decrypt them, and
 * the library would send them in clear.
 */
export class EncryptionHold {
  readonly #now: () => number
  #untilMs: number | null = null
  #isSpent = false

  constructor(now: () => number) {
    this.#now = now
  }

  /** Everyone changed to the new keys. */
  onTransition(): void {
    this.#untilMs = null
  }

  reset(): void {
    this.#untilMs = null
    this.#isSpent = false
  }

  isHolding({ dave, others }: CallKeys): boolean {
    if (!dave || dave.protocolVersion === 0 || others === 0) return false
    const isAgreed = dave.session?.ready ?? false
    if (isAgreed && this.#untilMs === null) {
      this.#isSpent = false
      return false
    }
    if (this.#isSpent) return false
    this.#untilMs ??= this.#now() + HOLD_MS
    if (this.#now() < this.#untilMs) return true
    this.#untilMs = null
    this.#isSpent = true
    return false
  }
}
