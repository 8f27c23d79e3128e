import type { HeldWebhooks } from './held-webhooks.ts'
import type { DeliveryQueue } from '../../db/webhooks/deliveries.ts'
import type { DueDelivery, Waiting } from '../../db/webhooks/delivery.ts'

/** One webhook, and how it is with it. */
export interface PendingWebhook extends Waiting {
  /** Ids of what is being sent. */
  readonly inFlight: Set<string>
  /** When the next one that waits wants to be sent; Infinity: nothing waits. */
  dueAtMs: number
  /** Until then it rests. */
  restsUntilMs: number
  /** In a row. */
  failures: number
  /** The last attempt arrived. Other webhooks get one at a time, and a part of the places only. */
  isProven: boolean
}

export type DeliveryScheduler = ReturnType<typeof createDeliveryScheduler>

export interface Taken {
  readonly pending: PendingWebhook
  readonly delivery: DueDelivery
}

/** At once, of all projects together: what takes ten seconds each must not take all of them. */
const MOST_IN_FLIGHT = 32
const MOST_UNPROVEN = 16
const MOST_EACH = 4
/** A webhook for which something is due later than this is for any service to send to. */
const HOLD_MS = 60_000

function hasPlace(pending: PendingWebhook): boolean {
  return pending.inFlight.size < (pending.isProven ? MOST_EACH : 1)
}

function wantedAtMs(pending: PendingWebhook): number {
  return hasPlace(pending) ? Math.max(pending.dueAtMs, pending.restsUntilMs) : Infinity
}

/**
 * Chooses the next delivery. Webhooks take turns; a failing one does not hold up others, since it has one place at
 * most, and all failing ones share half of the places. Waiting deliveries are in the database: memory holds one small
 * entry per webhook.
 */
export function createDeliveryScheduler(
  queue: Pick<DeliveryQueue, 'upcoming'>,
  held: Pick<HeldWebhooks, 'acquire' | 'release'>,
) {
  const webhooks = new Map<string, PendingWebhook>()
  const parts = { queue, held, webhooks }

  const inFlight = (which: (pending: PendingWebhook) => boolean) =>
    [...webhooks.values()].filter(which).reduce((sum, pending) => sum + pending.inFlight.size, 0)

  function turnOf(pending: PendingWebhook): void {
    // The last one served goes behind the others.
    webhooks.delete(pending.webhookId)
    webhooks.set(pending.webhookId, pending)
  }

  return {
    /** Something new waits for a webhook, or may, at this time. */
    touch({ projectId, webhookId }: Waiting, dueAtMs = 0): PendingWebhook {
      const fresh = { inFlight: new Set<string>(), restsUntilMs: 0, failures: 0, isProven: false }
      const pending = webhooks.get(webhookId) ?? { projectId, webhookId, ...fresh, dueAtMs }
      pending.dueAtMs = Math.min(pending.dueAtMs, dueAtMs)
      webhooks.set(webhookId, pending)
      return pending
    },
    /** The next due delivery, with its webhook; null if none is due. One call at a time. */
    async take(nowMs: number): Promise<Taken | null> {
      const freePlaces = MOST_IN_FLIGHT - inFlight(() => true)
      const freeUnproven = MOST_UNPROVEN - inFlight(({ isProven }) => !isProven)
      if (freePlaces <= 0) return null
      for (const pending of webhooks.values()) {
        if (wantedAtMs(pending) > nowMs || (!pending.isProven && freeUnproven <= 0)) continue
        if (!(await held.acquire(pending))) {
          forget(parts, pending)
          continue
        }
        const delivery = await peek(parts, pending, nowMs)
        if (!delivery || delivery.nextAtMs > nowMs) continue
        turnOf(pending)
        pending.inFlight.add(delivery.id)
        return { pending, delivery }
      }
      return null
    },
    /**
     * Time until there is something to take, after `take` returned null. Infinity if nothing waits, or only for a place:
     * the end of a delivery frees that.
     */
    idleMs: (nowMs: number): number =>
      webhooks
        .values()
        .map((pending) => wantedAtMs(pending) - nowMs)
        .filter((ms) => ms > 0)
        .reduce((first, ms) => Math.min(first, ms), Infinity),
  }
}

interface Parts {
  readonly queue: Pick<DeliveryQueue, 'upcoming'>
  readonly held: Pick<HeldWebhooks, 'release'>
  readonly webhooks: Map<string, PendingWebhook>
}

/** The first that waits and is not being sent; the webhook is due at its time. */
async function peek(parts: Parts, pending: PendingWebhook, nowMs: number): Promise<DueDelivery | undefined> {
  const { projectId, webhookId } = pending
  pending.dueAtMs = Infinity
  // One whose attempt ends in the meantime may be found as it was before.
  const busy = new Set(pending.inFlight)
  const found = await parts.queue.upcoming(projectId, webhookId, busy.size + 1)
  const next = found.find(({ id }) => !busy.has(id))
  // A delivery that came in the meantime has made it due immediately.
  pending.dueAtMs = Math.min(pending.dueAtMs, next?.nextAtMs ?? Infinity)
  if (pending.inFlight.size === 0 && pending.dueAtMs > nowMs + HOLD_MS) await letGo(parts, pending)
  return next
}

async function letGo({ held, webhooks }: Parts, pending: PendingWebhook): Promise<void> {
  if (!(await held.release(pending))) pending.dueAtMs = 0
  // That it works is worth to be known; all else is forgotten with what waited.
  else if (pending.dueAtMs === Infinity && !pending.isProven) webhooks.delete(pending.webhookId)
}

/** Another service sends to it. */
function forget({ webhooks }: Pick<Parts, 'webhooks'>, pending: PendingWebhook): void {
  pending.dueAtMs = Infinity
  if (pending.inFlight.size === 0) webhooks.delete(pending.webhookId)
}
