import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'
import type { ProjectEvent } from '../../bot/events.ts'
import type { Caller } from '../http/app-context.ts'
import type { EventType } from '../../lib/event-types.ts'

/** One open event socket. */
export interface EventSocket {
  readonly socket: WebSocket
  /** The connection beneath it: a frame that goes to many is made once and written here as it is. */
  readonly wire: Duplex
  /** To be called after each write to the wire. */
  readonly onWritten: () => void
  /** The caller with the bots that its key controls. Refreshed regularly: the bots of a pool change. */
  caller: Caller
  readonly keyDigest: Buffer
  readonly events: ReadonlySet<EventType>
  /** Pings of the protocol it has not answered; a live peer answers each at once. */
  unanswered: number
  /** Messages from the client in the current window. */
  messages: number
  /** Set once it is being closed; settles when it is gone. */
  gone: Promise<void> | null
}

/** Event sockets, indexed by their subscriptions. */
export type Listeners = ReturnType<typeof createListeners>

/**
 * @param ticks turns in a round.
 * @param spread how many turns before its full round a new listener may come up first; the emptiest of these takes it.
 */
export function createListeners(ticks: number, spread: number) {
  const everyone = new Map<EventSocket, Set<EventSocket>>()
  const audiences = createAudiences()
  const wheel = Array.from({ length: ticks }, () => new Set<EventSocket>())
  let hand = 0

  function placeFor(): Set<EventSocket> {
    let best = wheel[hand] ?? new Set<EventSocket>()
    for (let back = 1; back <= spread; back++) {
      const candidate = wheel[(hand - back + ticks) % ticks]
      if (candidate && candidate.size < best.size) best = candidate
    }
    return best
  }

  return {
    get size(): number {
      return everyone.size
    },
    add(listener: EventSocket) {
      const place = placeFor()
      place.add(listener)
      everyone.set(listener, place)
      audiences.add(listener)
    },
    remove(listener: EventSocket) {
      const place = everyone.get(listener)
      if (!place) return
      everyone.delete(listener)
      place.delete(listener)
      audiences.remove(listener)
    },
    /** Updates the bots that the key of a socket controls. */
    change(listener: EventSocket, caller: Caller) {
      if (!everyone.has(listener)) return
      audiences.remove(listener)
      listener.caller = caller
      audiences.add(listener)
    },
    /** The sockets that get an event: those of its bot and its bot's pools, and those of its project whose key has neither. */
    audience({ projectId, event }: ProjectEvent): EventSocket[] {
      if (event.type === 'jobEnded') return []
      const ofBot = audiences.of(projectId, event.botId)
      const ofProject = audiences.of(projectId, null)
      return [...ofBot, ...ofProject].filter(({ events }) => events.has(event.type))
    },
    /** Moves on by one turn. Every listener comes up once in a round. */
    turn(): Iterable<EventSocket> {
      hand = (hand + 1) % ticks
      return wheel[hand] ?? []
    },
    all: () => everyone.keys(),
  }
}

/** Listeners by their subscription. */
function createAudiences() {
  const listeners = new Map<string, Set<EventSocket>>()
  return {
    /** Null: those of keys without a bot. */
    of: (projectId: string, botId: string | null): Iterable<EventSocket> =>
      listeners.get(audienceKey(projectId, botId)) ?? [],
    add(listener: EventSocket): void {
      for (const key of audienceKeys(listener.caller))
        listeners.set(key, (listeners.get(key) ?? new Set()).add(listener))
    },
    remove(listener: EventSocket): void {
      for (const key of audienceKeys(listener.caller)) {
        const peers = listeners.get(key)
        peers?.delete(listener)
        if (peers?.size === 0) listeners.delete(key)
      }
    },
  }
}

/** A key of a pool gets events of the pool's bots only, even while the pool is empty. */
function audienceKeys({ projectId, botId, poolId, botIds }: Caller): readonly string[] {
  if (poolId === null) return [audienceKey(projectId, botId)]
  return botIds.map((id) => audienceKey(projectId, id))
}

/** No bot: all bots of the project. */
function audienceKey(projectId: string, botId: string | null): string {
  return JSON.stringify([projectId, botId])
}
