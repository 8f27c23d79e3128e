interface BreakerOptions {
  readonly now: () => number
  /** Failures in a row after which the service is left alone. */
  readonly failures?: number
  readonly openMs?: number
  /** Each pause that follows a failed trial is twice as long, up to this. Defaults to pauses of the same length. */
  readonly openMaxMs?: number
  /** Leave the service alone after a single refusal: for those that block clients which keep asking. */
  readonly opensOnRefusal?: boolean
}

/** After the service refused us (401, 403, 429). */
const REFUSED_MS = 60_000

export type Breaker = ReturnType<typeof createBreaker>

/**
 * Closed: calls go through. Open: none does, until the pause is over. Then a single trial goes through, and its
 * outcome closes or opens the breaker again.
 */
export function createBreaker({
  now,
  failures = 5,
  openMs = 30_000,
  openMaxMs = 0,
  opensOnRefusal = false,
}: BreakerOptions) {
  let inARow = 0
  let openUntilMs: number | null = null
  let onTrial = false
  let pauses = 0

  const open = (forMs: number) => {
    openUntilMs = now() + Math.max(forMs, Math.min(forMs * 2 ** pauses, openMaxMs))
    pauses += 1
    onTrial = false
  }
  const fail = (forMs: number, atOnce: boolean) => {
    inARow += 1
    if (onTrial || atOnce || inARow >= failures) open(forMs)
  }

  return {
    /** False: do not call. True takes the one trial that is let through after a pause. */
    admits(): boolean {
      if (openUntilMs === null) return true
      if (onTrial || now() < openUntilMs) return false
      onTrial = true
      return true
    },
    /** Whether no call goes through now. Takes no trial. */
    isResting: (): boolean => openUntilMs !== null && (onTrial || now() < openUntilMs),
    succeeded() {
      inARow = 0
      pauses = 0
      openUntilMs = null
      onTrial = false
    },
    failed: (): void => fail(openMs, false),
    /** `waitMs`: what the service asked for, obeyed up to the length of a refusal's pause. */
    refused: (waitMs?: number): void =>
      fail(Math.min(waitMs ?? REFUSED_MS, REFUSED_MS), opensOnRefusal || waitMs !== undefined),
    /** An admitted call that says nothing of the service's health (it was called off): gives the trial back. */
    calledOff() {
      onTrial = false
    },
  }
}
