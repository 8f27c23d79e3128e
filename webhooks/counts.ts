import type { Posted } from './http-post.ts'

/** Of how an attempt ended: `delivered`, `refused` (any other status), or why there was no answer. */
export type AttemptOutcome = 'delivered' | 'refused' | NonNullable<Posted['error']>
/** What became of an event for one webhook; `left_out`: there was no room. */
export type DeliveryOutcome = 'queued' | 'delivered' | 'failed' | 'left_out'

/** Since the start. */
export interface WebhookCounts {
  readonly attempts: ReadonlyMap<AttemptOutcome, number>
  readonly attemptMs: number
  readonly deliveries: ReadonlyMap<DeliveryOutcome, number>
  readonly disabled: number
}

export interface WebhookCounter {
  readonly counts: WebhookCounts
  attempted(outcome: AttemptOutcome, durationMs: number): void
  became(outcome: DeliveryOutcome): void
  disabled(): void
}

/** Counts in memory, in all and never by project. */
export function createWebhookCounter(): WebhookCounter {
  const attempts = new Map<AttemptOutcome, number>()
  const deliveries = new Map<DeliveryOutcome, number>()
  let attemptMs = 0
  let disabled = 0
  return {
    get counts() {
      return { attempts, deliveries, attemptMs, disabled }
    },
    attempted(outcome, durationMs) {
      attempts.set(outcome, (attempts.get(outcome) ?? 0) + 1)
      attemptMs += durationMs
    },
    became: (outcome) => void deliveries.set(outcome, (deliveries.get(outcome) ?? 0) + 1),
    disabled: () => void (disabled += 1),
  }
}
