import { EventEmitter } from 'node:events'
import { GatewayOpcodes } from 'discord-api-types/v10'
import type { Exchange } from '../rest/rest.ts'
import type { ClientFrame, Happening, World } from '../world/world.ts'

const KEPT = 200
const BODY_CHARS = 4000
/** Longer parts of a path are secrets: tokens of interactions. */
const SEGMENT_CHARS = 40

/** Something that went over the wire between a bot and this Discord. */
export interface TrafficEntry {
  readonly id: number
  readonly atMs: number
  /** `rest`: a request of a bot. `event`: what the gateway told bots. `frame`: what a bot sent on its gateway. */
  readonly kind: 'rest' | 'event' | 'frame'
  readonly name: string
  readonly status: number | null
  readonly durationMs: number | null
  /** Written out when it is read: most of it never is. */
  readonly body: () => string
}

/** The last 200 requests and gateway messages of all bots. */
export interface Traffic {
  readonly recent: readonly TrafficEntry[]
  readonly notices: EventEmitter<{ entry: [TrafficEntry] }>
  close(): void
}

export function createTraffic(world: World, onExchange: (listener: (exchange: Exchange) => void) => void): Traffic {
  const recent: TrafficEntry[] = []
  const notices: Traffic['notices'] = new EventEmitter()
  let lastId = 0
  notices.setMaxListeners(0)

  function add(facts: Pick<TrafficEntry, 'kind' | 'name'> & Partial<TrafficEntry>, content: unknown): void {
    lastId += 1
    const base = { id: lastId, atMs: world.now(), status: null, durationMs: null }
    const entry: TrafficEntry = { ...base, ...facts, body: () => write(content) }
    recent.push(entry)
    if (recent.length > KEPT) recent.shift()
    notices.emit('entry', entry)
  }

  const onHappening = ({ event }: Happening) => add({ kind: 'event', name: event.t }, event.d)
  const onFrame = ({ op, d }: ClientFrame) => add({ kind: 'frame', name: `op ${op} ${GatewayOpcodes[op] ?? ''}` }, d)
  onExchange(({ method, path, status, durationMs, request, response }) => {
    const short = path
      .split('/')
      .map((part) => (part.length > SEGMENT_CHARS ? '…' : part))
      .join('/')
    add({ kind: 'rest', name: `${method} ${short}`, status, durationMs }, { request, response })
  })
  world.notices.on('happening', onHappening).on('frame', onFrame)
  return {
    recent,
    notices,
    close: () => void world.notices.off('happening', onHappening).off('frame', onFrame),
  }
}

function write(content: unknown): string {
  const text = JSON.stringify(content, (key, value: unknown) => (key === 'token' ? '…' : value), 2) ?? ''
  return text.length > BODY_CHARS ? `${text.slice(0, BODY_CHARS)}…` : text
}
