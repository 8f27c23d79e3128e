import { setTimeout as sleep } from 'node:timers/promises'
import type { Dispatcher } from 'undici'
import { isDelivered, type DeliveryQueue } from '../../db/webhooks/deliveries.ts'
import type { SenderLeases } from '../../db/webhooks/sender-leases.ts'
import { UnreadableSecret, type DisabledReason, type Webhooks } from '../../db/webhooks/webhooks.ts'
import { Fault } from '../../lib/errors.ts'
import { settleWithin } from '../../lib/deadline.ts'
import type { Logger } from '../../lib/log.ts'
import type { WebhookHooks } from '../../lib/telemetry-hooks.ts'
import {
  createDeliveryScheduler,
  type DeliveryScheduler,
  type PendingWebhook,
  type Taken,
} from './delivery-scheduler.ts'
import { createHeldWebhooks, type HeldWebhooks } from './held-webhooks.ts'
import { post, type Posted } from './http-post.ts'
import { createPollLoop } from './poll-loop.ts'
import { nextAtMs, restMs, whyDisable, type Schedule } from './retry-policy.ts'
import { signatureOf } from './signature.ts'
import { createWaiters } from './waiters.ts'

export interface SenderOptions {
  readonly webhooks: Pick<Webhooks, 'secrets' | 'disable'>
  readonly queue: Pick<DeliveryQueue, 'waiting' | 'upcoming' | 'attempted'>
  readonly leases: SenderLeases
  /** Dials public addresses alone, and follows no redirect. */
  readonly dispatcher: Pick<Dispatcher, 'request'>
  readonly observer: WebhookHooks
  readonly schedule: Schedule
  readonly userAgent: string
  readonly log: Logger
  readonly now: () => number
  /** 0 to 1; spreads the retries. */
  readonly random: () => number
  readonly onDisabled: (projectId: string, webhookId: string, reason: DisabledReason) => Promise<void>
}

type SendOptions = SenderOptions & { readonly held: Pick<HeldWebhooks, 'isHeld'> }

const DEADLINE_MS = 10_000
/** An attempt costs this thread half a millisecond; a backlog must not cost it more than a tenth of its time. */
const STARTS_PER_TURN = 10
const TURN_MS = 50
const AFTER_TROUBLE_MS = 1000
const GRACE_MS = 1000

/** Sends what waits in the database, and writes there what came of it. A kill loses nothing. */
export function createSender(options: SenderOptions) {
  const { queue, log, now } = options
  const held = createHeldWebhooks({
    ...options,
    onDue(of, { atMs, isWoken }) {
      const pending = webhooks.touch(of, atMs)
      if (isWoken) pending.restsUntilMs = 0
      pump.soon()
    },
  })
  const webhooks = createDeliveryScheduler(queue, held)
  const waiters = createWaiters()
  const attempts = createAttempts({ ...options, held }, ({ delivery }) => {
    waiters.tell(delivery.id)
    pump.soon()
  })
  const pace = createStartLimit()
  const load = createLoader(queue, webhooks)
  const pump = createPollLoop(startSome, (err) => log.warn({ err }, 'webhook delivery loop failed'))

  /** @returns when to look again. */
  async function startSome(): Promise<number> {
    await load()
    while (pace.mayGo()) {
      const nowMs = now()
      const taken = await webhooks.take(nowMs)
      if (!taken) return webhooks.idleMs(nowMs)
      pace.went()
      attempts.start(taken)
    }
    return TURN_MS
  }

  function poke(projectId: string, webhookId: string): PendingWebhook {
    const pending = webhooks.touch({ projectId, webhookId })
    pump.soon()
    return pending
  }

  pump.soon()
  return {
    /** Something waits for a webhook. */
    poke: (projectId: string, webhookId: string) => void poke(projectId, webhookId),
    /** The same after a person did something: it does not rest any longer. */
    wake: (projectId: string, webhookId: string) => void (poke(projectId, webhookId).restsUntilMs = 0),
    /** Waits until the attempt at a delivery that comes next is over, or for this long. */
    attempted: (deliveryId: string, patienceMs: number): Promise<void> => waiters.wait(deliveryId, patienceMs),
    /** Ends in about a second; what is not delivered by then is at the next start. */
    async close() {
      // Flushes events that the stop itself emitted.
      await pump.finish()
      await attempts.close()
      await held.close()
    },
  }
}

/** The attempts that are under way. */
function createAttempts(options: SendOptions, onEnd: (taken: Taken) => void) {
  const { log, now } = options
  const stopping = new AbortController()
  const sending = new Set<Promise<void>>()
  return {
    start(taken: Taken): void {
      const { pending, delivery } = taken
      const work = send(options, taken, stopping.signal)
        .catch((err: unknown) => {
          log.warn({ err, webhookId: pending.webhookId, deliveryId: delivery.id }, 'saving webhook attempt failed')
          pending.restsUntilMs = now() + AFTER_TROUBLE_MS
        })
        .finally(() => {
          pending.inFlight.delete(delivery.id)
          pending.dueAtMs = 0
          sending.delete(work)
          onEnd(taken)
        })
      sending.add(work)
    },
    async close(): Promise<void> {
      await settleWithin(GRACE_MS, Promise.all(sending))
      stopping.abort()
      await Promise.all(sending)
    },
  }
}

/** Takes up what waited at the start, once. */
function createLoader(queue: SenderOptions['queue'], webhooks: DeliveryScheduler): () => Promise<void> {
  let isLoaded = false
  return async () => {
    if (isLoaded) return
    for (const waiting of await queue.waiting()) webhooks.touch(waiting)
    isLoaded = true
  }
}

/** Limits the starts in each turn. */
function createStartLimit() {
  let atMs = -Infinity
  let started = 0
  return {
    mayGo(): boolean {
      const nowMs = performance.now()
      if (nowMs - atMs >= TURN_MS) [atMs, started] = [nowMs, 0]
      return started < STARTS_PER_TURN
    },
    went: () => void (started += 1),
  }
}

/** One attempt from its signature to what is written down of it. */
async function send(options: SendOptions, { pending, delivery }: Taken, signal: AbortSignal): Promise<void> {
  const { queue, schedule, now, random } = options
  const { projectId, webhookId } = pending
  const posted = await attempt(options, { pending, delivery }, signal)
  // Stopped in the middle of it: it was not tried, as far as anybody knows.
  if (!posted) return
  const { retryAfterMs: _, ...made } = posted
  const times = { nowMs: now(), random: random() }
  const againAtMs = nextAtMs(schedule, posted, delivery.triesLeft, times)
  remember(pending, schedule, posted, times.nowMs)
  const save = () => queue.attempted(pending, delivery.id, made, againAtMs)
  const isThere = await untilSaved(save, { ...options, pending, signal })
  report(options, { pending, delivery }, posted, againAtMs)
  const reason = whyDisable(schedule, posted, delivery.failingSinceMs)
  if (reason && isThere && (await options.webhooks.disable(projectId, webhookId, reason))) {
    options.observer.webhookDisabled()
    options.log.warn({ projectId, webhookId, reason }, 'webhook disabled')
    await options.onDisabled(projectId, webhookId, reason)
  }
}

async function attempt(
  { webhooks, held, dispatcher, userAgent, now, log }: SendOptions,
  { pending: { projectId, webhookId }, delivery: { id, url, body } }: Taken,
  signal: AbortSignal,
): Promise<Posted | null> {
  const timestamp = Math.floor(now() / 1000)
  let signature: string
  try {
    signature = signatureOf(id, timestamp, body, await webhooks.secrets(projectId, webhookId))
  } catch (err) {
    // Removed in the meantime, with all its deliveries.
    if (err instanceof Fault && err.code === 'not_found') return null
    if (!(err instanceof UnreadableSecret)) throw err
    log.error({ err, projectId, webhookId }, 'webhook signature failed')
    return { atMs: now(), durationMs: 0, status: null, error: 'no_secret', excerpt: '', retryAfterMs: null }
  }
  // This process may have been stopped for a while.
  if (!held.isHeld(webhookId)) return null
  const headers = {
    'content-type': 'application/json',
    'user-agent': userAgent,
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signature,
  }
  return post({ url, headers, body }, { dispatcher, now, deadlineMs: DEADLINE_MS, signal })
}

/**
 * Writes down what came of an attempt as soon as the database is there again: what has arrived is not sent again.
 * @throws {Fault} when the service stops before that.
 */
async function untilSaved<T>(
  save: () => Promise<T>,
  { log, pending, signal }: Pick<SenderOptions, 'log'> & Pick<Taken, 'pending'> & { readonly signal: AbortSignal },
): Promise<T> {
  for (let run = 1; ; run++) {
    try {
      return await save()
    } catch (err) {
      if (signal.aborted || !(err instanceof Fault) || err.code !== 'service_unavailable') throw err
      if (run === 1) log.warn({ err, webhookId: pending.webhookId }, 'saving webhook attempt failed')
      await sleep(AFTER_TROUBLE_MS, undefined, { signal }).catch(() => undefined)
    }
  }
}

function remember(pending: PendingWebhook, schedule: Schedule, posted: Posted, nowMs: number): void {
  pending.isProven = isDelivered(posted)
  pending.failures = pending.isProven ? 0 : pending.failures + 1
  pending.restsUntilMs = pending.isProven ? 0 : nowMs + restMs(schedule, posted, pending.failures)
}

function report(
  { observer, log }: SenderOptions,
  { pending: { projectId, webhookId, failures }, delivery: { id, type } }: Taken,
  posted: Posted,
  againAtMs: number | null,
): void {
  const { status, error, durationMs, atMs } = posted
  const hasArrived = isDelivered(posted)
  observer.webhookAttempted(hasArrived ? 'delivered' : (error ?? 'refused'), durationMs)
  if (againAtMs === null) observer.webhookDelivery(hasArrived ? 'delivered' : 'failed')
  const facts = { projectId, webhookId, deliveryId: id, event: type, status, error, durationMs }
  if (hasArrived) log.debug(facts, 'webhook delivered')
  // Once for each time that a receiver goes down; what follows is in the log of deliveries.
  else if (failures === 1)
    log.info({ ...facts, retryInMs: againAtMs === null ? null : againAtMs - atMs }, 'webhook attempt failed')
}
