import { randomUUID } from 'node:crypto'
import type { Waiting } from '../../db/webhooks/delivery.ts'
import type { LeasedWebhook, SenderLeases } from '../../db/webhooks/sender-leases.ts'
import { monotonicNow } from '../../lib/clock.ts'
import type { Logger } from '../../lib/log.ts'

/** The webhooks that this service sends to now. Another service may send to the others. */
export type HeldWebhooks = ReturnType<typeof createHeldWebhooks>

interface HeldWebhooksOptions {
  readonly leases: SenderLeases
  readonly now: () => number
  readonly log: Logger
  /** Something waits for a webhook, or a person changed something: then it does not rest any longer. */
  readonly onDue: (of: Waiting, due: { readonly atMs: number; readonly isWoken: boolean }) => void
}

/** Another service goes on this long after one was lost. */
const LIFE_MS = 5000
/** Allowance for a renewal under way and for clocks that run at another speed. */
const MARGIN_MS = 500
const RENEW_EVERY_MS = 1000
/** After the database was away: those who had webhooks renew them before others look for what was lost. */
const AFTER_TROUBLE_MS = 3000
const LOOK_EVERY_MS = 2000
/** Name of a single sender: a start after a kill resumes at once with its webhooks. */
const ONLY_SENDER = 'local'

interface Held {
  readonly untilMs: number
  readonly wakes: number
}

function lasting(askedAtMs: number, wakes: number): Held {
  return { untilMs: askedAtMs + LIFE_MS - MARGIN_MS, wakes }
}

export function createHeldWebhooks(options: HeldWebhooksOptions) {
  const { leases, now, onDue } = options
  const sender = leases.isShared ? randomUUID() : ONLY_SENDER
  const held = new Map<string, Held>()
  /** Whether no other service can have it yet: a process that was stopped for a while knows that it must not send. */
  const isHeld = (webhookId: string): boolean => (held.get(webhookId)?.untilMs ?? 0) > monotonicNow()

  function keep({ projectId, webhookId, wakes, nextAtMs }: LeasedWebhook, askedAtMs: number): void {
    const before = held.get(webhookId)
    // Let go in the meantime.
    if (!before) return
    held.set(webhookId, lasting(askedAtMs, wakes))
    const isWoken = wakes !== before.wakes
    if (isWoken || nextAtMs !== null) onDue({ projectId, webhookId }, { atMs: isWoken ? 0 : (nextAtMs ?? 0), isWoken })
  }

  async function renew(): Promise<void> {
    if (held.size === 0) return
    const askedAtMs = monotonicNow()
    const had = new Set(held.keys())
    for (const one of await leases.renew(sender, LIFE_MS)) {
      had.delete(one.webhookId)
      keep(one, askedAtMs)
    }
    for (const webhookId of had)
      if ((held.get(webhookId)?.untilMs ?? 0) < askedAtMs + LIFE_MS - MARGIN_MS) held.delete(webhookId)
  }

  async function findOrphans(): Promise<void> {
    for (const of of await leases.orphans(now())) onDue(of, { atMs: 0, isWoken: false })
  }

  const rounds = createRounds(options, { renew, findOrphans })
  return {
    isHeld,
    /** Takes the webhook, unless another service has it. */
    async acquire(of: Waiting): Promise<boolean> {
      if (isHeld(of.webhookId)) return true
      const askedAtMs = monotonicNow()
      const wakes = await leases.take(of, sender, LIFE_MS)
      if (wakes === null) held.delete(of.webhookId)
      else held.set(of.webhookId, lasting(askedAtMs, wakes))
      return wakes !== null
    },
    /** Lets it go, unless something is due. @returns false if something is. */
    async release(of: Waiting): Promise<boolean> {
      if (!held.has(of.webhookId)) return true
      const hasReleased = await leases.release(of, sender, now())
      if (hasReleased) held.delete(of.webhookId)
      return hasReleased
    },
    /** Lets all go, and stops renewing. */
    async close() {
      await rounds.close()
      held.clear()
      // Otherwise they end on their own.
      await leases.releaseAll(sender).catch((err: unknown) => options.log.warn({ err }, 'releasing webhooks failed'))
    },
  }
}

interface Rounds {
  readonly renew: () => Promise<void>
  readonly findOrphans: () => Promise<void>
}

/** Renews each second, one round at a time, and looks for what other services lost. */
function createRounds({ leases, log }: HeldWebhooksOptions, { renew, findOrphans }: Rounds) {
  let running: Promise<void> | null = null
  let lookAtMs = monotonicNow() + LOOK_EVERY_MS

  async function round(): Promise<void> {
    try {
      await renew()
      if (!leases.isShared || monotonicNow() < lookAtMs) return
      lookAtMs = monotonicNow() + LOOK_EVERY_MS
      await findOrphans()
    } catch (err) {
      lookAtMs = monotonicNow() + AFTER_TROUBLE_MS
      log.warn({ err }, 'renewing webhook leases failed')
    }
  }

  const timer = setInterval(() => {
    running ??= round().finally(() => (running = null))
  }, RENEW_EVERY_MS)
  return {
    async close() {
      clearInterval(timer)
      await running
    },
  }
}
