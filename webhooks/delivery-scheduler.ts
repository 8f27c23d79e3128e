import type { DeliveryQueue, DueDelivery, Waiting } from '../db/webhooks/deliveries.ts'

/** One webhook, and how it is with it. */
export interface Lane extends Waiting {
  /** Ids of what is being sent. */
  readonly inFlight: Set<string>
  /** When the next one that waits wants to be sent; Infinity: nothing waits. */
  dueAtMs: number
  /** Until then it rests. */
  restsUntilMs: number
  /** In a row. */
  failures: number
  /** The last attempt arrived. Whoever has not shown that gets one at a time, and a part of the places only. */
  isProven: boolean
}

export interface DeliveryScheduler {
  /** Something new waits for a webhook, or may. */
  touch(waiting: Waiting): Lane
  /** The next delivery of a webhook whose turn it is, and its lane; null when there is none now. */
  take(nowMs: number): Taken | null
  /**
   * For how long there is nothing to take, where `take` gave nothing. Infinity: nothing waits, or only for a place, of
   * which its end tells.
   */
  idleMs(nowMs: number): number
}

export interface Taken {
  readonly lane: Lane
  readonly delivery: DueDelivery
}

/** At once, of all projects together: what takes ten seconds each must not take all of them. */
const MOST_IN_FLIGHT = 32
const MOST_UNPROVEN = 16
const MOST_EACH = 4

/**
 * Which delivery comes next. Webhooks take turns; one that fails keeps others from nothing, since it has one place at
 * most, and all that fail have half of them. What waits is in the database: here is one small thing for each webhook.
 */
export function createDeliveryScheduler(queue: Pick<DeliveryQueue, 'upcoming'>): DeliveryScheduler {
  const lanes = new Map<string, Lane>()

  const inFlight = (which: (lane: Lane) => boolean) =>
    [...lanes.values()].filter(which).reduce((sum, lane) => sum + lane.inFlight.size, 0)

  function hasPlace(lane: Lane): boolean {
    return lane.inFlight.size < (lane.isProven ? MOST_EACH : 1)
  }

  const wantedAtMs = (lane: Lane) => (hasPlace(lane) ? Math.max(lane.dueAtMs, lane.restsUntilMs) : Infinity)

  /** The first that waits and is not being sent; its time becomes the lane's. */
  function peek(lane: Lane): DueDelivery | undefined {
    const { projectId, webhookId } = lane
    const found = queue.upcoming(projectId, webhookId, lane.inFlight.size + 1)
    const next = found.find(({ id }) => !lane.inFlight.has(id))
    lane.dueAtMs = next?.nextAtMs ?? Infinity
    // That it works is worth to be known; all else is forgotten with what waited.
    if (!next && lane.inFlight.size === 0 && !lane.isProven) lanes.delete(lane.webhookId)
    return next
  }

  function turnOf(lane: Lane): void {
    // The last one served goes behind the others.
    lanes.delete(lane.webhookId)
    lanes.set(lane.webhookId, lane)
  }

  return {
    touch({ projectId, webhookId }) {
      const fresh = { inFlight: new Set<string>(), restsUntilMs: 0, failures: 0, isProven: false }
      const lane = lanes.get(webhookId) ?? { projectId, webhookId, ...fresh, dueAtMs: 0 }
      lane.dueAtMs = 0
      lanes.set(webhookId, lane)
      return lane
    },
    take(nowMs) {
      const freePlaces = MOST_IN_FLIGHT - inFlight(() => true)
      const freeUnproven = MOST_UNPROVEN - inFlight(({ isProven }) => !isProven)
      if (freePlaces <= 0) return null
      for (const lane of lanes.values()) {
        if (wantedAtMs(lane) > nowMs || (!lane.isProven && freeUnproven <= 0)) continue
        const delivery = peek(lane)
        if (!delivery || delivery.nextAtMs > nowMs) continue
        turnOf(lane)
        lane.inFlight.add(delivery.id)
        return { lane, delivery }
      }
      return null
    },
    idleMs: (nowMs) =>
      lanes
        .values()
        .map((lane) => wantedAtMs(lane) - nowMs)
        .filter((ms) => ms > 0)
        .reduce((first, ms) => Math.min(first, ms), Infinity),
  }
}
