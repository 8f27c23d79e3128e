import type { EventBus, ProjectEvent } from './events.ts'
import type { Logger } from '../lib/log.ts'

/** Far above one per events socket that a machine can serve; a number beyond it is a leak. */
const MOST_LISTENERS = 10_000

/**
 * Hands every event to every listener before `emit` returns, in the order of subscription. Nothing is kept: who is slow
 * must queue for itself. A listener that throws is logged, and neither its neighbours nor the player notice.
 */
export function createEventBus({ log }: { readonly log: Logger }): EventBus {
  const listeners = new Set<{ readonly notify: (event: ProjectEvent) => void }>()
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
    subscribe(notify) {
      if (listeners.size >= MOST_LISTENERS) throw new Error(`More than ${MOST_LISTENERS} listeners wait for events.`)
      const listener = { notify }
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
