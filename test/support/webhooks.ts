import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { Registry } from 'prom-client'
import { createEventBus } from '../../bot/event-bus.ts'
import { createBotRecords } from '../../db/projects/bots.ts'
import { createProjects } from '../../db/projects/projects.ts'
import { createVault } from '../../db/engine/vault.ts'
import { createDeliveries } from '../../db/webhooks/deliveries.ts'
import { createSenderLeases } from '../../db/webhooks/sender-leases.ts'
import { createWebhooks, WEBHOOK_EVENTS, type NewWebhook, type WebhookChoice } from '../../db/webhooks/webhooks.ts'
import { createLog } from '../../lib/log.ts'
import { createMetrics } from '../../service/telemetry/metrics.ts'
import { createEgress, type EgressOptions } from '../../upstream/egress/egress-guard.ts'
import { SCHEDULE, type Schedule } from '../../api/webhooks/retry-policy.ts'
import { openWebhooks } from '../../api/webhooks/webhook-service.ts'
import { temporaryDatabase } from './database.ts'
import { eventually } from './service.ts'
import { serve } from './web.ts'

export interface Received {
  readonly headers: IncomingHttpHeaders
  readonly body: string
  readonly path: string
}

export interface Receiver {
  readonly url: string
  readonly port: number
  /** Received deliveries, the first one first. */
  readonly received: Received[]
  /** Waits until so many have come. */
  count(wanted: number): Promise<readonly Received[]>
  close(): Promise<void>
}

/** Anyone who gets webhooks: a real server, which answers 200 by default. */
export async function startReceiver(
  answer: (response: ServerResponse, received: Received) => void = (response) => void response.end('thanks'),
): Promise<Receiver> {
  const received: Received[] = []
  const take = async (request: IncomingMessage, response: ServerResponse) => {
    const one = { headers: request.headers, body: await text(request), path: request.url ?? '' }
    received.push(one)
    answer(response, one)
  }
  const server = await serve((request, response) => void take(request, response))
  return {
    url: `${server.url}/hook`,
    port: server.port,
    received,
    count: (wanted) =>
      eventually(
        () => received,
        ({ length }) => length >= wanted,
      ),
    close: () => server.close(),
  }
}

/**
 * Verifies a delivery as the specification of Standard Webhooks says, and with nothing of ours: by Web Crypto.
 * @returns whether one of the signatures is by this secret.
 */
export async function isSignedBy(secret: string, { headers, body }: Received): Promise<boolean> {
  const raw = Uint8Array.from(atob(secret.replace('whsec_', '')), (char) => char.charCodeAt(0))
  const key = await crypto.subtle.importKey('raw', raw, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
  const signed = [headers['webhook-id'], headers['webhook-timestamp'], body].join('.')
  const content = new TextEncoder().encode(signed)
  const verdicts = String(headers['webhook-signature'])
    .split(' ')
    .map((signature) => {
      const [version, value = ''] = signature.split(',')
      if (version !== 'v1') throw new Error(`A signature of the version ${version}.`)
      const bytes = Uint8Array.from(atob(value), (char) => char.charCodeAt(0))
      return crypto.subtle.verify('HMAC', key, bytes, content)
    })
  return (await Promise.all(verdicts)).includes(true)
}

/** The part of the service that sends webhooks, over a real database, with a real way out. */
export function startPost(options: Partial<EgressOptions> & { readonly schedule?: Partial<Schedule> } = {}) {
  const database = temporaryDatabase()
  const { db, store, dataDir } = database
  const clock = { aheadMs: 0 }
  const now = () => Date.now() + clock.aheadMs
  const vault = createVault({ tokenKey: '07'.repeat(32), dataDir })
  const webhooks = createWebhooks(store, vault, now)
  const deliveries = createDeliveries(store, now)
  const projects = createProjects(store)
  const bots = createBotRecords(store, vault)
  const log = createLog('silent')
  const disabled: string[] = []
  const registry = new Registry()
  const observer = createMetrics(registry)
  const { allowHosts = ['127.0.0.1'], lookup } = options
  const start = () => {
    const events = createEventBus({ log })
    const egress = createEgress({ allowHosts, ...(lookup && { lookup }) })
    const open = openWebhooks({
      webhooks,
      deliveries,
      leases: createSenderLeases(store),
      events,
      dispatcher: egress.dispatcher,
      observer,
      schedule: { ...SCHEDULE, delaysMs: [20, 20, 20, 20, 20, 20], restMs: 1, mostRestMs: 30, ...options.schedule },
      userAgent: 'Bandstand/test',
      log,
      now,
      random: () => 0.5,
      onDisabled: async (_, webhookId, reason) => void disabled.push(`${webhookId} ${reason}`),
    })
    return { ...open, events, close: () => open.close().then(() => egress.close()) }
  }
  let running = start()

  return {
    db,
    store,
    clock,
    webhooks,
    deliveries,
    disabled,
    registry,
    project: async (name = 'Ours') => (await projects.create({ name, plan: 'standard' })).id,
    bot: async (projectId: string, id: string) =>
      (await bots.add({ id, projectId, name: 'Horn', token: 'abcdefghijkl' })).id,
    hook(projectId: string, url: string, choice: Partial<WebhookChoice> = {}): Promise<NewWebhook> {
      return webhooks.create(projectId, { url, description: '', events: WEBHOOK_EVENTS, botIds: null, ...choice })
    },
    get office() {
      return running
    },
    /** Tells of a queue that is empty, which is an event like any other. */
    emit(projectId: string, botId = '1', guildId = '2') {
      running.events.emit({ projectId, event: { type: 'queueEmptied', botId, guildId } })
    },
    /** Waits until the last delivery of a webhook is as wanted. */
    async last(projectId: string, webhookId: string, isIt: (state: string, attempts: number) => boolean) {
      return eventually(
        async () => (await deliveries.list({ projectId, webhookId, state: null, before: null, limit: 1 }))[0],
        (delivery) => delivery !== undefined && isIt(delivery.state, delivery.attempts),
      )
    },
    async restart() {
      await running.close()
      running = start()
    },
    async close() {
      await running.close()
      database.close()
    },
  }
}
