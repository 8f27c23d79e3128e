import type { EventBus } from '../bot/events.ts'
import { HOMEPAGE, VERSION } from '../lib/identity.ts'
import type { Logger } from '../lib/log.ts'
import type { WebhookHooks } from '../lib/telemetry-hooks.ts'
import type { Repositories } from '../db/repositories.ts'
import { guardDiscord } from '../upstream/discord/discord-fetch.ts'
import type { Egress } from '../upstream/egress/egress-guard.ts'
import { SCHEDULE } from '../api/webhooks/retry-policy.ts'
import { openWebhooks as open, type OpenWebhooks } from '../api/webhooks/webhook-service.ts'

interface Parts {
  readonly stores: Pick<Repositories, 'webhooks' | 'deliveries' | 'senderLeases' | 'people'>
  readonly events: EventBus
  readonly egress: Pick<Egress, 'dispatcher'>
  readonly observer: WebhookHooks
  readonly log: Logger
}

/** Opened before all emitters, which makes it the last to close: it misses no event. */
export function openWebhooks(
  { stores, events, egress, observer, log }: Parts,
  opening: AsyncDisposableStack,
): OpenWebhooks {
  const { webhooks, deliveries, senderLeases: leases, people } = stores
  const options = {
    webhooks,
    deliveries,
    leases,
    events,
    dispatcher: guardDiscord(egress.dispatcher),
    observer,
    schedule: SCHEDULE,
    userAgent: `Bandstand/${VERSION} (webhooks; ${HOMEPAGE})`,
    log,
    now: Date.now,
    random: Math.random,
  }
  const onDisabled = async (projectId: string, webhookId: string, reason: string) => {
    const by = { projectId, accountId: null, who: 'Bandstand', address: '' }
    await people.audit.write({ ...by, action: 'webhook.disabled', target: webhookId, detail: { reason } })
  }
  return opening.adopt(open({ ...options, onDisabled }), (it) => it.close())
}
