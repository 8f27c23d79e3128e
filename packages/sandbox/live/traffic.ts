import { GatewayOpcodes as Op } from 'discord-api-types/v10'
import { readEntry, type Kept, type Recorder } from '../record/recorder.ts'

const SHOWN = 200
const HEARTBEAT: number = Op.Heartbeat
const BODY_CHARS = 4000

/** Something that went over the wire between a bot and this Discord, as the page shows it. */
export interface TrafficEntry {
  readonly id: number
  readonly atMs: number
  /** `rest`: a request of a bot. `event`: what the gateway told a bot. `frame`: what a bot sent on its gateway. */
  readonly kind: 'rest' | 'event' | 'frame'
  readonly name: string
  readonly status: number | null
  readonly durationMs: number | null
  readonly body: string
}

/** The last 200 requests and gateway messages of all bots, oldest first. */
export function recentTraffic(recorder: Recorder): TrafficEntry[] {
  return recorder
    .entries()
    .filter(({ facts }) => nameOf(facts) !== null)
    .slice(-SHOWN)
    .flatMap((kept) => viewTraffic(kept) ?? [])
}

/** Null for what is not shown: heartbeats, greetings, voice. */
export function viewTraffic(kept: Kept): TrafficEntry | null {
  const named = nameOf(kept.facts)
  if (!named) return null
  const entry = readEntry(kept)
  const content = entry.kind === 'request' ? { request: entry.body, response: entry.response } : entry.body
  const text = JSON.stringify(content, null, 2)
  const body = text.length > BODY_CHARS ? `${text.slice(0, BODY_CHARS)}…` : text
  const { status, durationMs } = entry.kind === 'request' ? entry : { status: null, durationMs: null }
  return { id: kept.id, atMs: kept.atMs, ...named, status, durationMs, body }
}

function nameOf(facts: Kept['facts']): Pick<TrafficEntry, 'kind' | 'name'> | null {
  if (facts.kind === 'request') return { kind: 'rest', name: `${facts.method} ${facts.path}` }
  if (facts.kind !== 'gateway') return null
  const { direction, op, event } = facts
  if (direction === 'sent') return event === null ? null : { kind: 'event', name: event }
  if (direction === 'closed' || op === null || op === HEARTBEAT) return null
  return { kind: 'frame', name: `op ${op} ${Op[op] ?? ''}` }
}
