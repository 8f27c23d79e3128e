import { setTimeout as sleep } from 'node:timers/promises'
import type { EventBus, ProjectEvent } from '../../bot/events.ts'
import type { DeliveryQueue } from '../../db/webhooks/deliveries.ts'
import type { DeliveryAttempt } from '../../db/webhooks/delivery.ts'
import type { Logger } from '../../lib/log.ts'
import type { WebhookHooks } from '../../lib/telemetry-hooks.ts'
import { messageOf } from './message.ts'
import { createPollLoop, type PollLoop } from './poll-loop.ts'
import { createMarks } from '../../lib/sharing/marks.ts'

interface OutboxOptions {
  readonly events: Pick<EventBus, 'subscribe'>
  readonly queue: Pick<DeliveryQueue, 'publish'>
  readonly observer: WebhookHooks
  readonly log: Logger
  readonly now: () => number
  /** Something waits for a webhook. */
  readonly onQueued: (projectId: string, webhookId: string) => void
}

/** Events handled in a turn. With ten webhooks each, a turn stays at a few milliseconds. */
const EVENTS_PER_TURN = 10
/** While the database cannot be written; beyond that the oldest are given up. */
const MOST_EVENTS = 5000
/** When the service ends, a database that fails for a moment, as it does when it changes hands, is asked again. */
const CLOSE_ATTEMPTS = 10
const CLOSE_RETRY_MS = 200

/**
 * Takes events off the bus and puts them into the database, for each webhook that wants to hear of them. Writes in the
 * next turn of the event loop: the emitter does not wait for the disk, and a kill has next to nothing to take.
 */
export function createOutbox({ events, queue, observer, log, now, onQueued }: OutboxOptions) {
  const gathered: DeliveryAttempt[] = []
  /** Webhooks that had no room at the last event, so that the log says it once. */
  const full = new Set<string>()
  const marks = createMarks()
  let isFailing = false

  async function publish(happening: DeliveryAttempt): Promise<void> {
    const { projectId } = happening
    for (const { webhookId, outcome } of await queue.publish(happening)) {
      if (outcome === 'known') continue
      observer.webhookDelivery(outcome === 'full' ? 'left_out' : 'queued')
      if (outcome === 'queued') full.delete(webhookId)
      else if (!full.has(webhookId)) log.warn({ projectId, webhookId }, 'webhook events dropped: queue full')
      if (outcome === 'full') full.add(webhookId)
      onQueued(projectId, webhookId)
    }
  }
  function drop(): void {
    gathered.shift()
    marks.pass(1)
  }

  async function write(): Promise<number> {
    for (const happening of gathered.slice(0, EVENTS_PER_TURN)) {
      await publish(happening)
      // The event may have been given up in the meantime.
      if (gathered[0] === happening) drop()
    }
    isFailing = false
    return gathered.length > 0 ? 0 : Infinity
  }

  const pump = createPollLoop(write, (err) => {
    if (!isFailing) log.warn({ err }, 'saving webhook events failed')
    isFailing = true
    marks.release()
  })

  function hear(event: ProjectEvent): void {
    // The service where it happened queues it, for whichever service sends it.
    if (event.isFromPeer) return
    if (gathered.push(messageOf(event, now())) > MOST_EVENTS) {
      drop()
      log.error({ event: event.event.type }, 'webhook event dropped')
    }
    // A database that is held would hold us up at every event.
    if (!isFailing) pump.soon()
  }

  const unsubscribe = events.subscribe(hear, async () => isFailing || marks.after(gathered.length))
  return {
    /** Writes the rest and listens no more. */
    async close() {
      unsubscribe()
      await finish(pump, gathered)
      if (gathered.length > 0) log.error({ events: gathered.length }, 'webhook events lost at the end')
    },
  }
}

/** Writes what was gathered, at several attempts if need be. */
async function finish(pump: Pick<PollLoop, 'finish'>, gathered: readonly DeliveryAttempt[]): Promise<void> {
  await pump.finish()
  for (let failures = 0; gathered.length > 0 && failures < CLOSE_ATTEMPTS;) {
    const before = gathered.length
    await pump.finish()
    if (gathered.length < before) continue
    failures += 1
    await sleep(CLOSE_RETRY_MS)
  }
}
