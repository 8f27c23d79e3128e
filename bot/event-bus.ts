import type { EventBus, ProjectEvent } from './events.ts'
import { settleWithin } from '../lib/deadline.ts'
import type { Logger } from '../lib/log.ts'

/** Timeout of passing events on. An acknowledgement waits for its events, but not for a database or a service that is away. */
const PASSED_WITHIN_MS = 500
/** Far above one per events socket that a machine can serve; a number beyond it is a leak. */
const MOST_LISTENERS = 10_000

interface Listener {
  readonly notify: (event: ProjectEvent) => void
  readonly passed: (() => Promise<unknown>) | undefined
}

/**
 * Hands every event to every listener before `emit` returns, in the order of subscription. Nothing is kept: who is slow
 * must queue for itself. A listener that throws is logged, and neither its neighbours nor the player notice.
 */
export function createEventBus({ log }: { readonly log: Logger }): EventBus {
  const listeners = new Set<Listener>()
  return {
    emit(event) {
      for (const listener of listeners) {
        try {
          listener.notify(event)
        } catch (err) {
          log.error({ err, event: event.event.type, projectId: event.projectId }, 'event listener failed')
        }
      }
    },
    async passed() {
      const underway = [...listeners].flatMap(({ passed }) => (passed ? [passed()] : []))
      if (underway.length > 0) await settleWithin(PASSED_WITHIN_MS, Promise.all(underway))
    },
    subscribe(notify, passed) {
      if (listeners.size >= MOST_LISTENERS) throw new Error(`More than ${MOST_LISTENERS} listeners wait for events.`)
      const listener = { notify, passed }
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
