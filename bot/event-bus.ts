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
    ...createWanted(),
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

/** How many here want to hear of each project. */
function createWanted(): Pick<EventBus, 'want' | 'wanted' | 'onWanted'> {
  const counts = new Map<string, number>()
  const watchers = new Set<() => void>()
  const tell = () => watchers.forEach((watcher) => watcher())

  function count(projectId: string, change: 1 | -1): void {
    const before = counts.get(projectId) ?? 0
    const after = before + change
    if (after > 0) counts.set(projectId, after)
    else counts.delete(projectId)
    if (before === 0 || after === 0) tell()
  }

  return {
    want(projectId) {
      let isWanted = true
      count(projectId, 1)
      return () => {
        if (isWanted) count(projectId, -1)
        isWanted = false
      }
    },
    wanted: { [Symbol.iterator]: () => counts.keys() },
    onWanted(watcher) {
      watchers.add(watcher)
      return () => void watchers.delete(watcher)
    },
  }
}
