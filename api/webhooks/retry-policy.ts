import { isDelivered } from '../../db/webhooks/deliveries.ts'
import { MAX_TRIES } from '../../db/webhooks/delivery-sql.ts'
import type { DisabledReason } from '../../db/webhooks/webhooks.ts'
import type { Posted } from './http-post.ts'

/** When to try again. Tests have shorter ones. */
export interface Schedule {
  /** After each attempt that failed, the first one first; the last one holds for all that follow. */
  readonly delaysMs: readonly number[]
  /** Backoff of a webhook after its first failure in a row; doubles with each further one. */
  readonly restMs: number
  /** Longest backoff. */
  readonly mostRestMs: number
  /** Nothing was delivered for this long: it is disabled. */
  readonly failingMs: number
}

export const SCHEDULE: Schedule = {
  delaysMs: [5000, 30_000, 120_000, 600_000, 3_600_000, 21_600_000],
  restMs: 500,
  mostRestMs: 60_000,
  failingMs: 5 * 86_400_000,
}

/** The longest that a receiver may make us wait. */
const MOST_ASKED_MS = 86_400_000

/** When to try again, on the wall clock; null: never. `random` is 0 to 1. */
export function nextAtMs(
  { delaysMs }: Schedule,
  posted: Posted,
  triesLeft: number,
  { nowMs, random }: { readonly nowMs: number; readonly random: number },
): number | null {
  if (isDelivered(posted) || triesLeft <= 1 || posted.status === 410) return null
  const delayMs = delaysMs[Math.min(MAX_TRIES - triesLeft, delaysMs.length - 1)] ?? 0
  // Deliveries that failed together must not be retried together.
  const spreadMs = delayMs * (0.8 + random * 0.4)
  return Math.round(nowMs + Math.max(spreadMs, askedMs(posted)))
}

/** Backoff of a webhook after so many failures in a row, to spare a receiver that is down. */
export function restMs({ restMs, mostRestMs }: Schedule, posted: Posted, failures: number): number {
  return Math.max(Math.min(restMs * 2 ** (failures - 1), mostRestMs), askedMs(posted))
}

/** Whether it is the end of the webhook. */
export function whyDisable(
  { failingMs }: Schedule,
  posted: Posted,
  failingSinceMs: number | null,
): DisabledReason | null {
  if (isDelivered(posted)) return null
  if (posted.status === 410) return 'gone'
  return failingSinceMs !== null && posted.atMs - failingSinceMs >= failingMs ? 'failing' : null
}

function askedMs({ retryAfterMs }: Posted): number {
  return Math.min(retryAfterMs ?? 0, MOST_ASKED_MS)
}
