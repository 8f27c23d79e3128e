import { createLru } from '../../../lib/sharing/lru.ts'
import type { BotEvent, EventBus } from '../../../bot/events.ts'

export interface PastEvent {
  readonly atMs: number
  readonly event: BotEvent
}

/** The last events of each project, for those who open the page later. */
export type RecentEvents = ReturnType<typeof createRecentEvents>

const MOST_EACH = 100
const MOST_PROJECTS = 500

/** Listens for as long as the event bus lives. */
export function createRecentEvents(events: Pick<EventBus, 'subscribe'>, now: () => number) {
  const past = createLru<string, PastEvent[]>(MOST_PROJECTS)
  events.subscribe(({ projectId, event }) => {
    // The page is about players.
    if (event.type === 'jobEnded') return
    const own = past.get(projectId) ?? []
    own.unshift({ atMs: now(), event })
    own.length = Math.min(own.length, MOST_EACH)
    past.set(projectId, own)
  })
  return {
    /** The latest first. */
    of: (projectId: string) => past.get(projectId) ?? [],
  }
}
