import { Fault } from '../../../lib/errors.ts'
import type { Clock } from '../../player/timers.ts'

/**
 * Discord takes 120 payloads a minute over each connection, heartbeats and logins included, and discord.js holds back what is
 * beyond 114.
 */
const MOST_SENT = 112
/** Left to callers while saved players come back. */
const CALLERS_ROOM = 4
const WINDOW_MS = 60_000
/** A caller waits so long for an answer; where it takes longer, it is told when to come back. */
const PATIENCE_MS = 5000
/** A turn that led to no payload is free again. */
const UNUSED_MS = 10_000

/** `caller` waits a moment at most and is told how long it takes; `player` has as long as it takes, behind the callers. */
export type JoinPurpose = 'caller' | 'player'

interface Waiter {
  readonly guildId: string
  readonly resolve: () => void
  readonly reject: (fault: Fault) => void
}

interface Lane {
  /** When the payloads of the last minute were sent, oldest first. */
  sentAtMs: number[]
  /** Guilds whose turn it is, and that have sent nothing yet. */
  readonly granted: Map<string, number>
  callers: Waiter[]
  players: Waiter[]
  cancel: (() => void) | null
}

/**
 * Queue of joins. Discord limits payloads a minute on each connection, and a join held back by others would look like a
 * channel that lets no one in, so joins take turns before they begin.
 */
export interface JoinTurns {
  /**
   * Resolves when a join of this guild would be sent at once.
   * @throws {Fault} `service_unavailable` with the time to wait, for a caller for whom that is long, or when it closes.
   */
  take(shardId: number, guildId: string, purpose: JoinPurpose): Promise<void>
  /** Time until this guild may send one more payload: 0 for now, and while it has a turn. */
  waitMs(shardId: number, guildId: string): number
  sent(shardId: number, guildId: string): void
  close(): void
}

export function createJoinTurns(clock: Pick<Clock, 'nowMs' | 'after'>): JoinTurns {
  const lanes = new Map<number, Lane>()

  const laneOf = (shardId: number) => currentLane(lanes, shardId, clock.nowMs())

  function pump(shardId: number): void {
    const lane = laneOf(shardId)
    lane.cancel?.()
    lane.cancel = null
    for (const [waiters, most] of [
      [lane.callers, MOST_SENT],
      [lane.players, MOST_SENT - CALLERS_ROOM],
    ] as const) {
      while (waiters.length > 0 && waitFor(lane, { ahead: 0, most, nowMs: clock.nowMs() }) === 0) {
        const next = waiters.shift()
        if (!next) break
        lane.granted.set(next.guildId, clock.nowMs())
        next.resolve()
      }
    }
    if (lane.callers.length === 0 && lane.players.length === 0) return
    const most = lane.callers.length > 0 ? MOST_SENT : MOST_SENT - CALLERS_ROOM
    const delayMs = waitFor(lane, { ahead: 0, most, nowMs: clock.nowMs() })
    // A turn may be given back before the minute is over.
    const againMs = lane.granted.size > 0 ? Math.min(delayMs, UNUSED_MS) : delayMs
    lane.cancel = clock.after(Math.max(1, againMs), () => pump(shardId))
  }

  return {
    async take(shardId, guildId, purpose) {
      const lane = laneOf(shardId)
      if (purpose === 'caller') {
        const ahead = lane.callers.length
        const delayMs = waitFor(lane, { ahead, most: MOST_SENT, nowMs: clock.nowMs() })
        if (delayMs > PATIENCE_MS) throw tooMany(delayMs)
      }
      const turn = Promise.withResolvers<void>()
      const waiters = purpose === 'caller' ? lane.callers : lane.players
      waiters.push({ guildId, resolve: turn.resolve, reject: turn.reject })
      pump(shardId)
      await turn.promise
    },
    waitMs: (shardId, guildId) => waitToSend(laneOf(shardId), guildId, clock.nowMs()),
    sent(shardId, guildId) {
      const lane = laneOf(shardId)
      lane.granted.delete(guildId)
      lane.sentAtMs.push(clock.nowMs())
    },
    close() {
      for (const lane of lanes.values()) {
        lane.cancel?.()
        for (const { reject } of [...lane.callers, ...lane.players]) reject(closed())
      }
      lanes.clear()
    },
  }
}

/** Without what no longer counts. */
function currentLane(lanes: Map<number, Lane>, shardId: number, nowMs: number): Lane {
  const lane = lanes.get(shardId) ?? { sentAtMs: [], granted: new Map(), callers: [], players: [], cancel: null }
  lanes.set(shardId, lane)
  const firstKept = lane.sentAtMs.findIndex((atMs) => atMs > nowMs - WINDOW_MS)
  lane.sentAtMs = firstKept < 0 ? [] : lane.sentAtMs.slice(firstKept)
  for (const [guildId, atMs] of lane.granted) if (atMs <= nowMs - UNUSED_MS) lane.granted.delete(guildId)
  return lane
}

interface Wait {
  /** Others that go before. */
  readonly ahead: number
  readonly most: number
  readonly nowMs: number
}

/** Time until fewer than `most` of the last minute count, including granted turns and the requests ahead. */
function waitFor(lane: Pick<Lane, 'sentAtMs' | 'granted'>, wait: Wait): number {
  const { ahead, most, nowMs } = wait
  const counted = [...lane.sentAtMs, ...lane.granted.values()].toSorted((a, b) => a - b)
  const over = counted.length + ahead - most
  if (over < 0) return 0
  const rounds = Math.floor(over / most)
  const freesAtMs = (counted[over % most] ?? nowMs) + (rounds + 1) * WINDOW_MS
  return Math.max(0, freesAtMs - nowMs)
}

function waitToSend(lane: Lane, guildId: string, nowMs: number): number {
  return lane.granted.has(guildId) ? 0 : waitFor(lane, { ahead: 0, most: MOST_SENT, nowMs })
}

function tooMany(retryAfterMs: number): Fault {
  const seconds = Math.ceil(retryAfterMs / 1000)
  const why = `The bot reached Discord's limit of joins per minute. Try again in ${seconds} s.`
  return new Fault('service_unavailable', why, { retryAfterMs })
}

function closed(): Fault {
  return new Fault('service_unavailable', 'The bot lost its connection to Discord before it joined. Try again.', {
    retryAfterMs: 2000,
  })
}
