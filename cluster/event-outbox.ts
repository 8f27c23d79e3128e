import { setImmediate as turn } from 'node:timers/promises'
import { settleWithin } from '../lib/deadline.ts'

/** Events on their way to other services: a bounded queue that never makes a player wait. */
export interface Outbox {
  /** @param event serialised once, however many services want it. */
  push(services: readonly string[], event: string): void
  readonly sent: number
  /** Those that were not worth a wait: Redis was away, or did not take them in time. */
  readonly dropped: number
  /** Waits a moment for what is still to go. */
  close(): Promise<void>
}

export interface OutboxOptions {
  /** Sends one message of several events; resolves when Redis has it. */
  readonly send: (service: string, events: readonly string[]) => Promise<void>
  readonly isReady: () => boolean
  /** A monotonic clock. */
  readonly now?: () => number
}

const MOST_WAITING = 1000
const MOST_AT_ONCE = 100
/** Older events are dropped. */
const LONGEST_WAIT_MS = 2000
const CLOSE_MS = 500

interface Waiting {
  readonly services: readonly string[]
  readonly event: string
  readonly atMs: number
}

/**
 * One batch is under way at a time, so the events of a player stay in order, and a Redis that hangs holds one batch and
 * no more: what waits behind it for too long is dropped here.
 */
export function createOutbox({ send, isReady, now = () => performance.now() }: OutboxOptions): Outbox {
  const line = createLine(now)
  let working: Promise<void> | null = null
  let sent = 0
  let failed = 0

  async function deliver(service: string, events: readonly string[]): Promise<void> {
    try {
      await send(service, events)
      sent += events.length
    } catch {
      failed += events.length
    }
  }

  async function work(): Promise<void> {
    for (;;) {
      // Events of one turn of the event loop go together.
      await turn()
      const batch = line.take()
      if (batch.length === 0) break
      const services = new Set(batch.flatMap((one) => one.services))
      const eventsFor = (service: string) => batch.flatMap((one) => (one.services.includes(service) ? [one.event] : []))
      await Promise.all([...services].map((one) => deliver(one, eventsFor(one))))
    }
    working = null
  }

  return {
    push(services, event) {
      if (services.length === 0) return
      if (!isReady() || !line.add({ services, event, atMs: now() })) failed += services.length
      else working ??= work()
    },
    get sent() {
      return sent
    },
    get dropped() {
      return failed + line.dropped
    },
    async close() {
      if (working) await settleWithin(CLOSE_MS, working)
    },
  }
}

/** What waits, the oldest first. */
function createLine(now: () => number) {
  const waiting: Waiting[] = []
  let dropped = 0

  function dropOld(): void {
    const bound = now() - LONGEST_WAIT_MS
    const fresh = waiting.findIndex(({ atMs }) => atMs >= bound)
    const old = waiting.splice(0, fresh === -1 ? waiting.length : fresh)
    dropped += old.reduce((sum, { services }) => sum + services.length, 0)
  }

  return {
    get dropped() {
      return dropped
    },
    /** @returns whether there was room. */
    add(one: Waiting): boolean {
      if (waiting.length >= MOST_WAITING) dropOld()
      if (waiting.length >= MOST_WAITING) return false
      waiting.push(one)
      return true
    },
    take(): readonly Waiting[] {
      dropOld()
      return waiting.splice(0, MOST_AT_ONCE)
    },
  }
}
