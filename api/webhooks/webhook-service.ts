import { setTimeout as sleep } from 'node:timers/promises'
import type { EventBus } from '../../bot/events.ts'
import { newDeliveryId, type DeliveryLog, type DeliveryQueue } from '../../db/webhooks/deliveries.ts'
import type { Waiting, WholeDelivery } from '../../db/webhooks/delivery.ts'
import type { Webhooks } from '../../db/webhooks/webhooks.ts'
import { testBody } from './message.ts'
import { createOutbox } from './outbox.ts'
import { createSender, type SenderOptions } from './sender.ts'

/** Operations on webhooks. */
export interface WebhookService {
  readonly webhooks: Webhooks
  readonly deliveries: Omit<DeliveryLog, 'queue'>
  /**
   * Sends an event of no meaning and waits a moment for the answer.
   * @returns the id of the delivery; null: there is no room, since too many wait.
   */
  sendTest(projectId: string, webhookId: string): Promise<string | null>
  /** Looks at once what is to be sent, after a person changed something, and waits a moment for one delivery. */
  wake(projectId: string, webhookId: string, deliveryId?: string): Promise<void>
}

export interface OpenWebhooks extends WebhookService {
  readonly counts: () => Promise<{ readonly webhooks: number; readonly waiting: number }>
  /** Takes the events emitted so far; what is not delivered within a second is at the next start. */
  close(): Promise<void>
}

interface WebhookOptions extends Omit<SenderOptions, 'webhooks' | 'queue'> {
  readonly webhooks: Webhooks
  readonly deliveries: DeliveryQueue
  readonly events: Pick<EventBus, 'subscribe'>
}

/** Time for a test delivery before the page shows that it is still under way. */
const PATIENCE_MS = 2500
const LOOK_EVERY_MS = 250
const PRUNE_EVERY_MS = 60_000
const PRUNED_AT_ONCE = 200

/** Tells the addresses of projects what happens to their players and jobs. */
export function openWebhooks({ webhooks, deliveries, events, ...options }: WebhookOptions): OpenWebhooks {
  const sender = createSender({ ...options, webhooks, queue: deliveries })
  const { log, now, observer, leases } = options
  const onQueued = sender.poke.bind(sender)
  const outbox = createOutbox({ events, queue: deliveries, observer, log, now, onQueued })

  const pruning = setInterval(() => {
    deliveries
      .prune(PRUNED_AT_ONCE)
      .catch((err: unknown) => log.warn({ err }, 'removing old webhook deliveries failed'))
  }, PRUNE_EVERY_MS)

  /** Here, or by another service. */
  async function attempted({ projectId, webhookId }: Waiting, id: string): Promise<void> {
    const here = sender.attempted(id, PATIENCE_MS)
    if (!leases.isShared) return here
    const elsewhere = attemptedElsewhere(() => deliveries.find(projectId, webhookId, id))
    await Promise.race([here, elsewhere])
  }

  async function wake(projectId: string, webhookId: string, deliveryId?: string): Promise<void> {
    sender.wake(projectId, webhookId)
    if (leases.isShared) await leases.wake({ projectId, webhookId })
    if (deliveryId !== undefined) await attempted({ projectId, webhookId }, deliveryId)
  }

  return {
    webhooks,
    deliveries,
    async sendTest(projectId, webhookId) {
      const id = newDeliveryId()
      const test = { projectId, webhookId, id, type: 'test', body: testBody(webhookId, now()) } as const
      if ((await deliveries.queue(test)) !== 'queued') return null
      observer.webhookDelivery('queued')
      await wake(projectId, webhookId, id)
      return id
    },
    wake,
    counts: async () => ({ webhooks: await webhooks.count(), waiting: await deliveries.countWaiting() }),
    async close() {
      clearInterval(pruning)
      await outbox.close()
      await sender.close()
    },
  }
}

/** Waits until a delivery was tried once more, or does not wait any longer. */
async function attemptedElsewhere(find: () => Promise<WholeDelivery | null>): Promise<void> {
  const before = await find()
  for (let waitedMs = 0; waitedMs < PATIENCE_MS; waitedMs += LOOK_EVERY_MS) {
    const found = await find()
    if (found?.state !== 'pending' || found.attempts !== before?.attempts) return
    await sleep(LOOK_EVERY_MS)
  }
}
