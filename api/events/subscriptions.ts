import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'
import type { ProjectEvent } from '../../bot/events.ts'
import type { Caller } from '../http/app-context.ts'
import type { EventType } from '../../lib/event-types.ts'

/** One open event socket. */
export interface Listener {
  readonly socket: WebSocket
  /** The connection beneath it: a frame that goes to many is made once and written here as it is. */
  readonly wire: Duplex
  readonly caller: Caller
  readonly keyDigest: Buffer
  readonly events: ReadonlySet<EventType>
  /** Pings of the protocol it has not answered; a live peer answers each at once. */
  unanswered: number
  /** Messages from the client in the current window. */
  messages: number
  /** Set once it is being closed; settles when it is gone. */
  gone: Promise<void> | null
}

/** Who listens, found by what they listen to. */
export interface Listeners {
  readonly size: number
  add(listener: Listener): void
  remove(listener: Listener): void
  /** Those who hear an event: the sockets of its bot, and those of its project whose key has no bot. */
  audience(event: ProjectEvent): Listener[]
  /** Moves on by one turn. Every listener comes up once in a round. */
  turn(): Iterable<Listener>
  all(): Iterable<Listener>
}

/**
 * @param ticks turns in a round.
 * @param spread how many turns before its full round a new listener may come up first; the emptiest of these takes it.
 */
export function createListeners(ticks: number, spread: number): Listeners {
  const everyone = new Map<Listener, Set<Listener>>()
  const byAudience = new Map<string, Set<Listener>>()
  const wheel = Array.from({ length: ticks }, () => new Set<Listener>())
  let hand = 0

  function placeFor(): Set<Listener> {
    let best = wheel[hand] ?? new Set<Listener>()
    for (let back = 1; back <= spread; back++) {
      const candidate = wheel[(hand - back + ticks) % ticks]
      if (candidate && candidate.size < best.size) best = candidate
    }
    return best
  }

  return {
    get size() {
      return everyone.size
    },
    add(listener) {
      const { projectId, botId } = listener.caller
      const place = placeFor()
      place.add(listener)
      everyone.set(listener, place)
      const key = audienceKey(projectId, botId)
      byAudience.set(key, (byAudience.get(key) ?? new Set()).add(listener))
    },
    remove(listener) {
      const place = everyone.get(listener)
      if (!place) return
      const { projectId, botId } = listener.caller
      everyone.delete(listener)
      place.delete(listener)
      const key = audienceKey(projectId, botId)
      const peers = byAudience.get(key)
      peers?.delete(listener)
      if (peers?.size === 0) byAudience.delete(key)
    },
    audience({ projectId, event }) {
      if (event.type === 'jobEnded') return []
      const ofBot = byAudience.get(audienceKey(projectId, event.botId)) ?? []
      const ofProject = byAudience.get(audienceKey(projectId, null)) ?? []
      return [...ofBot, ...ofProject].filter(({ events }) => events.has(event.type))
    },
    turn() {
      hand = (hand + 1) % ticks
      return wheel[hand] ?? []
    },
    all: () => everyone.keys(),
  }
}

/** No bot: all bots of the project. */
function audienceKey(projectId: string, botId: string | null): string {
  return JSON.stringify([projectId, botId])
}
