import type { DeliveryQueue } from '../db/webhooks/deliveries.ts'
import type { DueDelivery, Waiting } from '../db/webhooks/delivery.ts'

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

export interface DeliveryScheduler {
  /** Something new waits for a webhook, or may. */
  touch(waiting: Waiting): PendingWebhook
  /** The next due delivery, with its webhook; null if none is due. One call at a time. */
  take(nowMs: number): Promise<Taken | null>
  /**
   * For how long there is nothing to take, where `take` gave nothing. Infinity: nothing waits, or only for a place, of
   * which its end tells.
   */
  idleMs(nowMs: number): number
}

export interface Taken {
  readonly pending: PendingWebhook
  readonly delivery: DueDelivery
}

/** At once, of all projects together: what takes ten seconds each must not take all of them. */
const MOST_IN_FLIGHT = 32
const MOST_UNPROVEN = 16
const MOST_EACH = 4

function hasPlace(pending: PendingWebhook): boolean {
  return pending.inFlight.size < (pending.isProven ? MOST_EACH : 1)
}

function wantedAtMs(pending: PendingWebhook): number {
  return hasPlace(pending) ? Math.max(pending.dueAtMs, pending.restsUntilMs) : Infinity
}

/**
 * Which delivery comes next. Webhooks take turns; one that fails keeps others from nothing, since it has one place at
 * most, and all that fail have half of them. What waits is in the database: here is one small thing for each webhook.
 */
export function createDeliveryScheduler(queue: Pick<DeliveryQueue, 'upcoming'>): DeliveryScheduler {
  const webhooks = new Map<string, PendingWebhook>()

  const inFlight = (which: (pending: PendingWebhook) => boolean) =>
    [...webhooks.values()].filter(which).reduce((sum, pending) => sum + pending.inFlight.size, 0)

  /** The first that waits and is not being sent; the webhook is due at its time. */
  async function peek(pending: PendingWebhook): Promise<DueDelivery | undefined> {
    const { projectId, webhookId } = pending
    pending.dueAtMs = Infinity
    const found = await queue.upcoming(projectId, webhookId, pending.inFlight.size + 1)
    const next = found.find(({ id }) => !pending.inFlight.has(id))
    // What came in the meantime made it due at once.
    pending.dueAtMs = Math.min(pending.dueAtMs, next?.nextAtMs ?? Infinity)
    const isOver = pending.dueAtMs === Infinity && pending.inFlight.size === 0
    // That it works is worth to be known; all else is forgotten with what waited.
    if (isOver && !pending.isProven) webhooks.delete(pending.webhookId)
    return next
  }

  function turnOf(pending: PendingWebhook): void {
    // The last one served goes behind the others.
    webhooks.delete(pending.webhookId)
    webhooks.set(pending.webhookId, pending)
  }

  return {
    touch({ projectId, webhookId }) {
      const fresh = { inFlight: new Set<string>(), restsUntilMs: 0, failures: 0, isProven: false }
      const pending = webhooks.get(webhookId) ?? { projectId, webhookId, ...fresh, dueAtMs: 0 }
      pending.dueAtMs = 0
      webhooks.set(webhookId, pending)
      return pending
    },
    async take(nowMs) {
      const freePlaces = MOST_IN_FLIGHT - inFlight(() => true)
      const freeUnproven = MOST_UNPROVEN - inFlight(({ isProven }) => !isProven)
      if (freePlaces <= 0) return null
      for (const pending of webhooks.values()) {
        if (wantedAtMs(pending) > nowMs || (!pending.isProven && freeUnproven <= 0)) continue
        const delivery = await peek(pending)
        if (!delivery || delivery.nextAtMs > nowMs) continue
        turnOf(pending)
        pending.inFlight.add(delivery.id)
        return { pending, delivery }
      }
      return null
    },
    idleMs: (nowMs) =>
      webhooks
        .values()
        .map((pending) => wantedAtMs(pending) - nowMs)
        .filter((ms) => ms > 0)
        .reduce((first, ms) => Math.min(first, ms), Infinity),
  }
}
